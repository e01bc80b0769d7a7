import { auditOf, changesBetween } from "../audit/audit.ts";
import type { Caller } from "../core/caller.ts";
import { forbidden, found, invalid } from "../core/errors.ts";
import { newUuid, type Ref, refValues } from "../core/ids.ts";
import { type Queryable, sql, type Tx } from "../db/database.ts";
import { requireQuota } from "../db/quota.ts";
import type { ConversationSort, ViewRecord } from "../resources/view.ts";

const audit = auditOf("view");

/** Null restores the default. */
interface ViewInput {
  name?: string | null | undefined;
  shared?: boolean | null | undefined;
  filters?: Record<string, unknown> | null | undefined;
  sort?: ConversationSort | null | undefined;
  position?: number | null | undefined;
}

const VIEWS_MAX = 100;
const VIEWS_PER_PERSON_MAX = 50;

const COLUMNS = `v.id, v.uuid, v.name, v.person_id is null as shared,
  json_build_object('type', v.owner_type, 'id', v.owner_id, 'name', v.owner_name) as owner,
  v.filters, v.sort, v.position, v.created_at, v.updated_at`;
// Those of other people are unknown; `$2` is null for an API key.
const VISIBLE = `from views v
   where v.workspace_id = $1
     and (v.person_id is null or v.person_id = $2)`;

const listStatement = sql(
  "view_list",
  `select ${COLUMNS}
   ${VISIBLE}
   order by v.position, v.id
   limit ${VIEWS_MAX}`,
);
const findStatement = sql("view_find", `select ${COLUMNS} ${VISIBLE} and (v.id = $3 or v.uuid = $4)`);
const lockStatement = sql("view_lock", `select ${COLUMNS} ${VISIBLE} and (v.id = $3 or v.uuid = $4) for update`);
const ownStatement = sql(
  "view_count_own",
  `select count(*) as used
   from views
   where workspace_id = $1
     and owner_type = 'user'
     and owner_id = $2`,
);
const lastStatement = sql(
  "view_last_position",
  "select coalesce(max(position), -1) as last from views where workspace_id = $1",
);
const insertStatement = sql(
  "view_insert",
  `insert into views as v (workspace_id, uuid, owner_type, owner_id, owner_name,
     name, person_id, filters, sort, position)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
   returning ${COLUMNS}`,
);
const updateStatement = sql(
  "view_update",
  `update views v
   set name = $3,
     person_id = $4,
     filters = $5,
     sort = $6,
     position = $7,
     updated_at = greatest(v.updated_at, now())
   where v.workspace_id = $1
     and v.id = $2
   returning ${COLUMNS}`,
);
const deleteStatement = sql("view_delete", "delete from views where workspace_id = $1 and id = $2");

const personOf = ({ actor }: Caller): number | null => (actor.type === "user" ? actor.id : null);
const scopeOf = (caller: Caller) => [caller.workspaceId, personOf(caller)];

/** Those that the caller sees, in their order. */
export const listViews = (db: Queryable, caller: Caller): Promise<ViewRecord[]> =>
  db.query<ViewRecord>(listStatement, scopeOf(caller));

export async function findView(db: Queryable, caller: Caller, ref: Ref): Promise<ViewRecord> {
  return found("view", await db.query<ViewRecord>(findStatement, [...scopeOf(caller), ...refValues(ref)]));
}

export async function findViewIfPresent(db: Queryable, caller: Caller, ref: Ref): Promise<ViewRecord | undefined> {
  return (await db.query<ViewRecord>(findStatement, [...scopeOf(caller), ...refValues(ref)]))[0];
}

export async function lockView(tx: Tx, caller: Caller, ref: Ref): Promise<ViewRecord> {
  return found("view", await tx.query<ViewRecord>(lockStatement, [...scopeOf(caller), ...refValues(ref)]));
}

export async function createView(tx: Tx, caller: Caller, input: ViewInput): Promise<ViewRecord> {
  const { workspaceId, actor } = caller;
  await requireQuota(tx, { workspaceId, collection: "views", max: VIEWS_MAX });
  await requireOwnQuota(tx, caller);
  const position = input.position ?? (await positionAtEnd(tx, workspaceId));
  const fields = { name: input.name, shared: input.shared ?? personOf(caller) === null, filters: input.filters ?? {} };
  const values = [...valuesOf({ ...fields, ownerId: actor.id }), input.sort ?? "created", position];
  const rows = await tx.query<ViewRecord>(insertStatement, [
    workspaceId,
    newUuid(),
    actor.type,
    actor.id,
    actor.name,
    ...values,
  ]);
  const view = found("view", rows);
  await audit(tx, caller, { action: "view.created", id: view.id, changes: { name: view.name } });
  return view;
}

/** Everybody changes a shared view; only its owner makes it private again. */
export async function patchView(tx: Tx, caller: Caller, ref: Ref, patch: ViewInput): Promise<ViewRecord> {
  const { workspaceId } = caller;
  const before = await lockView(tx, caller, ref);
  const next = {
    name: patch.name ?? before.name,
    shared: patched(patch.shared, before.shared, before.owner.type !== "user"),
    filters: patched(patch.filters, before.filters, {}),
    sort: patched(patch.sort, before.sort, "created"),
    position:
      patch.position === null ? await positionAtEnd(tx, workspaceId) : patched(patch.position, before.position, 0),
  };
  const changes = changesBetween(before, next);
  if (Object.keys(changes).length === 0) return before;
  if (before.shared && !next.shared) requireOwner(caller, before);
  const values = [...valuesOf({ ...next, ownerId: before.owner.id }), next.sort, next.position];
  const after = found("view", await tx.query<ViewRecord>(updateStatement, [workspaceId, before.id, ...values]));
  await audit(tx, caller, { action: "view.updated", id: before.id, changes });
  return after;
}

export async function deleteView(tx: Tx, caller: Caller, ref: Ref): Promise<ViewRecord> {
  const view = await lockView(tx, caller, ref);
  await tx.query(deleteStatement, [caller.workspaceId, view.id]);
  await audit(tx, caller, { action: "view.deleted", id: view.id, changes: { name: view.name } });
  return view;
}

const patched = <T>(given: T | null | undefined, before: T, byDefault: T): T =>
  given === undefined ? before : (given ?? byDefault);

function requireOwner(caller: Caller, { owner }: ViewRecord): void {
  if (owner.type !== "user" || owner.id !== personOf(caller))
    throw forbidden("Only the person who owns this view can make it private.");
}

async function requireOwnQuota(tx: Tx, caller: Caller): Promise<void> {
  const personId = personOf(caller);
  if (personId === null) return;
  const [row] = await tx.query<{ used: number }>(ownStatement, [caller.workspaceId, personId]);
  if ((row?.used ?? 0) >= VIEWS_PER_PERSON_MAX)
    throw invalid({ views: [`A person can have at most ${VIEWS_PER_PERSON_MAX} views.`] });
}

async function positionAtEnd(tx: Tx, workspaceId: number): Promise<number> {
  const [row] = await tx.query<{ last: number }>(lastStatement, [workspaceId]);
  return (row?.last ?? -1) + 1;
}

interface StoredFields {
  name: string | null | undefined;
  shared: boolean;
  filters: Record<string, unknown>;
  ownerId: number | null;
}

const valuesOf = ({ name, shared, filters, ownerId }: StoredFields): unknown[] => [
  name,
  shared ? null : ownerId,
  JSON.stringify(filters),
];
