import type pg from "pg";
import { identifier } from "../db/identifier.ts";
import { copyRows } from "./copy-rows.ts";
import { type MovedTable, TABLES_OF_PEOPLE } from "./tables.ts";

/** Which id a person of the source has in the other cell, where that is another one. */
export type PeopleMap = ReadonlyMap<number, number>;

interface Person {
  readonly id: number;
  readonly email: string;
}

/** Every user that the workspace refers to: its members, and those who are assigned, have read or have invited. */
export async function listPeople(
  source: pg.Client,
  tables: readonly MovedTable[],
  workspaceId: number,
): Promise<Person[]> {
  const references = tables.flatMap(({ name, people }) =>
    people.map((column) => `select ${identifier(column)} from ${identifier(name)} where workspace_id = ${workspaceId}`),
  );
  const { rows } = await source.query<Person>(
    `select id, email from users where id in (${references.join(" union ")}) order by id`,
  );
  return rows;
}

/**
 * Copies the people whom the other cell does not know yet, with what they sign in with. A person who is known there, by
 * the same account, address or identity, is not changed, and the workspace refers to that account.
 */
export async function copyPeople(source: pg.Client, target: pg.Client, people: readonly Person[]): Promise<PeopleMap> {
  const ids = people.map(({ id }) => id);
  const identities = await source.query<{ issuer: string; subject: string; user_id: number }>(
    "select issuer, subject, user_id from user_identities where user_id = any($1::bigint[])",
    [ids],
  );
  const map = new Map<number, number>();
  const missing: number[] = [];
  for (const { id, email } of people) {
    const own = identities.rows.filter((row) => row.user_id === id);
    const { rows } = await target.query<Person>(
      `select u.id, u.email
       from users u
       where u.id = $1
         or u.email = $2
         or exists (
           select
           from user_identities i
           where i.user_id = u.id
             and (i.issuer, i.subject) in (select * from unnest($3::text[], $4::text[]))
         )
       order by u.id = $1 desc, u.email = $2 desc
       limit 1`,
      [id, email, own.map(({ issuer }) => issuer), own.map(({ subject }) => subject)],
    );
    const known = rows[0];
    if (!known) missing.push(id);
    else if (known.id !== id) map.set(id, known.id);
  }
  if (missing.length === 0) return map;
  for (const table of TABLES_OF_PEOPLE) {
    const column = table === "users" ? "id" : "user_id";
    await copyRows({ source, target, table, where: `${column} in (${missing.join(", ")})` });
  }
  return map;
}
