import type pg from "pg";
import { withClient } from "./client.ts";

/** What belongs to an extension stays: it may have been created by the owner of the database, for others too. */
const OURS = (catalogue: string, schema: string) =>
  `${schema} = current_schema()::regnamespace
   and not exists (select from pg_depend d where d.classid = '${catalogue}'::regclass and d.objid = o.oid and d.deptype = 'e')`;

/** Whether the schema holds no table, function or type of anybody. */
export const isSchemaEmpty = (connection: pg.ClientConfig): Promise<boolean> => withClient(named(connection), isEmpty);

/** Removes every table (with its own sequences), function and type. Only for a schema that was empty before they were created. */
export const emptySchema = (connection: pg.ClientConfig): Promise<void> => withClient(named(connection), dropAll);

const named = (connection: pg.ClientConfig): pg.ClientConfig => ({ ...connection, application_name: "parley-restore" });

async function isEmpty(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ empty: boolean }>(
    `select not exists (select from pg_class o where ${OURS("pg_class", "relnamespace")})
       and not exists (select from pg_proc o where ${OURS("pg_proc", "pronamespace")})
       and not exists (select from pg_type o where typtype = 'd' and ${OURS("pg_type", "typnamespace")}) as empty`,
  );
  return rows[0]?.empty ?? false;
}

async function dropAll(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ drop: string }>(
    `select format('drop %s if exists %s cascade', kind, name) as drop
     from (
       select case relkind when 'S' then 2 else 1 end as step,
         case relkind when 'S' then 'sequence' when 'v' then 'view' else 'table' end as kind,
         o.oid::regclass::text as name
       from pg_class o
       where relkind in ('r', 'p', 'v', 'S')
         and not relispartition
         and ${OURS("pg_class", "relnamespace")}
       union all
       select 3, 'routine', o.oid::regprocedure::text
       from pg_proc o
       where ${OURS("pg_proc", "pronamespace")}
       union all
       select 4, 'domain', o.oid::regtype::text
       from pg_type o
       where typtype = 'd'
         and ${OURS("pg_type", "typnamespace")}
     ) objects
     order by step`,
  );
  await client.query("begin");
  for (const { drop } of rows) await client.query(drop);
  await client.query("commit");
}
