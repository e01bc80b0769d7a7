/** The name of one day's log of deliveries, in SQL and in JavaScript. */
export const LOG_PARTITION = "^delivery_attempts_\\d{8}$";

/**
 * CTEs of a `with recursive` that end with `table_level (oid, name, level)`: all tables of the schema, partitions counted
 * as part of theirs. A table has a higher level than those that it refers to by a foreign key, so rows can be loaded in
 * the order of levels and deleted in the reverse order. From the catalogue, so that a new table is never forgotten.
 * A day of logs that retention has detached, and will drop, looks like a table of its own: it is left out.
 */
export const TABLE_LEVELS = `
  ours as (
    select oid, relname
    from pg_class
    where relnamespace = 'public'::regnamespace
      and relkind in ('r', 'p')
      and not relispartition
      and relname !~ '${LOG_PARTITION}'
  ),

  depth (oid, level) as (
    select oid, 0
    from ours

    union all

    select reference.conrelid, depth.level + 1
    from depth
    join pg_constraint reference
      on reference.confrelid = depth.oid
      and reference.contype = 'f'
      and reference.conrelid <> reference.confrelid
    where depth.level < 20
  ),

  table_level (oid, name, level) as (
    select ours.oid, ours.relname, max(depth.level)
    from ours
    join depth on depth.oid = ours.oid
    group by ours.oid, ours.relname
  )`;
