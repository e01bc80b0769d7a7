import { backOffMs, sleep } from "./back-off.ts";
import { ParleyError } from "./errors.ts";
import type { Consumer, CursorMeta, Event, ReadConsumerEventsQuery } from "./generated.ts";
import { isFinal } from "./stream.ts";
import type { RawRequest, RawResponse, Transport } from "./transport.ts";

export interface ConsumerReadOptions extends ReadConsumerEventsQuery {
  /** End when no event is left, instead of waiting for the next. */
  untilEmpty?: boolean | undefined;
  /** Ends the loop, also while it waits. */
  signal?: AbortSignal | undefined;
  /** The server cannot be reached, and the next attempt follows by itself. */
  onReconnect?: ((state: { error: ParleyError; attempt: number }) => void) | undefined;
}

export interface ConsumerBatch {
  /** Oldest first, at least one. */
  events: Event[];
  /** Where this batch ends. */
  cursor: string;
  /** The consumer continues after this batch. Until then every read gives it again. */
  ack(): Promise<Consumer>;
}

const WAIT_SECONDS = 30;
/** What a response may take beyond the seconds that the server is asked to wait. */
const RESPONSE_MS_MAX = 30_000;
const RETRY_MS_MAX = 30_000;

/** The events after the acknowledged position, batch by batch, without end. A batch that is not acknowledged comes again. */
export async function* readConsumer(
  transport: Transport,
  name: string,
  { signal, onReconnect, limit, untilEmpty, wait = untilEmpty ? 0 : WAIT_SECONDS }: ConsumerReadOptions = {},
): AsyncGenerator<ConsumerBatch> {
  const path = `/consumers/${encodeURIComponent(name)}`;
  const retries: Retries = { signal, onReconnect, hasConnected: false };
  const reading = { query: { limit, wait }, timeoutMs: wait * 1_000 + RESPONSE_MS_MAX, signal };
  let acknowledged: string | null = null;
  // Without the signal: a batch that was processed when the loop is stopped is still acknowledged, in one attempt.
  const acknowledge = async (cursor: string): Promise<Consumer> => {
    const { data } = await persist<Consumer>(transport, ["POST", `${path}/ack`, { body: { cursor } }], retries);
    acknowledged = cursor;
    return data;
  };
  try {
    for (let last = "", repeats = 0; ; ) {
      const { body } = await persist<Event[]>(transport, ["GET", `${path}/events`, reading], retries);
      const { next_cursor: cursor, has_more: hasMore } = body.meta as unknown as CursorMeta;
      if (body.data.length > 0) yield { events: body.data, cursor, ack: () => acknowledge(cursor) };
      // Nothing matched up to here: the next read need not look at the same events again.
      else if (cursor !== acknowledged) await acknowledge(cursor);
      if (untilEmpty && body.data.length === 0 && !hasMore) return;
      repeats = cursor === last ? repeats + 1 : 0;
      last = cursor;
      if (body.data.length > 0 && cursor !== acknowledged) await sleep(backOffMs(repeats, RETRY_MS_MAX), signal);
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}

interface Retries extends Pick<ConsumerReadOptions, "signal" | "onReconnect"> {
  hasConnected: boolean;
}

/** Tries until the server responds: a reader outlives restarts. */
async function persist<T>(
  transport: Transport,
  [method, path, request]: [string, string, RawRequest],
  retries: Retries,
): Promise<RawResponse<T>> {
  const { signal, onReconnect } = retries;
  for (let attempt = 0; ; attempt++) {
    try {
      const response = await transport.request<T>(method, path, { ...request, maxRetries: 0 });
      retries.hasConnected = true;
      return response;
    } catch (error) {
      if (signal?.aborted || !(error instanceof ParleyError) || isFinal(error, retries.hasConnected)) throw error;
      onReconnect?.({ error, attempt: attempt + 1 });
      await sleep(backOffMs(attempt, RETRY_MS_MAX, error.retryAfter), signal);
    }
  }
}
