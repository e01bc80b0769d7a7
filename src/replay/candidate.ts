import { signWebhook } from "@parley/client";

interface CandidateResponse {
  /** 0: no response. */
  status: number;
  ms: number;
  /** Its beginning, as much as the log keeps of a response. */
  bodyText: string;
  error: string | null;
}

export type Candidate = (event: { id: string; body: string }) => Promise<CandidateResponse>;

const TIMEOUT_MS = 15_000;
const BODY_BYTES_MAX = 65_536;

/** Sends as a delivery does, signed with the webhook's secret, and marked, so that a receiver can leave out its effects. */
export const createCandidate =
  ({ url, secret, signal }: { url: string; secret: string; signal: AbortSignal }): Candidate =>
  async ({ id, body }) => {
    const startedAt = performance.now();
    const elapsed = () => Math.round(performance.now() - startedAt);
    const deadline = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(await signWebhook(id, body, secret)),
          "parley-replay": "1",
        },
        body,
        redirect: "manual",
        signal: AbortSignal.any([signal, deadline]),
      });
      const bodyText = await beginningOf(response);
      return {
        status: response.status,
        ms: elapsed(),
        bodyText,
        error: response.ok ? null : `HTTP ${response.status}`,
      };
    } catch (error) {
      signal.throwIfAborted();
      const reason = deadline.aborted ? `no response within ${TIMEOUT_MS / 1_000} s` : reasonOf(error);
      return { status: 0, ms: elapsed(), bodyText: "", error: reason };
    }
  };

async function beginningOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= BODY_BYTES_MAX) break;
  }
  // As the log stores it: it cannot hold NUL.
  return Buffer.concat(chunks).toString("utf8").replaceAll("\0", "\u{fffd}");
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? (cause?.message || message);
}
