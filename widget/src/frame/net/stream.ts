import { backOffMs, readFrames, sleep } from "@parley/client";
import { RequestError, type VisitorApi } from "./api.ts";

interface StreamOptions {
  api: VisitorApi;
  session: string;
  signal: AbortSignal;
  /** Connected; resolves when everything that may have been missed has been read. */
  onOpen: () => Promise<void>;
  onEvent: (event: string, data: unknown) => void;
  /** Not connected; the next attempt follows, unless the error says that there is nothing to connect to. */
  onDown: (error: RequestError | null) => void;
}

interface Stream {
  /** Ends a pause between attempts, and a connection that has been silent for too long. */
  wake(): void;
  /** Ends the connection: the browser reports a lost network long before it would time out. */
  drop(): void;
}

/** The server sends something every 15 seconds. */
const SILENCE_MS_MAX = 40_000;
const RETRY_MS_MAX = 15_000;
/** The session does not exist any more, or may not read: another attempt would get the same response. */
const FINAL = /^(?:SESSION_ENDED|IDENTITY_\w+|BLOCKED|WIDGET_INACTIVE|WRONG_ORIGIN|NOT_FOUND)$/;

/** Keeps the visitor's stream open until `signal` aborts. It resumes after the last event that was read. */
export function keepStream(options: StreamOptions): Stream {
  const { signal, onDown } = options;
  let position: string | null = null;
  let lastBytesAt = Date.now();
  let connection = new AbortController();
  let pause = new AbortController();
  signal.addEventListener("abort", () => pause.abort(), { once: true });
  const run = async () => {
    for (let failures = 0; !signal.aborted; failures += 1) {
      connection = new AbortController();
      const error = await connectOnce(options, {
        connection,
        position,
        onBytes: () => {
          lastBytesAt = Date.now();
        },
        onPosition: (next) => {
          position = next;
        },
        onRead: () => {
          failures = 0;
        },
      });
      if (signal.aborted) return;
      // The position is too old or not known: begin now; `onOpen` reads everything again.
      if (error?.code === "VALIDATION_ERROR") position = null;
      onDown(error);
      if (error && FINAL.test(error.code)) return;
      const delayMs = Math.max(backOffMs(failures, RETRY_MS_MAX), (error?.retryAfterSeconds ?? 0) * 1_000);
      pause = new AbortController();
      await sleep(delayMs, pause.signal).catch(() => {});
    }
  };
  void run();
  return {
    wake() {
      if (Date.now() - lastBytesAt > SILENCE_MS_MAX) connection.abort();
      pause.abort();
    },
    drop: () => connection.abort(),
  };
}

interface Attempt {
  connection: AbortController;
  position: string | null;
  onBytes: () => void;
  onPosition: (position: string) => void;
  /** Everything that may have been missed has been read. */
  onRead: () => void;
}

async function connectOnce(
  { api, session, signal, onOpen, onEvent }: StreamOptions,
  { connection, position, onBytes, onPosition, onRead }: Attempt,
): Promise<RequestError | null> {
  const stop = () => connection.abort();
  signal.addEventListener("abort", stop, { once: true });
  let silence = setTimeout(stop, SILENCE_MS_MAX);
  const received = () => {
    onBytes();
    clearTimeout(silence);
    silence = setTimeout(stop, SILENCE_MS_MAX);
  };
  try {
    const headers = { accept: "text/event-stream", ...(position === null ? {} : { "last-event-id": position }) };
    const response = await api.raw("stream", { session, headers, signal: connection.signal });
    if (!response.body) return null;
    received();
    for await (const { id, event, data } of readFrames(response.body, received)) {
      if (event === "hello") {
        // Not awaited: what arrives meanwhile is shown at once. If the reading fails, the connection begins again.
        onOpen().then(onRead, stop);
        if (id === null) onPosition(String((JSON.parse(data) as { position: unknown }).position));
      } else if (data !== "") onEvent(event, JSON.parse(data));
      if (id !== null) onPosition(id);
    }
    return null;
  } catch (error) {
    return error instanceof RequestError ? error : null;
  } finally {
    clearTimeout(silence);
    signal.removeEventListener("abort", stop);
    connection.abort();
  }
}
