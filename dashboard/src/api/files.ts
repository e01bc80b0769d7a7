import type { UploadedFile } from "@parley/client";
import { t } from "../lib/texts.ts";
import { ApiError, commonHeaders, translate } from "./client.ts";

export type { UploadedFile } from "@parley/client";

interface UploadOptions {
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/** Short enough for the row of a file. */
function shortReason(message = t("The upload failed.")): string {
  const [, limit] = /larger than the limit of (.+)\.$/.exec(message) ?? [];
  return limit ? t("Larger than {limit}", { limit }) : message;
}

const failed = (code = "UNEXPECTED_RESPONSE", message: string, status = 0): ApiError =>
  new ApiError({ status, code, message });

/** XMLHttpRequest, because fetch does not say how much of a body has been sent. */
export function uploadFile(file: File, { onProgress, signal }: UploadOptions): Promise<UploadedFile> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `/api/v1/files?name=${encodeURIComponent(file.name)}`);
    for (const [name, value] of Object.entries(commonHeaders())) request.setRequestHeader(name, value);
    request.setRequestHeader("content-type", file.type || "application/octet-stream");
    request.responseType = "json";
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
    request.addEventListener("load", () => {
      const body = request.response as { data?: UploadedFile; error?: { code: string; message: string } } | null;
      if (request.status < 300 && body?.data) return resolve(body.data);
      const error = failed(body?.error?.code, shortReason(body?.error?.message), request.status);
      void translate(error).then(() => reject(error));
    });
    request.addEventListener("error", () =>
      reject(failed("CONNECTION_FAILED", t("The upload was interrupted. Check your connection, then try again."))),
    );
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.addEventListener("abort", () => reject(failed("ABORTED", t("The upload was canceled."))));
    request.send(file);
  });
}
