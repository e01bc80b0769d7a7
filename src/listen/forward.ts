import { signWebhook } from "@parley/client";

export interface Forwarded {
  /** The receiver's status; 0 when it did not respond in time. */
  status: number;
  ms: number;
  error: string | null;
}

interface ForwardOptions {
  url: string;
  secret: string;
  signal: AbortSignal;
  /** The receiver cannot be reached; the same event is tried again. */
  onUnreachable: (reason: string) => void;
}

export type Forward = (event: { id: string; body: string }) => Promise<Forwarded>;

/** As the default of a real webhook. */
const TIMEOUT_MS = 15_000;
const RETRY_MS = 250;
const RETRY_MS_MAX = 5_000;

/** `3000`, `:3000/hook`, `localhost:3000/hook` or a whole URL. */
export function parseTarget(text: string): string {
  const full = /^\d+(\/|$)/.test(text)
    ? `http://localhost:${text}`
    : text.startsWith(":")
      ? `http://localhost${text}`
      : /^[\w.-]+:\d+(\/|$)/.test(text)
        ? `http://${text}`
        : text;
  const url = URL.canParse(full) ? new URL(full) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Error(
      `--forward-to takes a port or an http URL, such as 3000 or http://localhost:3000/hook; not "${text}".`,
    );
  return url.href;
}

/**
 * Sends an event to the receiver on this machine as a real delivery would: the same body, the same headers, signed. A receiver
 * that cannot be reached is being restarted: the event waits for it, so that none is lost. Any response settles it.
 */
export function createForward({ url, secret, signal, onUnreachable }: ForwardOptions): Forward {
  return async ({ id, body }) => {
    for (let attempt = 0; ; attempt++) {
      const startedAt = performance.now();
      const elapsed = () => Math.round(performance.now() - startedAt);
      const deadline = AbortSignal.timeout(TIMEOUT_MS);
      try {
        const response = await fetch(url, {
          method: "POST",
          headers: { "content-type": "application/json", ...(await signWebhook(id, body, secret)) },
          body,
          redirect: "manual",
          signal: AbortSignal.any([signal, deadline]),
        });
        await response.body?.cancel();
        const error = response.ok ? null : `HTTP ${response.status}`;
        return { status: response.status, ms: elapsed(), error };
      } catch (error) {
        signal.throwIfAborted();
        if (deadline.aborted) return { status: 0, ms: elapsed(), error: `no response within ${TIMEOUT_MS / 1_000} s` };
        onUnreachable(reasonOf(error));
        await pause(Math.min(RETRY_MS_MAX, RETRY_MS * 2 ** attempt), signal);
      }
    }
  };
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? (cause?.message || message);
}

export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
