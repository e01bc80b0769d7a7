import { backOffMs, sleep } from "./back-off.ts";
import { ERROR_CLASSES, ParleyError } from "./errors.ts";
import { type Frame, readFrames } from "./frames.ts";
import type { Event, EventName } from "./generated.ts";
import { errorOf } from "./response-error.ts";
import { parse, type RequestOptions, type Transport, unreachable } from "./transport.ts";

export interface StreamOptions {
  /** Begin after this cursor: that of the last event you have handled. Without it the stream begins now. */
  after?: string | null | undefined;
  /** Event names, or groups such as `message.*`. */
  types?: readonly (EventName | (string & {}))[] | undefined;
  signal?: AbortSignal | undefined;
  /** Connected, at first and again. `cursor` is where the stream begins, when the server said it. */
  onOpen?: ((state: { cursor: string | null }) => void) | undefined;
  /** The connection is lost, and the next attempt follows by itself. */
  onReconnect?: ((state: { error: ParleyError; attempt: number }) => void) | undefined;
  /** The server sends something every 15 seconds; after this much silence the connection is replaced. */
  silenceMsMax?: number | undefined;
}

export interface StreamedEvent {
  /** Store it once the event is handled, and pass it as `after` next time. */
  cursor: string;
  event: Event;
  /** The exact text that a webhook receives. */
  body: string;
}

const SILENCE_MS_MAX = 45_000;
const RECONNECT_MS_MAX = 30_000;
const CONNECT_MS_MAX = 30_000;
/** What no further attempt can change. */
const FINAL = new Set(["UNAUTHORIZED", "FORBIDDEN", "NOT_FOUND", "METHOD_NOT_ALLOWED", "VALIDATION_ERROR"]);

/** Every event, in order, without gap or repeat, over as many connections as it takes. */
export async function* streamEvents(transport: Transport, options: StreamOptions): AsyncGenerator<StreamedEvent> {
  const { types, signal } = options;
  let cursor = options.after ?? null;
  let hasConnected = false;
  for (let attempt = 0; ; attempt++) {
    let failure: ParleyError;
    try {
      for await (const frame of connectStream(transport, { ...options, after: cursor, types })) {
        attempt = 0;
        hasConnected = true;
        if (frame.event === "error") throw endOf(frame.data);
        cursor = frame.id ?? cursor;
        if (frame.data !== "" && cursor !== null) yield { cursor, event: JSON.parse(frame.data), body: frame.data };
      }
      failure = unreachable(transport.base, new Error("the server ended the stream"), null);
    } catch (error) {
      if (signal?.aborted) return;
      if (!(error instanceof ParleyError) || isFinal(error, hasConnected)) throw error;
      failure = error;
    }
    options.onReconnect?.({ error: failure, attempt: attempt + 1 });
    try {
      await sleep(backOffMs(attempt, RECONNECT_MS_MAX, failure.retryAfter), signal);
    } catch {
      return;
    }
  }
}

/**
 * A response that is not of this API says that the address is wrong, as long as the stream was never connected; later
 * it is most likely a proxy whose server restarts.
 */
export const isFinal = ({ code, status }: ParleyError, hasConnected: boolean): boolean =>
  FINAL.has(code) ||
  (code === "UNEXPECTED_RESPONSE" && !hasConnected && status < 500 && status !== 408 && status !== 429);

/** One connection. It ends with an error, also when it is silent for too long. */
export async function* connectStream(
  transport: Transport,
  options: Omit<StreamOptions, "onReconnect"> & Pick<RequestOptions, "headers">,
): AsyncGenerator<Frame> {
  const { after, types, signal, silenceMsMax = SILENCE_MS_MAX } = options;
  const connection = new AbortController();
  const stop = () => connection.abort();
  signal?.addEventListener("abort", stop);
  let timer = setTimeout(stop, CONNECT_MS_MAX);
  try {
    signal?.throwIfAborted();
    const response = await transport.open("GET", "/events/stream", {
      query: { type: types?.join(",") || undefined, cursor: after ?? undefined },
      headers: { ...options.headers, accept: "text/event-stream" },
      signal: connection.signal,
    });
    const isStream = /^text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
    if (!response.ok || !response.body || !isStream) throw errorOf(response, parse(await response.text()));
    let isOpen = false;
    for await (const frame of readFrames(response.body, () => {
      clearTimeout(timer);
      timer = setTimeout(stop, silenceMsMax);
    })) {
      // The first frame is a comment of the server, with the cursor at which the stream begins.
      if (!isOpen) options.onOpen?.({ cursor: frame.id ?? after ?? null });
      isOpen = true;
      yield frame;
    }
  } catch (error) {
    if (error instanceof ParleyError || signal?.aborted) throw error;
    const reason = connection.signal.aborted ? new Error("the connection was silent for too long") : error;
    throw unreachable(transport.base, reason, null);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
    connection.abort();
  }
}

/** The server says why it ends a stream. */
function endOf(data: string): ParleyError {
  const { code, message } = JSON.parse(data) as { code: string; message: string };
  const Class = ERROR_CLASSES[code] ?? ParleyError;
  return new Class({ status: 200, code, message });
}
