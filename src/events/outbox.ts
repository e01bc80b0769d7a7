import type { Actor } from "../core/actor.ts";
import { newUuid } from "../core/ids.ts";
import { type Statement, sql, type Tx } from "../db/database.ts";
import { timestampSql } from "../db/timestamp-sql.ts";
import { type EventType, subscriptionsTo } from "./catalogue.ts";

export interface NewEvent {
  workspaceId: number;
  type: EventType;
  /** The resource as the API returns it, as of this transaction. */
  data: object;
  actor: Actor;
}

export interface StoredEvent {
  id: number;
  uuid: string;
}

/** How the deliveries of an event are written, in its statement. `app` hands it in: events know nothing of webhooks. */
export interface FanOut {
  /** An insert that reads the row of the CTE `event` and returns each `webhook_id`; the others are names of parameters. */
  sql(names: { event: string; subscriptions: string; aboutKeys: string; apiKeyId: string }): string;
  /** After the commit, if there are any. */
  onQueued(workspaceId: number, webhookIds: number[]): void;
}

/**
 * A change that brings its event with it, in one statement: a message costs one round trip instead of five. The last of
 * its CTEs is `source`: one row, or none if there was nothing to change, with `workspace_id` and, as JSON in text, `data`
 * and `actor`.
 */
export interface Change {
  name: string;
  ctes: string;
  /** How many parameters they have, from $1 on. */
  parameters: number;
  /** What to return, from `source`. */
  columns: string;
}

export interface Outbox {
  append(tx: Tx, event: NewEvent): Promise<StoredEvent>;
  /** Stores an event that is meant for one destination only: no webhook is told of it, readers of events see it. */
  appendUnannounced(tx: Tx, event: NewEvent): Promise<StoredEvent>;
  /** Makes a change and appends its event. Undefined: there was nothing to change. */
  appendChange<T extends object>(
    tx: Tx,
    change: Change,
    values: readonly unknown[],
    event: Pick<NewEvent, "type"> & { apiKeyId: number | undefined },
  ): Promise<T | undefined>;
}

export interface OutboxOptions {
  fanOut: FanOut;
  /** After the commit of a transaction that appended: a hint to whoever reads positions. */
  onAppended: () => void;
}

const GIVEN: Omit<Change, "name"> = {
  ctes: "source as (select $1::bigint as workspace_id, $2::text as data, $3::text as actor)",
  parameters: 3,
  columns: "source.workspace_id",
};
const APPEND: Change = { ...GIVEN, name: "event_append" };
const APPEND_UNANNOUNCED: Change = { ...GIVEN, name: "event_append_unannounced" };

// The body is put together in the database, so that its timestamp is the transaction's own.
function statementOf({ name, ctes, parameters, columns }: Change, fanOut: FanOut | null): Statement {
  const [uuid, publicId, type, apiKeyId, subscriptions, aboutKeys] = [1, 2, 3, 4, 5, 6].map(
    (n) => `$${parameters + n}`,
  );
  const queued = fanOut?.sql({ event: "event", subscriptions, aboutKeys, apiKeyId } as Parameters<FanOut["sql"]>[0]);
  return sql(
    name,
    `with ${ctes},
     event as (
       insert into events (workspace_id, uuid, type, api_key_id, payload)
       select workspace_id, ${uuid}::uuid, ${type}::text, ${apiKeyId}::bigint,
         format('{"id":"%s","type":"%s","timestamp":"%s","data":%s,"actor":%s}', ${publicId}::text, ${type}::text,
           ${timestampSql("now()")}, data, actor)
       from source returning workspace_id, id),
     unsequenced as (
       insert into events_unsequenced (workspace_id, event_id) select workspace_id, id from event)
     ${queued ? `, queued as (${queued})` : ""}
     select ${columns}, event.id as "eventId", event.workspace_id as "eventWorkspaceId",
       ${queued ? "array(select webhook_id from queued)" : "'{}'::bigint[]"} as queued
     from source, event`,
  );
}

interface AppendedRow {
  eventId: number;
  eventWorkspaceId: number;
  queued: number[];
}

/** The public id of an event, equal to the `webhook-id` of its deliveries. */
export const eventPublicId = (uuid: string): string => `evt_${uuid.replaceAll("-", "")}`;

export function createOutbox({ fanOut, onAppended }: OutboxOptions): Outbox {
  const statements = new Map<Change, Statement>();

  function statementFor(change: Change): Statement {
    let statement = statements.get(change);
    if (!statement) {
      statement = statementOf(change, change === APPEND_UNANNOUNCED ? null : fanOut);
      statements.set(change, statement);
    }
    return statement;
  }

  async function store<T extends object>(
    tx: Tx,
    change: Change,
    values: readonly unknown[],
    { type, apiKeyId }: { type: EventType; apiKeyId: number | undefined },
    uuid: string,
  ): Promise<(T & AppendedRow) | undefined> {
    const [row] = await tx.query<T & AppendedRow>(statementFor(change), [
      ...values,
      uuid,
      eventPublicId(uuid),
      type,
      apiKeyId ?? null,
      ...(change === APPEND_UNANNOUNCED ? [] : [subscriptionsTo(type), type.startsWith("api_key.")]),
    ]);
    if (!row) return undefined;
    tx.afterCommit(onAppended);
    if (row.queued.length > 0) tx.afterCommit(() => fanOut.onQueued(row.eventWorkspaceId, row.queued));
    return row;
  }

  async function storeGiven(tx: Tx, change: Change, event: NewEvent): Promise<StoredEvent> {
    const { workspaceId, type, data, actor } = event;
    const uuid = newUuid();
    const values = [workspaceId, JSON.stringify(data), actorJson(actor)];
    const row = await store(tx, change, values, { type, apiKeyId: actor.apiKeyId }, uuid);
    return { id: (row as AppendedRow).eventId, uuid };
  }

  return {
    append: (tx, event) => storeGiven(tx, APPEND, event),
    appendUnannounced: (tx, event) => storeGiven(tx, APPEND_UNANNOUNCED, event),
    appendChange: (tx, change, values, event) => store(tx, change, values, event, newUuid()),
  };
}

/** As it stands in an event. */
const actorJson = ({ type, id, name }: Actor): string => JSON.stringify({ type, id, name });
