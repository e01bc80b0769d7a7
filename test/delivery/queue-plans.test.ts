import { afterAll, beforeAll, expect, it } from "vitest";
import { until } from "../support/wait.ts";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";

const WAITING = 20_000;
const MESSAGES = 15;
const TABLES = ["deliveries", "delivery_lanes", "events"];

let fixture: WebhookFixture;
beforeAll(async () => {
  fixture = await startWebhookFixture();
});
afterAll(() => fixture?.close());

const query = <T extends object>(text: string, values?: unknown[]) =>
  fixture.parley.database.query<T & Record<string, unknown>>(text, values);

/** How often each table's rows were looked up so far, and how many rows that read. */
async function reads(): Promise<Record<string, { scans: number; rows: number }>> {
  const rows = await query<{ name: string; scans: number; rows: number }>(
    `select relname as name, idx_scan::int as scans, (idx_tup_fetch + seq_tup_read)::int as rows
     from pg_stat_user_tables where relname = any($1)`,
    [TABLES],
  );
  return Object.fromEntries(rows.map(({ name, ...counts }) => [name, counts]));
}

it("a plan that was made while the queue was empty reads no more rows when it is full", async () => {
  const { workspace_id: workspace } = (
    await query<{ workspace_id: number }>("select id as workspace_id from workspaces")
  )[0] as {
    workspace_id: number;
  };
  const hook = await fixture.createWebhook({ events: ["message.created", "contact.created"] });
  const other = await fixture.createWebhook({ events: ["contact.deleted"] });
  // The message claims its delivery itself; that of the contact is claimed afterwards.
  async function write(): Promise<void> {
    await fixture.write();
    await until("the lane is idle", async () => (await fixture.queued(hook)).length === 0);
    const { status } = await fixture.parley.call("POST", "/contacts", { body: {} });
    expect(status).toBe(201);
    await until("the lane is idle", async () => (await fixture.queued(hook)).length === 0);
  }
  // Only this makes new plans in the meantime.
  for (const table of TABLES) await query(`alter table ${table} set (autovacuum_enabled = false)`);
  for (const table of TABLES) await query(`vacuum analyze ${table}`);
  for (let i = 1; i <= 3; i++) await write();
  // Lanes of webhooks that are not subscribed to it.
  await query("alter table delivery_lanes drop constraint delivery_lanes_workspace_id_webhook_id_fkey");
  await query(
    `insert into delivery_lanes (workspace_id, webhook_id) select $1, 1000 + n from generate_series(1, ${WAITING}) n`,
    [workspace],
  );
  await query(
    `with happened as (
       insert into events (workspace_id, uuid, type, payload)
       select $1, gen_random_uuid(), 'contact.deleted', '{}' from generate_series(1, ${WAITING}) returning id)
     insert into deliveries (workspace_id, webhook_id, event_id, next_attempt_at)
     select $1, $2, id, now() + interval '1 hour' from happened`,
    [workspace, other.id],
  );
  const before = await reads();
  for (let i = 0; i < MESSAGES; i++) await write();
  // A connection tells what it read a second after it has done so.
  const after = await until("the statistics are visible", async () => {
    const now = await reads();
    return (now.deliveries?.scans ?? 0) >= (before.deliveries?.scans ?? 0) + 3 * MESSAGES ? now : null;
  });
  for (const table of TABLES) {
    const rows = (after[table]?.rows ?? 0) - (before[table]?.rows ?? 0);
    expect(rows, `rows of ${table} read for ${MESSAGES} messages`).toBeLessThan(WAITING / 2);
  }
});

it("a delivery that is older than the last claim when it appears is still sent", async () => {
  const hook = await fixture.createWebhook({ events: ["contact.created"] });
  // Claimed after it was queued: a message would claim its delivery itself.
  await fixture.parley.call("POST", "/contacts", { body: {} });
  await fixture.waitForLogs(hook, 1);
  // As if its transaction had begun an hour ago.
  await query(
    `insert into deliveries (workspace_id, webhook_id, event_id, next_attempt_at)
     select workspace_id, $1, id, now() - interval '1 hour' from events where type = 'contact.created' order by id desc limit 1`,
    [hook.id],
  );
  await fixture.waitForLogs(hook, 2);
});

it("an event looks up each subscribed webhook once, in a table that was never analyzed", async () => {
  const SUBSCRIBED = 40;
  const EVENTS = 20;
  const rowsRead = async () =>
    (
      await query<{ rows: number }>(
        "select (idx_tup_fetch + seq_tup_read)::int as rows from pg_stat_user_tables where relname = 'webhooks'",
      )
    )[0]?.rows ?? 0;
  await query("alter table webhooks set (autovacuum_enabled = false)");
  for (let i = 0; i < SUBSCRIBED; i++) await fixture.createWebhook({ events: ["contact.created"] });
  await fixture.parley.call("POST", "/contacts", { body: { name: "the plan is made" } });
  const before = await rowsRead();
  for (let i = 0; i < EVENTS; i++) await fixture.parley.call("POST", "/contacts", { body: { name: `contact ${i}` } });
  const counted = await until("the statistics are visible", async () => {
    const rows = (await rowsRead()) - before;
    return rows >= SUBSCRIBED * EVENTS ? rows : null;
  });
  // The claims and the settings of the attempts read them too.
  expect(counted).toBeLessThan(SUBSCRIBED * EVENTS * 6);
});
