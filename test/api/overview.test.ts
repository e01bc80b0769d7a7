import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, setUp } from "../support/browser.ts";
import type { Any } from "../support/conversations.ts";
import { respondWith } from "../support/receiver.ts";
import { until } from "../support/wait.ts";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";

let fixture: WebhookFixture;
let owner: Browser;
let workspaceId: number;
const sql = <Row>(text: string, values: unknown[] = []) => fixture.parley.database.query<Row & Any>(text, values);
beforeAll(async () => {
  // What fails once is retried long after this test.
  fixture = await startWebhookFixture({ PARLEY_RETRY_SCHEDULE: "600" });
  owner = await setUp(fixture.parley);
  workspaceId = (await owner.call("GET", "/session")).body.data.workspace.id;
});
afterAll(() => fixture?.close());

const overview = async (range = "24h"): Promise<Any> => {
  const reply = await owner.call("GET", `/overview?range=${range}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.body.data;
};
const post = async (path: string, body: object, key?: string): Promise<Any> => {
  const { body: reply } = await fixture.parley.call("POST", path, { body, ...(key ? { key } : {}) });
  expect(reply.success, JSON.stringify(reply)).toBe(true);
  return reply.data;
};
const opened = (key?: string) =>
  post("/conversations", { message: { body: "Where is my order?", direction: "in" } }, key);
const write = (id: number, message: object = { body: "On its way." }) => post(`/conversations/${id}/messages`, message);
/** As if the contact had been waiting for this long. */
const waited = (id: number, seconds: number) =>
  sql("update conversations set waiting_since = now() - make_interval(secs => $2) where id = $1", [id, seconds]);

describe("the overview", () => {
  beforeAll(async () => {
    const good = await fixture.createWebhook({ events: ["message.created"] });
    const bad = await fixture.createWebhook({ events: ["message.created"], retry_count: 0 });
    const late = await fixture.createWebhook({ events: ["contact.created"], retry_count: 1 });
    fixture.receiver.behave(respondWith(500), bad.path);
    fixture.receiver.behave(respondWith(500), late.path);
    expect(good.id).toBeLessThan(bad.id);
    for (const seconds of [3, 40, 125, 4_017, 90_000]) {
      const { id } = await opened();
      await waited(id, seconds);
      await write(id, { body: "Only among us.", private: true });
      await write(id);
      await write(id, { body: "Anything else?" });
      await write(id, { body: "Thanks!", direction: "in" });
    }
    const proactive = await post("/conversations", { message: { body: "Your trial ends." } });
    await write(proactive.id, { body: "Does it?", direction: "in" });
    await write(proactive.id);
    // At once, so that they are written in batches.
    const busy = await opened();
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => write(busy.id, { body: "!", direction: n % 3 ? "in" : "out" })),
    );
    const quiet = await opened();
    await waited(quiet.id, 7_200);
    await sql("update conversations set last_message_at = now() - interval '2 hours' where id = $1", [quiet.id]);
    const impatient = await opened();
    await waited(impatient.id, 5_000);
    const other = await fixture.parley.createWorkspace();
    await opened(other.key);
    await until("only what is retried is unfinished", async () => {
      const rows = await sql<{ attempts: string }>(
        "select min(attempts_made) as attempts from deliveries having count(*) > 0",
      );
      return rows[0] !== undefined && Number(rows[0].attempts) > 0;
    });
  });

  it("shows what SQL counts on seeded data", async () => {
    const countRequests = () =>
      sql(
        `select sum(requests)::int as requests, sum(errors_4xx)::int as errors_4xx, sum(errors_5xx)::int as errors_5xx
         from api_key_usage where workspace_id = $1`,
        [workspaceId],
      );
    // They are written in the background, also between the two reads.
    const { shown, requests } = await until("no requests are counted meanwhile", async () => {
      const [before] = await countRequests();
      const shown = await overview();
      const [requests] = await countRequests();
      return isDeepStrictEqual(before, requests) ? { shown, requests } : undefined;
    });
    const { totals, conversations, first_response, backlog, points } = shown;
    const [messages] = await sql(
      `select (count(*) filter (where direction = 'in'))::int as received,
         (count(*) filter (where direction = 'out' and not private))::int as sent
       from messages where workspace_id = $1`,
      [workspaceId],
    );
    const [deliveries] = await sql(
      `select (count(distinct (webhook_id, event_id)) filter (where delivered))::int as delivered,
         (select count(*)::int from dead_letters where workspace_id = $1) as failed
       from delivery_attempts where workspace_id = $1`,
      [workspaceId],
    );
    expect(totals).toEqual({ ...messages, ...deliveries, ...requests });
    expect(deliveries.failed).toBeGreaterThan(40);
    const [counted] = await sql(
      `select count(*)::int as open, (count(*) filter (where waiting_since is not null))::int as waiting,
         (count(*) filter (where waiting_since < now() - interval '1 hour'))::int as long
       from conversations where workspace_id = $1 and status = 'open'`,
      [workspaceId],
    );
    expect(conversations).toEqual({
      open: counted.open,
      waiting: counted.waiting,
      waiting_over_an_hour: { count: counted.long, is_lower_bound: false },
    });
    expect(counted.long).toBe(2);
    const [responses] = await sql(
      `select count(*)::int as responses, two_digits(percentile_disc(0.5) within group (order by first_response_seconds)) as median
       from conversations where workspace_id = $1 and first_response_seconds is not null`,
      [workspaceId],
    );
    expect(first_response).toEqual({ responses: responses.responses, median_seconds: responses.median });
    // 3, 40, 125, 4,017 and 90,000 seconds, the proactive one and the busy one at once.
    expect(first_response).toEqual({ responses: 7, median_seconds: 40 });
    const [pending] = await sql("select count(*)::int as pending from deliveries where workspace_id = $1", [
      workspaceId,
    ]);
    expect(backlog).toEqual({ ...pending, overdue: 0, overdue_since: null });
    expect(points).toHaveLength(24);
    for (const name of ["received", "sent", "delivered", "failed", "requests"] as const)
      expect(points.reduce((sum: number, point: Any) => sum + point[name], 0)).toBe(totals[name]);
  });

  it("shows the same once the differences are folded", async () => {
    const before = await overview();
    await until("the differences are folded", async () => {
      const [left] = await sql("select count(*)::int as rows from conversation_stat_deltas");
      return left.rows === 0;
    });
    const { totals, first_response } = await overview();
    expect({ ...totals, requests: 0 }).toEqual({ ...before.totals, requests: 0 });
    expect(first_response).toEqual(before.first_response);
  });

  it("sums the hours of its period and no other, by day for 30 days", async () => {
    await sql(
      `insert into conversation_stats (workspace_id, hour, kind, seconds, amount)
       select $1, date_trunc('hour', now(), 'UTC') - make_interval(hours => h), 'received', 0, h
       from generate_series(1, 900) h`,
      [workspaceId],
    );
    for (const [range, bucket, steps] of [
      ["24h", "hour", 24],
      ["7d", "hour", 168],
      ["30d", "day", 30],
    ] as const) {
      const data = await overview(range);
      expect([data.bucket, data.points.length]).toEqual([bucket, steps]);
      const [sum] = await sql(
        `select sum(amount)::int as received from (
           select amount, hour, kind, workspace_id from conversation_stats
           union all
           select amount, hour, kind, workspace_id from conversation_stat_deltas) both_tables
         where workspace_id = $1 and kind = 'received' and hour >= $2::timestamptz`,
        [workspaceId, data.points[0].at],
      );
      expect(data.totals.received, range).toBe(sum.received);
    }
    expect((await owner.call("GET", "/overview?range=90d")).status).toBe(422);
  });

  it("names deliveries that should have been attempted more than a minute ago", async () => {
    await sql(
      "update deliveries set next_attempt_at = now() + interval '1 hour', worker_id = null, lease_token = null",
    );
    await sql(
      `insert into deliveries (workspace_id, webhook_id, event_id, next_attempt_at)
       select workspace_id, 999999, 1, now() - interval '5 minutes' from webhooks limit 1`,
    );
    const { backlog } = await overview();
    expect(backlog.overdue).toBe(1);
    expect(Date.now() - Date.parse(backlog.overdue_since)).toBeGreaterThan(299_000);
  });
});

it("the first steps of a team become done by what happens, and can be hidden for everybody", async () => {
  const { id: workspace } = (await owner.call("POST", "/workspaces", { name: "New" })).body.data;
  const call = async (method: string, path: string, body?: object): Promise<Any> => {
    const reply = await owner.call(method, path, body, { "x-parley-workspace": String(workspace) });
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.body.data;
  };
  const steps = () => call("GET", "/first-steps");
  const none = { invited: false, connected: false, received: false, replied: false, webhook: false, hidden: false };
  expect(await steps()).toEqual(none);
  const invitation = await call("POST", "/invitations", { email: "ida@example.com", role: "agent" });
  await call("DELETE", `/invitations/${invitation.id}`);
  await call("POST", "//api/v1/widgets", { name: "Shop", allowed_origins: ["https://shop.example"] });
  const message = { body: "Where is my order?", direction: "in" };
  const { id } = await call("POST", "//api/v1/conversations", { message });
  expect(await steps()).toEqual({ ...none, invited: true, connected: true, received: true });
  await call("POST", `//api/v1/conversations/${id}/messages`, { body: "On its way." });
  expect(await steps()).toMatchObject({ replied: true, webhook: false });
  const hidden = await call("PATCH", "/first-steps", { hidden: true });
  expect(hidden).toMatchObject({ hidden: true });
  expect(await steps()).toEqual(hidden);
  const [entry] = await call("GET", "//api/v1/audit-logs?action=workspace.updated");
  expect(entry.changes).toEqual({ first_steps_hidden: { from: false, to: true } });
});
