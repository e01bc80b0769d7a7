import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** The plan that a connection keeps when it plans this for any values, as every statement of the product may. */
async function genericPlan(statement: string): Promise<string> {
  const rows = await database.query<{ plan: string }>(
    `select line as plan from explain_generic('${statement.replaceAll("'", "''")}') line`,
  );
  return rows.map(({ plan }) => plan).join("\n");
}

beforeAll(() =>
  database.query(`
    create function explain_generic(statement text) returns setof text language plpgsql as $$
    begin
      set local enable_seqscan = off;
      set local plan_cache_mode = force_generic_plan;
      execute 'prepare plan_of (bigint, bigint, timestamptz) as ' || statement;
      return query execute 'explain execute plan_of(1, 1, now())';
      deallocate plan_of;
    end $$`),
);

describe("an event in an empty table", () => {
  it("is found by its id through the primary key, although a younger index begins with the workspace", async () => {
    const plan = await genericPlan("select payload from events where workspace_id = $1 and id = $2");
    expect(plan).toContain("events_pkey");
    expect(plan).not.toContain("events_since");
  });

  it("is found by its time through the index on the time", async () => {
    expect(await genericPlan("select payload from events where workspace_id = $1 and created_at >= $3")).toContain(
      "events_since",
    );
  });
});

it("no index of conversations needs a column that every message changes", async () => {
  const changed = [
    "last_seq",
    "last_in_seq",
    "last_message_at",
    "waiting_since",
    "first_response_seconds",
    "updated_at",
  ];
  // Keys, expressions and conditions: a change of any of them writes to all indexes of the row.
  const found = await database.query<{ index: string; column: string }>(
    `select needs.objid::regclass::text as index, attribute.attname as column
     from pg_index
     join pg_depend needs
       on needs.objid = pg_index.indexrelid
       and needs.refobjid = pg_index.indrelid
     join pg_attribute attribute
       on attribute.attrelid = needs.refobjid
       and attribute.attnum = needs.refobjsubid
     where pg_index.indrelid = 'conversations'::regclass
       and attribute.attname = any($1)`,
    [changed],
  );
  expect(found).toEqual([]);
});

describe("the words of a text", () => {
  it("are separated by every punctuation character, also where it looks like an address or a number", async () => {
    const marks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
    const pairs = [...marks].flatMap((mark) => [...marks].map((other) => `ab${mark}cd${other}12`));
    const rows = await database.query<{ given: string }>(
      `select given
       from unnest($1::text[]) given
       where tsvector_to_array(search_terms(1, 1, given)) @> array['12', 'ab', 'cd'] is not true
         or cardinality(tsvector_to_array(search_terms(1, 1, given))) <> 6`,
      [
        [
          ...pairs,
          ...[...marks].map((mark) => `ab${mark}${mark}cd${mark}12${mark}`),
          "ab@cd.12",
          "~ab/cd?12",
          "<ab cd='12'>",
        ],
      ],
    );
    expect(rows).toEqual([]);
  });
});

describe("maintenance, which sees no schema but pg_catalog,", () => {
  it("builds the indexes of everything that can be searched, and collects statistics of its parts", async () => {
    await database.query(`
      with contact as (
        insert into contacts (workspace_id, uuid, name) values (1, gen_random_uuid(), 'Zoë') returning id),
      conversation as (
        insert into conversations (workspace_id, uuid, contact_id, subject, status, channel)
        select 1, gen_random_uuid(), id, 'Größe', 'open', 'api' from contact returning id)
      insert into messages (workspace_id, uuid, conversation_id, seq, direction, sender_type, body)
      select 1, gen_random_uuid(), id, 1, 'in', 'contact', 'café' from conversation`);
    const tables = ["contacts", "conversations", "messages"];
    const work = tables.map((name) => `reindex table public.${name}; analyze public.${name};`).join("");
    await database.query(`begin; set local search_path = pg_catalog; ${work} commit`);
    const [found] = await database.query<{ count: number }>(
      "select count(*)::int as count from pg_stats where tablename like '%_part'",
    );
    expect(found?.count).toBeGreaterThan(0);
  });
});

describe("the database refuses", () => {
  const cases: [name: string, constraint: string, statement: string][] = [
    [
      "a message from an unknown kind of sender",
      "message_sender_type_check",
      `insert into messages (workspace_id, uuid, conversation_id, seq, direction, sender_type, body)
       values (1, gen_random_uuid(), 1, 1, 'in', 'robot', '')`,
    ],
    [
      "an audit entry of an unknown kind of actor",
      "audit_logs_actor_type_check",
      `insert into audit_logs (workspace_id, uuid, actor_type, action, resource_type, resource_id)
       values (1, gen_random_uuid(), 'robot', 'a', 'b', 1)`,
    ],
    [
      "a stored response of an unknown kind of caller",
      "idempotency_keys_caller_type_check",
      `insert into idempotency_keys (workspace_id, caller_type, caller_id, route, idempotency_key, request_digest)
       values (1, 'robot', 1, '/', 'k', '')`,
    ],
    [
      "an API key digest that is not a SHA-256",
      "api_key_digests_digest_check",
      "insert into api_key_digests (digest, workspace_id, api_key_id) values ('\\x00', 1, 1)",
    ],
  ];
  for (const [name, constraint, statement] of cases)
    it(name, async () => {
      await expect(database.query(statement)).rejects.toMatchObject({ code: "23514", constraint });
    });
});
