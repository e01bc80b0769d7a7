import type { ClientBase } from "pg";
import { identifier } from "../db/identifier.ts";
import { TABLE_LEVELS } from "../db/table-levels.ts";

export interface TableShape {
  readonly name: string;
  readonly columns: readonly string[];
}

export interface PartitionShape {
  readonly name: string;
  readonly parent: string;
  /** As PostgreSQL writes it: `FOR VALUES FROM (…) TO (…)`. */
  readonly bound: string;
}

// Tables that others refer to come first, so that their rows can be loaded in this order. Generated columns are computed
// again. The record of migrations is in the head of the backup.
const TABLES = `
  with recursive ${TABLE_LEVELS}

  select
    table_level.name,
    (select array_agg(a.attname::text order by a.attnum)
     from pg_attribute a
     where a.attrelid = table_level.oid
       and a.attnum > 0
       and not a.attisdropped
       and a.attgenerated = '') as columns
  from table_level
  where table_level.name <> 'schema_migrations'
  order by table_level.level, table_level.name`;

const PARTITIONS = `
  select
    c.relname as name,
    p.relname as parent,
    pg_get_expr(c.relpartbound, c.oid) as bound
  from pg_class c
  join pg_inherits i on i.inhrelid = c.oid
  join pg_class p on p.oid = i.inhparent
  where c.relispartition
    and c.relkind = 'r'
    and c.relnamespace = 'public'::regnamespace
  order by c.relname`;

const SEQUENCES = `
  select relname as name
  from pg_class
  where relkind = 'S'
    and relnamespace = 'public'::regnamespace
  order by relname`;

export async function readTables(client: ClientBase): Promise<TableShape[]> {
  return (await client.query<TableShape>(TABLES)).rows;
}

export async function readPartitions(client: ClientBase): Promise<PartitionShape[]> {
  return (await client.query<PartitionShape>(PARTITIONS)).rows;
}

export interface SequenceValue {
  readonly name: string;
  readonly last_value: string;
  readonly is_called: boolean;
}

export async function readSequences(client: ClientBase): Promise<SequenceValue[]> {
  const { rows } = await client.query<{ name: string }>(SEQUENCES);
  const values: SequenceValue[] = [];
  for (const { name } of rows) {
    const { rows: found } = await client.query<Omit<SequenceValue, "name">>(
      `select last_value::text, is_called from ${identifier(name)}`,
    );
    if (found[0]) values.push({ name, ...found[0] });
  }
  return values;
}
