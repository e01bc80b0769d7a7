import type { Queryable } from "../db/database.ts";
import { coveredTypes, type EventType, isApiKeyEvent } from "../events/catalogue.ts";
import { encodeCursor } from "../events/event-cursor.ts";
import type { SequencedEvent } from "../events/event-reader.ts";
import { readMatchingEvents } from "../events/matching-reader.ts";
import type { ConsumerRecord } from "../resources/consumer.ts";
import type { Consumer } from "./consumers.ts";

/** The events that a consumer shows: those it names, of those that its creator may see. */
export const shownTypes = ({ types, sees_api_key_events }: Consumer): EventType[] =>
  coveredTypes(types ?? ["*"]).filter((type) => sees_api_key_events || !isApiKeyEvent(type));

interface ConsumerPage {
  events: SequencedEvent[];
  next: number;
  hasMore: boolean;
}

/** The events after a position, that of the consumer for instance, oldest first. Reading moves nothing. */
export async function readConsumer(
  db: Queryable,
  workspaceId: number,
  consumer: Consumer,
  { limit, after = consumer.position }: { limit: number; after?: number },
): Promise<ConsumerPage> {
  return readMatchingEvents(db, workspaceId, {
    order: "asc",
    after,
    types: shownTypes(consumer),
    filterPath: consumer.filter_path,
    limit,
    stopsAtLimit: true,
  });
}

const LISTING_MS_MAX = 3_000;

/**
 * One after the other, each looking at up to 10,000 events. Once that has taken too long, what the others have before them
 * is not counted any more, and their `lag` says so.
 */
export async function consumerRecords(
  db: Queryable,
  workspaceId: number,
  consumers: readonly Consumer[],
  { showsLag, msMax = LISTING_MS_MAX }: { showsLag: (consumer: Consumer) => boolean; msMax?: number | undefined },
): Promise<ConsumerRecord[]> {
  const endsAt = performance.now() + msMax;
  const records: ConsumerRecord[] = [];
  for (const consumer of consumers)
    records.push(await consumerRecord(db, workspaceId, consumer, { showsLag: showsLag(consumer), endsAt }));
  return records;
}

export async function consumerRecord(
  db: Queryable,
  workspaceId: number,
  consumer: Consumer,
  { showsLag, endsAt }: { showsLag: boolean; endsAt?: number },
): Promise<ConsumerRecord> {
  const { name, types, filter, position, missed, last_read_at, created_at, updated_at } = consumer;
  const lag = showsLag ? await lagOf(db, workspaceId, consumer, endsAt) : NOT_COUNTED;
  const cursor = encodeCursor(workspaceId, position);
  return { name, types, filter, cursor, lag, missed, last_read_at, created_at, updated_at };
}

const NOT_COUNTED = { events: 0, complete: false, oldest_at: null };

/** Counted up to the number of events that one read looks at. */
async function lagOf(
  db: Queryable,
  workspaceId: number,
  consumer: Consumer,
  endsAt: number | undefined,
): Promise<ConsumerRecord["lag"]> {
  const { events, matched, hasMore } = await readMatchingEvents(db, workspaceId, {
    order: "asc",
    after: consumer.position,
    types: shownTypes(consumer),
    filterPath: consumer.filter_path,
    limit: 1,
    stopsAtLimit: false,
    endsAt,
  });
  const [oldest] = events;
  const timestamp = oldest && (JSON.parse(oldest.payload) as { timestamp: string }).timestamp;
  return { events: matched, complete: !hasMore, oldest_at: timestamp ?? null };
}
