import type pg from "pg";
import { CELL_ID_STEP, CELL_IDS_FROM } from "../db/cell.ts";
import { identifier } from "../db/identifier.ts";
import type { MovedTable } from "./tables.ts";
import { inTransaction } from "./transaction.ts";

interface Counter {
  readonly sequence: string;
  readonly table: string;
  readonly column: string;
}

/** Sequences that belong to no column. */
const SHARED: readonly Counter[] = [
  { sequence: "delivery_attempt_seq", table: "delivery_attempts", column: "id" },
  { sequence: "event_position_seq", table: "event_positions", column: "position" },
];

const IDENTITIES = `
  select s.relname as sequence, t.relname as table, a.attname as column
  from pg_class s
  join pg_depend d on d.objid = s.oid and d.classid = 'pg_class'::regclass and d.deptype in ('i', 'a')
  join pg_class t on t.oid = d.refobjid
  join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
  where s.relkind = 'S'
    and s.relnamespace = 'public'::regnamespace`;

/**
 * Advances the sequences of the other cell beyond the ids of the workspace. Lists are in the order of ids, and a cursor of events
 * is a position: what is created after the move must come after what was there before.
 */
export async function advanceSequences(
  source: pg.Client,
  target: pg.Client,
  { tables, workspaceId, cell }: { tables: readonly MovedTable[]; workspaceId: number; cell: number },
): Promise<void> {
  const { rows } = await target.query<Counter>(IDENTITIES);
  for (const { sequence, table, column } of [...rows, ...SHARED]) {
    const moved = tables.find(({ name }) => name === table);
    if (moved?.workspaceColumn !== "workspace_id") continue;
    const { rows: found } = await source.query<{ highest: number | null }>(
      `select max(${identifier(column)}) as highest from ${identifier(table)} where workspace_id = $1`,
      [workspaceId],
    );
    const highest = found[0]?.highest ?? 0;
    if ((await lastValue(target, sequence)) < highest) await advance(target, sequence, nextAbove(highest, cell));
  }
}

/** The smallest id of the cell that is above this one. */
export function nextAbove(id: number, cell: number): number {
  const first = CELL_IDS_FROM + cell;
  return id < first ? first : first + (Math.floor((id - first) / CELL_ID_STEP) + 1) * CELL_ID_STEP;
}

async function lastValue(client: pg.Client, sequence: string): Promise<number> {
  const { rows } = await client.query<{ value: number }>(
    `select last_value - case when is_called then 0 else ${CELL_ID_STEP} end as value from ${identifier(sequence)}`,
  );
  return rows[0]?.value ?? 0;
}

/** Under the lock that `alter sequence` takes, because other sessions take values at the same time. */
const advance = (client: pg.Client, sequence: string, value: number): Promise<void> =>
  inTransaction(client, async () => {
    await client.query(`alter sequence ${identifier(sequence)} increment by ${CELL_ID_STEP}`);
    if ((await lastValue(client, sequence)) < value)
      await client.query(`alter sequence ${identifier(sequence)} restart with ${value}`);
  });
