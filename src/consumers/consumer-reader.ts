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

/** The events after the acknowledged position, oldest first. Reading moves nothing. */
export async function readConsumer(
  db: Queryable,
  workspaceId: number,
  consumer: Consumer,
  limit: number,
): Promise<ConsumerPage> {
  return readMatchingEvents(db, workspaceId, {
    order: "asc",
    after: consumer.position,
    types: shownTypes(consumer),
    filterPath: consumer.filter_path,
    limit,
    stopsAtLimit: true,
  });
}

export async function consumerRecord(db: Queryable, workspaceId: number, consumer: Consumer): Promise<ConsumerRecord> {
  const { name, types, filter, position, missed, last_read_at, created_at, updated_at } = consumer;
  const lag = await lagOf(db, workspaceId, consumer);
  const cursor = encodeCursor(workspaceId, position);
  return { name, types, filter, cursor, lag, missed, last_read_at, created_at, updated_at };
}

/** Counted up to the number of events that one read looks at. */
async function lagOf(db: Queryable, workspaceId: number, consumer: Consumer): Promise<ConsumerRecord["lag"]> {
  const { events, matched, hasMore } = await readMatchingEvents(db, workspaceId, {
    order: "asc",
    after: consumer.position,
    types: shownTypes(consumer),
    filterPath: consumer.filter_path,
    limit: 1,
    stopsAtLimit: false,
  });
  const [oldest] = events;
  const timestamp = oldest && (JSON.parse(oldest.payload) as { timestamp: string }).timestamp;
  return { events: matched, complete: !hasMore, oldest_at: timestamp ?? null };
}
