import { isDeepStrictEqual } from "node:util";
import { auditOf } from "../audit/audit.ts";
import type { Caller } from "../core/caller.ts";
import { notFound } from "../core/errors.ts";
import { type Queryable, sql, type Tx } from "../db/database.ts";
import { requireQuota } from "../db/quota.ts";
import type { PayloadFilter } from "../events/payload-filter.ts";

const audit = auditOf("consumer");

/** A reader of events whose position is kept here. */
export interface Consumer {
  id: number;
  name: string;
  types: string[] | null;
  filter: PayloadFilter | null;
  filter_path: string | null;
  sees_api_key_events: boolean;
  position: number;
  missed: boolean;
  last_read_at: string | null;
  created_at: string;
  updated_at: string;
}

/** What a consumer shows. */
export interface ConsumerSettings {
  types: string[] | null;
  filter: PayloadFilter | null;
  filterPath: string | null;
}

const CONSUMERS_MAX = 1_000;

export const CONSUMER_COLUMNS = `c.id,
      c.name,
      c.types,
      c.filter,
      c.filter_path::text as filter_path,
      c.sees_api_key_events,
      c.position,
      c.missed,
      c.last_read_at,
      c.created_at,
      c.updated_at`;

const listStatement = sql(
  "consumer_list",
  `select ${CONSUMER_COLUMNS}
    from consumers c
    where c.workspace_id = $1
    order by c.name
    limit ${CONSUMERS_MAX}`,
);
const FROM_NAMED = `from consumers c
    where c.workspace_id = $1
      and c.name = $2`;
const findStatement = sql("consumer_find", `select ${CONSUMER_COLUMNS} ${FROM_NAMED}`);
const lockStatement = sql("consumer_lock", `select ${CONSUMER_COLUMNS} ${FROM_NAMED} for update`);
const insertStatement = sql(
  "consumer_insert",
  `insert into consumers as c (workspace_id, name, types, filter, filter_path, sees_api_key_events, position)
    values ($1, $2, $3, $4, $5::jsonpath, $6, $7)
    on conflict (workspace_id, name) do nothing
    returning ${CONSUMER_COLUMNS}`,
);
const updateStatement = sql(
  "consumer_update",
  `update consumers c
    set
      types = $3,
      filter = $4,
      filter_path = $5::jsonpath,
      updated_at = now()
    where c.workspace_id = $1
      and c.id = $2
    returning ${CONSUMER_COLUMNS}`,
);
// Forward only: a repeat of an acknowledgement, or an older one that comes late, changes nothing.
const acknowledgeStatement = sql(
  "consumer_acknowledge",
  `update consumers c
    set
      position = $3,
      updated_at = now()
    where c.workspace_id = $1
      and c.id = $2
      and c.position < $3`,
);
const resetStatement = sql(
  "consumer_reset",
  `update consumers c
    set
      position = $3,
      missed = false,
      updated_at = now()
    where c.workspace_id = $1
      and c.id = $2
    returning ${CONSUMER_COLUMNS}`,
);
const readStatement = sql(
  "consumer_read",
  `update consumers
    set last_read_at = now()
    where workspace_id = $1
      and id = $2
      and (last_read_at is null or last_read_at < now() - interval '1 second')`,
);
const deleteStatement = sql("consumer_delete", "delete from consumers where workspace_id = $1 and id = $2");

export const listConsumers = (db: Queryable, workspaceId: number): Promise<Consumer[]> =>
  db.query<Consumer>(listStatement, [workspaceId]);

export async function findConsumer(db: Queryable, workspaceId: number, name: string): Promise<Consumer> {
  const found = await findConsumerIfPresent(db, workspaceId, name);
  if (!found) throw notFound("consumer");
  return found;
}

export async function findConsumerIfPresent(
  db: Queryable,
  workspaceId: number,
  name: string,
): Promise<Consumer | undefined> {
  return queryNamed(db, findStatement, workspaceId, name);
}

/** PostgreSQL refuses a text with NUL, and no consumer has such a name. */
async function queryNamed(
  db: Queryable,
  statement: typeof findStatement,
  workspaceId: number,
  name: string,
): Promise<Consumer | undefined> {
  if (name.includes("\0")) return undefined;
  return (await db.query<Consumer>(statement, [workspaceId, name]))[0];
}

/** Undefined: another request has created one of this name meanwhile. */
export async function createConsumer(
  tx: Tx,
  caller: Caller,
  { name, settings, position }: { name: string; settings: ConsumerSettings; position: number },
): Promise<Consumer | undefined> {
  const { workspaceId } = caller;
  await requireQuota(tx, { workspaceId, collection: "consumers", max: CONSUMERS_MAX });
  const seesApiKeyEvents = caller.scopes.has("api-keys:manage");
  const values = [workspaceId, name, ...valuesOf(settings), seesApiKeyEvents, position];
  const [created] = await tx.query<Consumer>(insertStatement, values);
  if (created) await audit(tx, caller, { action: "consumer.created", id: created.id, changes: { name } });
  return created;
}

/** Changes what it shows, not where it stands. */
export async function replaceSettings(
  tx: Tx,
  caller: Caller,
  name: string,
  settings: ConsumerSettings,
): Promise<Consumer> {
  const before = await lockConsumer(tx, caller.workspaceId, name);
  const { types, filter } = settings;
  if (isDeepStrictEqual({ types, filter }, { types: before.types, filter: before.filter })) return before;
  const values = [caller.workspaceId, before.id, ...valuesOf(settings)];
  const [after] = await tx.query<Consumer>(updateStatement, values);
  const changes = { types: { from: before.types, to: types }, filter: { from: before.filter, to: filter } };
  await audit(tx, caller, { action: "consumer.updated", id: before.id, changes: { name, ...changes } });
  return after as Consumer;
}

export async function acknowledge(tx: Tx, workspaceId: number, name: string, position: number): Promise<Consumer> {
  const { id } = await lockConsumer(tx, workspaceId, name);
  await tx.query(acknowledgeStatement, [workspaceId, id, position]);
  return findConsumer(tx, workspaceId, name);
}

export async function resetConsumer(tx: Tx, caller: Caller, name: string, position: number): Promise<Consumer> {
  const before = await lockConsumer(tx, caller.workspaceId, name);
  const [after] = await tx.query<Consumer>(resetStatement, [caller.workspaceId, before.id, position]);
  const changes = { name, position: { from: before.position, to: position } };
  await audit(tx, caller, { action: "consumer.reset", id: before.id, changes });
  return after as Consumer;
}

export async function deleteConsumer(tx: Tx, caller: Caller, name: string): Promise<Consumer> {
  const consumer = await lockConsumer(tx, caller.workspaceId, name);
  await tx.query(deleteStatement, [caller.workspaceId, consumer.id]);
  await audit(tx, caller, { action: "consumer.deleted", id: consumer.id, changes: { name } });
  return consumer;
}

/** At most once a second: reading moves nothing, and should cost little. */
export const recordRead = (db: Queryable, workspaceId: number, id: number): Promise<unknown> =>
  db.query(readStatement, [workspaceId, id]);

async function lockConsumer(tx: Tx, workspaceId: number, name: string): Promise<Consumer> {
  const row = await queryNamed(tx, lockStatement, workspaceId, name);
  if (!row) throw notFound("consumer");
  return row;
}

const valuesOf = ({ types, filter, filterPath }: ConsumerSettings) => [
  types,
  filter === null ? null : JSON.stringify(filter),
  filterPath,
];
