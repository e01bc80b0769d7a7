import type { Event, Parley } from "@parley/client";
import type { Forward, Forwarded } from "./forward.ts";
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
    if (since) after = await readPast(options, since, handle);
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

/** The events since a time, page by page; returns the cursor at which the stream goes on. */
async function readPast(
  { parley, types, state, signal }: ListenOptions,
  since: Date,
  handle: (event: Event, body: string) => Promise<void>,
): Promise<string | null> {
  const query = { created_after: since.toISOString(), ...(types.length > 0 ? { type: types.join(",") } : {}) };
  let cursor: string | null = null;
  for (let page = await parley.events.list(query, { signal }); ; ) {
    for (const event of page.data) await handle(event, JSON.stringify(event));
    cursor = page.nextCursor ?? cursor;
    if (cursor !== null) state.save(cursor);
    const next = await page.next();
    if (!next) return cursor;
    page = next;
  }
}
