import { ApiError, commonHeaders } from "./client.ts";
import type { UploadedFile } from "./schema.ts";

export type { UploadedFile } from "./schema.ts";

interface UploadOptions {
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/** Short enough for the row of a file. */
function shortReason(message = "The upload failed."): string {
  const [, limit] = /larger than the limit of (.+)\.$/.exec(message) ?? [];
  return limit ? `Larger than ${limit}` : message;
}

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
      reject(new ApiError(request.status, body?.error?.code ?? "UNKNOWN", shortReason(body?.error?.message)));
    });
    request.addEventListener("error", () =>
      reject(new ApiError(0, "UNREACHABLE", "The upload was interrupted. Check your connection, then try again.")),
    );
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.addEventListener("abort", () => reject(new ApiError(0, "ABORTED", "The upload was canceled.")));
    request.send(file);
  });
}
