import type { Actor } from "../core/actor.ts";
import { newUuid } from "../core/ids.ts";
import { sql, type Tx } from "../db/database.ts";
import type { EventType } from "./catalogue.ts";

export interface NewEvent {
  workspaceId: number;
  type: EventType;
  /** The resource as the API returns it, as of this transaction. */
  data: object;
  actor: Actor;
}

export interface StoredEvent {
  workspaceId: number;
  id: number;
  uuid: string;
  type: EventType;
  apiKeyId: number | null;
}

/** Writes the deliveries of an event, in its transaction. `app` hands it in: events know nothing of webhooks. */
export type FanOut = (tx: Tx, event: StoredEvent) => Promise<void>;

export interface Outbox {
  append(tx: Tx, event: NewEvent): Promise<StoredEvent>;
  /** Stores an event that is meant for one destination only: no webhook is told of it, readers of events see it. */
  appendUnannounced(tx: Tx, event: NewEvent): Promise<StoredEvent>;
}

export interface OutboxOptions {
  fanOut: FanOut;
  /** After the commit of a transaction that appended: a hint to whoever reads positions. */
  onAppended: () => void;
}

// The body is put together in the database, so that its timestamp is the transaction's own.
const insertEvent = sql(
  "event_insert",
  `with event as (
     insert into events (workspace_id, uuid, type, api_key_id, payload)
     values ($1, $2::uuid, $3, $4, format('{"id":"%s","type":"%s","timestamp":"%s","data":%s,"actor":%s}', $5::text, $3::text,
       to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"'), $6::text, $7::text))
     returning workspace_id, id)
   insert into events_unsequenced (workspace_id, event_id) select workspace_id, id from event returning event_id as id`,
);

/** The public id of an event, equal to the `webhook-id` of its deliveries. */
export const eventPublicId = (uuid: string): string => `evt_${uuid.replaceAll("-", "")}`;

export function createOutbox({ fanOut, onAppended }: OutboxOptions): Outbox {
  const store = async (tx: Tx, { workspaceId, type, data, actor }: NewEvent): Promise<StoredEvent> => {
    const uuid = newUuid();
    const apiKeyId = actor.apiKeyId ?? null;
    const [row] = await tx.query<{ id: number }>(insertEvent, [
      workspaceId,
      uuid,
      type,
      apiKeyId,
      eventPublicId(uuid),
      JSON.stringify(data),
      JSON.stringify({ type: actor.type, id: actor.id, name: actor.name }),
    ]);
    tx.afterCommit(onAppended);
    return { workspaceId, id: (row as { id: number }).id, uuid, type, apiKeyId };
  };
  return {
    async append(tx, event) {
      const stored = await store(tx, event);
      await fanOut(tx, stored);
      return stored;
    },
    appendUnannounced: store,
  };
}
