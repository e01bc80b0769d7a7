import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, setUp } from "../support/browser.ts";
import { insertAttempts } from "../support/logged-attempts.ts";
import { startParley, type TestParley } from "../support/parley.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the response holds
type Any = any;

let parley: TestParley;
let owner: Browser;
let workspaceId: number;
beforeAll(async () => {
  parley = await startParley();
  owner = await setUp(parley);
  workspaceId = (await owner.call("GET", "/session")).body.data.workspace.id;
});
afterAll(() => parley.close());

const usage = async (query: string): Promise<Any> => {
  const reply = await owner.call("GET", `/usage?${query}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.body.data;
};

describe("GET /usage", () => {
  it("counts each response to a key, by kind, at once on the node that responds", async () => {
    const key = await parley.createKey({ rate_limit_tier: "low" });
    const narrow = await parley.createKey({ type: "limited", abilities: ["messages:read"] });
    for (const path of ["/me", "/me", "/api-keys/999999", "/api-keys?type=nonsense"])
      await parley.call("GET", path, { key: key.key });
    await parley.call("GET", "/api-keys", { key: narrow.key });
    await parley.call("GET", "/me", { key: `${key.key}x` });
    const data = await usage(`api_key_id=${key.id}`);
    expect(data).toMatchObject({ range: "24h", bucket: "hour", api_key_id: key.id });
    expect(data.totals).toEqual({ requests: 4, errors_4xx: 2, errors_5xx: 0 });
    expect(data.points).toHaveLength(24);
    expect((await usage(`api_key_id=${narrow.id}`)).totals).toEqual({ requests: 1, errors_4xx: 1, errors_5xx: 0 });
  });

  it("counts what the rate limit refused as well", async () => {
    const key = await parley.createKey({ rate_limit_tier: "low" });
    await Promise.all(Array.from({ length: 65 }, () => parley.call("GET", "/me", { key: key.key })));
    expect((await usage(`api_key_id=${key.id}`)).totals).toEqual({ requests: 65, errors_4xx: 5, errors_5xx: 0 });
  });

  it("equals SQL counts on seeded data, in every range, with a point for every step", async () => {
    const key = await parley.createKey();
    await parley.database.query(
      `insert into api_key_usage (workspace_id, api_key_id, hour, requests, errors_4xx, errors_5xx)
       select $1, $2, date_trunc('hour', now(), 'UTC') - make_interval(hours => h), 10 + h, h % 7, h % 3
       from generate_series(0, 2400) h where h % 5 <> 2`,
      [workspaceId, key.id],
    );
    for (const [range, bucket, steps] of [
      ["24h", "hour", 24],
      ["7d", "hour", 168],
      ["30d", "day", 30],
      ["90d", "day", 90],
    ] as const) {
      const data = await usage(`api_key_id=${key.id}&range=${range}`);
      expect(data.bucket).toBe(bucket);
      expect(data.points).toHaveLength(steps);
      const since = data.points[0].at;
      const [sum] = await parley.database.query<Any>(
        `select sum(requests)::int as requests, sum(errors_4xx)::int as errors_4xx, sum(errors_5xx)::int as errors_5xx
         from api_key_usage where api_key_id = $1 and hour >= $2::timestamptz`,
        [key.id, since],
      );
      expect(data.totals, range).toEqual(sum);
      const rows = await parley.database.query<Any>(
        `select to_char(date_trunc($2, hour, 'UTC') at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"') as at,
                sum(requests)::int as requests, sum(errors_4xx)::int as errors_4xx, sum(errors_5xx)::int as errors_5xx
         from api_key_usage where api_key_id = $1 and hour >= $3::timestamptz group by 1 order by 1`,
        [key.id, bucket, since],
      );
      expect(data.points.filter((point: Any) => point.requests > 0)).toEqual(rows);
      for (const point of data.points.filter((empty: Any) => empty.requests === 0))
        expect(point).toMatchObject({ errors_4xx: 0, errors_5xx: 0 });
      const step = bucket === "hour" ? 3_600_000 : 86_400_000;
      const times = data.points.map((point: Any) => Date.parse(point.at));
      expect(times.slice(1).every((at: number, index: number) => at - times[index] === step)).toBe(true);
      expect(Date.now() - times.at(-1)).toBeLessThan(step);
    }
  });

  it("without a key counts those of the whole workspace, and no other's", async () => {
    const other = await parley.createWorkspace();
    await parley.call("GET", "/me", { key: other.key });
    const { totals, api_key_id, points } = await usage("range=90d");
    expect(api_key_id).toBeNull();
    const [sum] = await parley.database.query<Any>(
      `select sum(requests)::int as requests, sum(errors_4xx)::int as errors_4xx, sum(errors_5xx)::int as errors_5xx
       from api_key_usage where workspace_id = $1 and hour >= $2::timestamptz`,
      [workspaceId, points[0].at],
    );
    expect(totals).toEqual(sum);
  });

  it("is written in batches, and at the latest when the server stops", async () => {
    const brief = await startParley({}, parley.database);
    const key = await parley.createKey();
    await brief.call("GET", "/me", { key: key.key });
    await brief.close();
    expect((await usage(`api_key_id=${key.id}`)).totals.requests).toBe(1);
  });

  it("refuses what it does not know", async () => {
    expect((await owner.call("GET", "/usage?api_key_id=999999999")).status).toBe(404);
    expect((await owner.call("GET", "/usage?range=1y")).status).toBe(422);
  });
});

describe("GET /webhook-health", () => {
  const create = async (name: string, key?: string): Promise<Any> => {
    const body = { name, url: "http://127.0.0.1:9/", events: ["message.created"] };
    return (await parley.call("POST", "/webhooks", { body, ...(key ? { key } : {}) })).body.data;
  };
  const health = async (query = ""): Promise<Any[]> => {
    const reply = await owner.call("GET", `/webhook-health${query}`);
    expect(reply.status, reply.text).toBe(200);
    return reply.body.data;
  };
  /** Attempts of the last two days, a few an hour; those of a multiple of `failing` hours fail. */
  const seed = (webhookId: number, failing: number) =>
    insertAttempts(
      parley.database,
      `insert into delivery_attempts (workspace_id, webhook_id, delivery_id, event_id, event_uuid, event_type, delivered,
         response_code, response_time_ms, attempt, error_message, next_attempt_at, detail, created_at)
       select $1, $2, h, h, gen_random_uuid(), 'message.created', h % $3 <> 0, case when h % $3 = 0 then 500 else 200 end, 5, 1,
         case when h % $3 = 0 then 'HTTP 500' end, case when h % $3 = 0 and h % 8 = 0 then now() end, '{}',
         now() - make_interval(hours => h / 3)
       from generate_series(0, 95) h
       where now() - make_interval(hours => h / 3) > date_trunc('day', now(), 'UTC') - interval '1 day' order by h desc`,
      [workspaceId, webhookId, failing],
    );

  it("equals SQL counts on seeded data, for each webhook and hour", async () => {
    const [quiet, busy, healthy] = [await create("quiet"), await create("busy"), await create("healthy")];
    await seed(busy.id, 4);
    await seed(healthy.id, 1_000);
    // A log row goes with its part of the rollup only when retention removes a whole day.
    await parley.database.query("delete from delivery_attempts where webhook_id = $1 and not delivered", [healthy.id]);
    for (const table of ["delivery_stats", "delivery_stat_deltas"])
      await parley.database.query(`delete from ${table} where webhook_id = $1 and not delivered`, [healthy.id]);
    const all = await health();
    expect(all.map((item) => item.webhook_id)).toEqual([healthy.id, busy.id, quiet.id]);
    for (const item of all) {
      expect(item.points).toHaveLength(24);
      const rows = await parley.database.query<Any>(
        `select to_char(date_trunc('hour', created_at, 'UTC') at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"') as at,
                count(*)::int as attempts, (count(*) filter (where delivered))::int as successes,
                (count(*) filter (where delivered))::int as delivered,
                (count(*) filter (where not delivered and next_attempt_at is null))::int as failed
         from delivery_attempts where webhook_id = $1 and created_at >= $2::timestamptz group by 1 order by 1`,
        [item.webhook_id, item.points[0].at],
      );
      expect(item.points.filter((point: Any) => point.attempts > 0)).toEqual(rows);
      expect(item.attempts).toBe(rows.reduce((sum, row) => sum + row.attempts, 0));
      for (const name of ["successes", "delivered", "failed"])
        expect(item[name]).toBe(rows.reduce((sum, row) => sum + row[name], 0));
    }
    expect(all[1]?.attempts).toBeGreaterThan(20);
    expect(all[1]?.failed).toBeLessThan(all[1]?.attempts - all[1]?.successes);
    expect(all[2]).toMatchObject({ name: "quiet", attempts: 0, successes: 0, is_active: true, last_failure: null });
    expect(all[0]?.last_failure).toBeNull();
    const [last] = await parley.database.query<Any>(
      "select max(id)::float8 as log_id from delivery_attempts where webhook_id = $1 and not delivered",
      [busy.id],
    );
    expect(all[1]?.last_failure).toMatchObject({ ...last, response_code: 500, error_message: "HTTP 500" });
    expect(all[1]?.last_failure.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    expect(await health(`?webhook_id=${busy.id}`)).toEqual([all[1]]);
  });

  it("shows a real failure, and nothing of another workspace", async () => {
    const webhook = await create("refused");
    await parley.call("POST", `/webhooks/${webhook.id}/test`);
    const [item] = await health(`?webhook_id=${webhook.id}`);
    const log = (await parley.call("GET", `/webhooks/${webhook.id}/logs`)).body.data[0];
    expect(item?.last_failure).toEqual({
      log_id: log.id,
      at: log.created_at,
      response_code: 0,
      error_message: log.error_message,
    });
    const other = await parley.createWorkspace();
    const foreign = await create("foreign", other.key);
    expect(await health(`?webhook_id=${foreign.id}`)).toEqual([]);
    expect((await health()).map((one) => one.name)).not.toContain("foreign");
  });
});
