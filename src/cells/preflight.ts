import type pg from "pg";
import { identifier } from "../db/identifier.ts";
import { type MovedTable, readMovedTables } from "./tables.ts";

/** The move cannot start or continue; the message says why and what to do. */
export class MoveRefusal extends Error {
  override readonly name = "MoveRefusal";
}

export interface MovePlan {
  readonly workspace: MovedWorkspace;
  readonly tables: readonly MovedTable[];
  /** The cell that it moves to. */
  readonly cell: number;
  /** An earlier run has copied everything already; only the source has not recorded it yet. */
  readonly hasArrived: boolean;
}

interface MovedWorkspace {
  readonly id: number;
  readonly uuid: string;
  readonly move_state: "moving" | "moved" | null;
  readonly moved_to_cell: number | null;
}

interface Installation {
  readonly cell: number | null;
  readonly secret_key_id: string | null;
  readonly schema: string;
}

const INSTALLATION = `
  select
    cell,
    secret_key_id,
    (select string_agg(version || ':' || checksum, ',' order by version) from schema_migrations) as schema
  from installation`;

const WORKSPACE = "select id, uuid, move_state, moved_to_cell from workspaces where id = $1";

/** Finds out whether the workspace can move, before anything is changed. */
export async function planMove(source: pg.Client, target: pg.Client, workspaceId: number): Promise<MovePlan> {
  const cell = await requireCompatible(source, target);
  const workspace = await findWorkspace(source, workspaceId);
  if (!workspace) throw new MoveRefusal(`There is no workspace ${workspaceId} here.`);
  if (workspace.move_state !== null && workspace.moved_to_cell !== cell)
    throw new MoveRefusal(
      `The workspace ${workspace.move_state === "moved" ? "has moved" : "is moving"} to cell ${workspace.moved_to_cell}, not to cell ${cell}.`,
    );
  const there = await findWorkspace(target, workspaceId);
  if (there?.move_state === "moved")
    throw new MoveRefusal(
      `Cell ${cell} still has rows that this workspace left behind when it moved. Run there first: ` +
        `node bin/parley.mjs workspaces clean ${workspaceId} --forget`,
    );
  if (there && (there.uuid !== workspace.uuid || workspace.move_state === null))
    throw new MoveRefusal(`Cell ${cell} has a workspace ${workspaceId} already.`);
  if (!there) await requireUnknownKeys(source, target, workspaceId);
  return { workspace, tables: await readMovedTables(source), cell, hasArrived: there !== null };
}

async function findWorkspace(client: pg.Client, id: number): Promise<MovedWorkspace | null> {
  return (await client.query<MovedWorkspace>(WORKSPACE, [id])).rows[0] ?? null;
}

/** Returns the cell of the target. */
async function requireCompatible(source: pg.Client, target: pg.Client): Promise<number> {
  const here = await readInstallation(source);
  const there = await readInstallation(target);
  if (there?.cell == null || there.secret_key_id === null)
    throw new MoveRefusal("The other database is not set up yet: start Parley with it and its PARLEY_CELL once.");
  if (there.cell === here?.cell)
    throw new MoveRefusal(`Both databases are cell ${there.cell}: their ids would collide.`);
  if (there.cell === 0)
    throw new MoveRefusal(
      "Cell 0 receives no workspaces: its ids are smaller than those of other cells, and lists and event cursors " +
        "follow the order of ids. Move it to a cell from 1 to 1023.",
    );
  if (there.schema !== here?.schema)
    throw new MoveRefusal("The cells run different versions of Parley. Upgrade both to the same one first.");
  if (there.secret_key_id !== here?.secret_key_id)
    throw new MoveRefusal(
      "The cells seal secrets with different keys. Give them the same PARLEY_SECRET_KEY first: in one of them set both " +
        "keys, that of the other cell first, and restart it.",
    );
  return there.cell;
}

async function readInstallation(client: pg.Client): Promise<Installation | null> {
  const { rows } = await client.query<{ present: boolean }>(
    "select to_regclass('public.installation') is not null as present",
  );
  return rows[0]?.present ? ((await client.query<Installation>(INSTALLATION)).rows[0] ?? null) : null;
}

async function requireUnknownKeys(source: pg.Client, target: pg.Client, workspaceId: number): Promise<void> {
  const { rows } = await source.query<{ digest: Buffer }>(
    "select digest from api_key_digests where workspace_id = $1",
    [workspaceId],
  );
  const known = await target.query("select from api_key_digests where digest = any($1::bytea[]) limit 1", [
    rows.map(({ digest }) => digest),
  ]);
  if (known.rows.length > 0)
    throw new MoveRefusal(
      "The other cell knows a key of this workspace already: both cells have the same PARLEY_BOOTSTRAP_API_KEY. " +
        "Give one of them another, or none.",
    );
}

/** How much there is to copy. */
export async function measure(
  source: pg.Client,
  { tables, workspace }: MovePlan,
): Promise<{ table: string; rows: number; bytes: number }[]> {
  const sizes: { table: string; rows: number; bytes: number }[] = [];
  for (const { name, workspaceColumn } of tables) {
    const { rows } = await source.query<{ rows: number; bytes: number }>(
      `select count(*) as rows, coalesce(sum(pg_column_size(t)), 0)::bigint as bytes
       from ${identifier(name)} t
       where ${identifier(workspaceColumn)} = $1`,
      [workspace.id],
    );
    const { rows: amount = 0, bytes = 0 } = rows[0] ?? {};
    if (amount > 0) sizes.push({ table: name, rows: amount, bytes });
  }
  return sizes;
}
