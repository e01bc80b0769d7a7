import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { until } from "../support/wait.ts";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";

let fixture: WebhookFixture;
let holder: pg.Client;
let other: { id: number; key: string };

const GATE = 4_711;
/** Marks the rows of the backlog, whose change waits until the test lets it pass. */
const MARK = 77;

beforeAll(async () => {
  fixture = await startWebhookFixture();
  other = await fixture.parley.createWorkspace();
  holder = new pg.Client({ connectionString: fixture.parley.database.url });
  await holder.connect();
  await query(
    `create function wait_at_gate() returns trigger language plpgsql as $$
     begin
       perform pg_advisory_xact_lock(${GATE});
       return coalesce(new, old);
     end $$`,
  );
  await query(
    `create trigger gate before update or delete on deliveries
     for each row when (old.attempts_made = ${MARK})
     execute function wait_at_gate()`,
  );
});
afterAll(async () => {
  await holder?.end();
  await fixture?.close();
});

const query = (text: string, values?: unknown[]) => fixture.parley.database.query(text, values);

const isWaiting = async (): Promise<boolean> =>
  (await query("select 1 from pg_locks where locktype = 'advisory' and objid = $1 and not granted", [GATE])).length > 0;

it.each([
  ["is made ordered", { before: false, patch: { ordered: true } }],
  ["is no longer ordered", { before: true, patch: { ordered: false } }],
  ["gets another url and another order", { before: false, patch: { url: "http://127.0.0.1:9/", ordered: true } }],
  ["gets another url and is disabled", { before: false, patch: { url: "http://127.0.0.1:9/", is_active: false } }],
  ["is disabled while it is ordered", { before: true, patch: { is_active: false } }],
])("other workspaces get their events while a webhook with a long backlog %s", async (_what, { before, patch }) => {
  // A message would claim its delivery itself; that of a contact is claimed by the worker.
  const events = ["contact.created"];
  const hook = await fixture.createWebhook({ events, ordered: before });
  const quiet = await fixture.createWebhook({ events }, { key: other.key });
  await query(
    `with event as (
       insert into events (workspace_id, uuid, type, payload)
       select workspace_id, gen_random_uuid(), 'message.created', '{"data": {"conversation_id": 1}}'
       from webhooks
       where id = $1
       returning workspace_id, id)
     insert into deliveries (workspace_id, webhook_id, event_id, next_attempt_at, attempts_made, order_key)
     select workspace_id, $1, id, 'infinity', ${MARK}, $2
     from event`,
    [hook.id, before ? 1 : null],
  );
  await holder.query("select pg_advisory_lock($1)", [GATE]);
  const patching = fixture.parley.call("PATCH", `/webhooks/${hook.id}`, { body: patch });
  try {
    await until("the change waits in the middle of the backlog", isWaiting);
    await createContact(fixture.parley.key);
    await createContact(other.key);
    await fixture.receiver.waitFor(1, quiet.path);
    expect(await isWaiting()).toBe(true);
  } finally {
    await holder.query("select pg_advisory_unlock($1)", [GATE]);
  }
  expect((await patching).status).toBe(200);
  expect((await fixture.parley.call("DELETE", `/webhooks/${hook.id}`)).status).toBe(200);
});

async function createContact(key: string): Promise<void> {
  const reply = await fixture.parley.call("POST", "/contacts", { key, body: {} });
  expect(reply.status, reply.text).toBe(201);
}
