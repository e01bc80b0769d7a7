import { afterAll, beforeAll, expect, it } from "vitest";
import { startParley, type TestParley } from "../support/parley.ts";
import { forKeys, goodBodyOf, goodMailOf, nameOf, ownPath, probe, uploadHeadersOf } from "../support/route-walk.ts";

/** Values that can be found again wherever they were written. */
const UUID = "deadbeef-dead-4ead-8ead-deadbeefdead";
const TIME = "2001-02-03T04:05:06+00:00";
const NUMBER = 424_242_424;
const TEXT = "planted-by-the-client";
const TRACES = [UUID, "2001-02-03", String(NUMBER), TEXT];

/** What no client may set: identity, tenancy, history, secrets and what the server counts for itself. */
const PLANTED = {
  id: NUMBER,
  uuid: UUID,
  workspace_id: NUMBER,
  workspace: { id: NUMBER, uuid: UUID },
  created_at: TIME,
  updated_at: TIME,
  deleted_at: TIME,
  revoked_at: TIME,
  rotated_at: TIME,
  last_used_at: TIME,
  last_message_at: TIME,
  disabled_at: TIME,
  disabled_reason: TEXT,
  secret: `whsec_${TEXT}`,
  secrets: [`whsec_${TEXT}`],
  key: TEXT,
  token: TEXT,
  digest: TEXT,
  key_digest: TEXT,
  created_by_api_key_id: NUMBER,
  api_key_id: NUMBER,
  conversation_id: NUMBER,
  seq: NUMBER,
  version: NUMBER,
  sender: { type: "system", id: NUMBER, name: TEXT },
  actor: { type: "system", id: NUMBER, name: TEXT },
  scopes: [TEXT],
  failing_since: TIME,
  success: false,
};

/** The same inside the fields that are objects of their own. */
const NESTED: Record<string, object> = {
  "POST /conversations": { contact: { name: "good", ...PLANTED }, message: { body: "good", ...PLANTED } },
  "POST /conversations/{conversation}/messages": {
    body: "good",
    attachments: [{ url: "https://example.com/file", ...PLANTED, name: "file" }],
  },
};

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley({ PARLEY_RETRY_SCHEDULE: "3600" });
});
afterAll(() => parley.close());

/** All of a mail is the client's to set: what it may not set goes next to it. */
const inQuery = (fields: object): string =>
  new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  ).toString();

/** Every row of every table that holds this text. */
async function rowsWith(pattern: string): Promise<string[]> {
  const tables = await parley.database.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const text = `select t::text as row from "${name}" t where t::text ~ $1`;
    const rows = await parley.database.query<{ row: string }>(text, [pattern]);
    found.push(...rows.map(({ row }) => `${name}: ${row}`));
  }
  return found;
}

it("a field that a client may set is found in the database, so that one it may not set would be too", async () => {
  await parley.call("POST", "/contacts", { body: { name: "set-by-the-client" } });
  const tables = (await rowsWith("set-by-the-client")).map((row) => row.split(":")[0]);
  expect(tables).toEqual(expect.arrayContaining(["contacts", "events"]));
});

it("no route stores or echoes a field that is not the client's to set", async () => {
  for (const spec of parley.app.server.routes.filter(forKeys)) {
    if (spec.method === "GET") continue;
    const good = goodBodyOf(spec) ?? {};
    for (const body of [{ ...PLANTED, ...good }, NESTED[nameOf(spec)]]) {
      if (!body) continue;
      const path = await ownPath(parley.url, spec, parley.key);
      const mail = goodMailOf(spec);
      const headers = uploadHeadersOf(spec);
      const send = (fields: object) =>
        mail === undefined
          ? probe(parley.url, spec, path, parley.key, { body: fields, headers })
          : probe(parley.url, spec, `${path}?${inQuery(fields)}`, parley.key, { body: mail, headers });
      const first = await send(body);
      const refused = spec.method === "PATCH" && first.status === 422 ? first.body.error.details : {};
      // A known field that cannot be changed is refused by name; without those the request goes through.
      for (const messages of Object.values<string[]>(refused)) expect(messages[0]).toMatch(/cannot be changed\.$/);
      const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !(name in refused)));
      const reply = Object.keys(refused).length > 0 ? await send(rest) : first;
      // Unknown fields are ignored: the rest of the request succeeds.
      expect(reply.status, `${nameOf(spec)}: ${reply.text}`).toBe(spec.success.status);
      for (const trace of TRACES) expect(reply.text, nameOf(spec)).not.toContain(trace);
    }
  }
  expect(await rowsWith(TRACES.join("|"))).toEqual([]);
});

it("the fields about a record's own state cannot be set when it is created", async () => {
  const webhook = { name: "n", url: "http://127.0.0.1:9/", events: ["message.created"] };
  const made = async (path: string, body: object) => (await parley.call("POST", path, { body })).body.data;
  expect((await made("/api-keys", { name: "n", is_active: false })).is_active).toBe(true);
  expect(await made("/webhooks", { ...webhook, disabled_reason: TEXT })).toMatchObject({ disabled_reason: null });
});

it("a key of one workspace cannot write into another by naming it", async () => {
  const other = await parley.createWorkspace();
  const counts = async () =>
    parley.database.query("select (select count(*) from contacts where workspace_id = $1) as contacts", [other.id]);
  const before = await counts();
  for (const body of [{ workspace_id: other.id }, { workspace: other.id }, { workspace: { id: other.id } }])
    for (const headers of [{}, { "x-parley-workspace": String(other.id) }])
      expect((await parley.call("POST", "/contacts", { body, headers })).status).toBe(201);
  expect(await counts()).toEqual(before);
});
