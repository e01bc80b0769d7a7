import { newUuid, type Ref, refValues } from "../core/ids.ts";
import { FIRST_WORKSPACE } from "../db/cell.ts";
import { type Database, type Queryable, sql, type Tx } from "../db/database.ts";

export interface Workspace {
  id: number;
  uuid: string;
  name: string;
  created_at: string;
}

/** With where it is: null means here. */
export interface ListedWorkspace extends Workspace {
  move_state: "moving" | "moved" | null;
  moved_to_cell: number | null;
  is_demo: boolean;
}

const COLUMNS = "id, uuid, name, created_at";
const insertWorkspace = sql(
  "workspace_insert",
  `insert into workspaces (uuid, name) values ($1, $2) returning ${COLUMNS}`,
);
const listStatement = sql(
  "workspace_list",
  `select ${COLUMNS}, move_state, moved_to_cell, is_demo
   from workspaces
   order by id`,
);
const firstStatement = sql("workspace_first", `select ${COLUMNS} from workspaces where id = (${FIRST_WORKSPACE})`);
const findStatement = sql("workspace_find", `select ${COLUMNS} from workspaces where id = $1 or uuid = $2`);
const markStatement = sql("workspace_mark_demo", "update workspaces set is_demo = true where id = $1");
const findDemoStatement = sql("workspace_find_demo", `select ${COLUMNS} from workspaces where is_demo`);
const lockInstallation = sql("installation_lock", "select 1 from installation for update");

export async function createWorkspace(db: Queryable, name: string): Promise<Workspace> {
  const [row] = await db.query<Workspace>(insertWorkspace, [newUuid(), name]);
  return row as Workspace;
}

/** Marks a workspace as the demo; there is at most one. */
export const markAsDemo = (db: Queryable, id: number): Promise<unknown> => db.query(markStatement, [id]);

export async function findDemoWorkspace(db: Queryable): Promise<Workspace | null> {
  const [row] = await db.query<Workspace>(findDemoStatement);
  return row ?? null;
}

export const listWorkspaces = (db: Queryable): Promise<ListedWorkspace[]> => db.query<ListedWorkspace>(listStatement);

export const isHere = ({ move_state }: ListedWorkspace): boolean => move_state !== "moved";

export async function findWorkspace(db: Queryable, ref: Ref): Promise<Workspace | null> {
  const [row] = await db.query<Workspace>(findStatement, refValues(ref));
  return row ?? null;
}

/** There is always a first workspace; nodes that start at once agree on it. */
export async function ensureFirstWorkspace(db: Database): Promise<Workspace> {
  return db.transaction(async (tx: Tx) => {
    await tx.query(lockInstallation);
    const [first] = await tx.query<Workspace>(firstStatement);
    return first ?? createWorkspace(tx, "Default");
  });
}
