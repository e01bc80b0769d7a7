const FIRST_MS = 500;

/**
 * How long to wait after a failure, the first one being 0: as many seconds as the server says, or twice as long each
 * time, at random between half and all of it.
 */
export const backOffMs = (failure: number, maxMs: number, retryAfter?: number): number =>
  retryAfter === undefined ? Math.min(maxMs, FIRST_MS * 2 ** failure) * (0.5 + Math.random() / 2) : retryAfter * 1_000;

/** Rejects when the signal aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    if (signal?.aborted) onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
