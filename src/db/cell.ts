import { type Database, type Queryable, sql, type Tx } from "./database.ts";

/**
 * A cell is one of several installations, each with its own database, that together look like one; a workspace is in
 * exactly one of them (docs/growing.md). Cell 0 counts 1, 2, 3 …; cell c from 1 to 1023 counts 2^40 + n × 1024 + c. Rows
 * of different cells therefore never have the same id, and all of them stay below 2^53, where JSON numbers are exact.
 */
export const CELL_IDS_FROM = 2 ** 40;
export const CELL_ID_STEP = 1024;

/**
 * The workspace of the operator: the oldest that was created in this cell and has not left it. One that moved here from
 * another cell may have a smaller id; it is a tenant's.
 */
export const FIRST_WORKSPACE = `
  select workspace.id
  from workspaces workspace
  cross join installation
  where workspace.move_state is distinct from 'moved'
    and not workspace.is_demo
  order by
    coalesce(installation.cell, 0) = 0
      or (workspace.id > ${CELL_IDS_FROM} and workspace.id % ${CELL_ID_STEP} = installation.cell) desc,
    workspace.id
  limit 1`;

const readStatement = sql("cell_read", "select cell from installation");
const lock = sql(
  "cell_lock",
  `select cell, exists (select from workspaces) as in_use
   from installation
   for update`,
);
const decide = sql("cell_decide", "update installation set cell = $1");
const sequencesOutside = sql(
  "cell_sequences",
  `select sequencename as name, last_value
   from pg_sequences
   where schemaname = 'public'
     and increment_by <> ${CELL_ID_STEP}`,
);

/** Null: the next start decides. */
export async function readDecidedCell(db: Queryable): Promise<number | null> {
  const [row] = await db.query<{ cell: number | null }>(readStatement);
  return row?.cell ?? null;
}

export const readCell = async (db: Queryable): Promise<number> => (await readDecidedCell(db)) ?? 0;

/** Decides the cell of a new database, and refuses another one later: ids that exist cannot be allocated again. */
export async function ensureCell(db: Database, wanted: number | null): Promise<number> {
  return db.transaction(async (tx) => {
    const [row] = await tx.query<{ cell: number | null; in_use: boolean }>(lock);
    const decided = row?.cell ?? (row?.in_use ? 0 : null);
    if (decided !== null && wanted !== null && wanted !== decided)
      throw new Error(
        `PARLEY_CELL is ${wanted}, but this database was set up as cell ${decided}, which cannot be changed: ` +
          `remove the setting (or set it to ${decided}), or use an empty database.`,
      );
    const cell = decided ?? wanted ?? 0;
    if (row?.cell !== cell) await tx.query(decide, [cell]);
    if (cell > 0) await moveSequences(tx, cell);
    return cell;
  });
}

/** Also those that a later migration or a restore has brought; what they have counted in this cell already stays. */
async function moveSequences(tx: Tx, cell: number): Promise<void> {
  for (const { name, last_value } of await tx.query<{ name: string; last_value: number | null }>(sequencesOutside)) {
    const first = CELL_IDS_FROM + cell;
    const restart = (last_value ?? 0) < CELL_IDS_FROM ? `restart with ${first}` : "";
    // Not prepared: a definition takes no parameters. The name is from the catalogue, the numbers are ours.
    await tx.query({
      name: "",
      text: `alter sequence "${name}" increment by ${CELL_ID_STEP} start with ${first} ${restart}`,
    });
  }
}
