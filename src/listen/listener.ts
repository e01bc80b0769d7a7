import { type Event, type Parley, ParleyError } from "@parley/client";
import { type Forward, type Forwarded, pause } from "./forward.ts";
import type { ListenState } from "./state.ts";

export interface Listened {
  at: Date;
  event: Event;
  body: string;
  /** Null when nothing is forwarded. */
  forwarded: Forwarded | null;
}

/** What happens, for the terminal or for a script. */
export interface ListenReport {
  ready(): void;
  event(listened: Listened): void;
  reconnecting(reason: string, attempt: number): void;
}

interface ListenOptions {
  parley: Parley;
  state: ListenState;
  forward: Forward | null;
  types: string[];
  /** Begin with the events of this time instead of where the last run ended. */
  since: Date | null;
  /** Forget where the last run ended. */
  fromNow: boolean;
  signal: AbortSignal;
  report: ListenReport;
}

type EventsQuery = NonNullable<Parameters<Parley["events"]["list"]>[0]>;

const RECONNECT_MS = 500;
const RECONNECT_MS_MAX = 30_000;

/**
 * Follows the stream and forwards each event before it looks at the next one. The cursor is stored when the receiver has
 * responded: after a crash the event whose response was lost is sent again, and no other.
 */
export async function listen(options: ListenOptions): Promise<void> {
  const { parley, state, types, since, fromNow, signal, report } = options;
  const handle = async (event: Event, body: string): Promise<void> => {
    const forwarded = options.forward ? await options.forward({ id: event.id, body }) : null;
    report.event({ at: new Date(), event, body, forwarded });
  };
  try {
    let after = since || fromNow ? null : state.cursor();
    if (since) after = await beginAt(options, since, handle);
    const stream = parley.events.stream({
      after,
      types,
      signal,
      onOpen: ({ cursor }) => {
        // Before the first event there is nothing else to resume from.
        if (cursor !== null && after === null) state.save(cursor);
        after ??= cursor;
        report.ready();
      },
      onReconnect: ({ error, attempt }) => report.reconnecting(error.message, attempt),
    });
    for await (const { event, cursor, body } of stream) {
      await handle(event, body);
      after = cursor;
      state.save(cursor);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** The first event since a time; the stream continues at the cursor that is returned, over whatever interrupts it. */
async function beginAt(
  { parley, types, state, signal, report }: ListenOptions,
  since: Date,
  handle: (event: Event, body: string) => Promise<void>,
): Promise<string | null> {
  const type = types.length > 0 ? { type: types.join(",") } : {};
  let query: EventsQuery = { created_after: since.toISOString(), limit: 1, ...type };
  for (let attempt = 0; ; attempt++) {
    try {
      const { data, nextCursor, hasMore } = await parley.events.list(query, { signal, maxRetries: 0 });
      for (const event of data) await handle(event, JSON.stringify(event));
      // A page may be empty before the first event that the time admits.
      if (data.length === 0 && hasMore && nextCursor !== null) {
        query = { ...query, cursor: nextCursor };
        attempt = -1;
        continue;
      }
      if (nextCursor !== null) state.save(nextCursor);
      return nextCursor;
    } catch (error) {
      if (!(error instanceof ParleyError) || !mayPass(error)) throw error;
      report.reconnecting(error.message, attempt + 1);
      const ms = error.retryAfter === undefined ? RECONNECT_MS * 2 ** attempt : error.retryAfter * 1_000;
      await pause(Math.min(RECONNECT_MS_MAX, ms), signal);
    }
  }
}

/** As for the stream: a server that is not running yet, or is restarting, is waited for. */
const mayPass = ({ status }: ParleyError): boolean => status === 0 || status === 408 || status === 429 || status >= 500;
