import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLogger } from "../../src/core/logger.ts";
import { createDatabase } from "../../src/db/database.ts";
import { runHousekeeping } from "../../src/delivery/worker/housekeeping.ts";
import { expireEvents } from "../../src/queue/cleanup.ts";
import { PLAN_BY_INDEX } from "../../src/store.ts";
import { insertAttempts } from "../support/logged-attempts.ts";
import { respondWith } from "../support/receiver.ts";
import { until } from "../support/wait.ts";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the response holds
type Any = any;

const RETENTION_DAYS = 30;

let fixture: WebhookFixture;
beforeAll(async () => {
  fixture = await startWebhookFixture({ PARLEY_RETRY_SCHEDULE: "3600" });
});
afterAll(() => fixture.close());

const query = (text: string, values: unknown[] = []) => fixture.parley.database.query<Any>(text, values);
const tidy = (days = RETENTION_DAYS) => runHousekeeping(fixture.parley.app.store.db, createLogger("silent"), days);

/** Gives a webhook logs of that age, as if they had been written then. */
async function addOldLogs(webhook: Any, daysAgo: number, count: number): Promise<void> {
  await query("select create_attempt_partition((now() at time zone 'utc')::date - $1::int)", [daysAgo]);
  await insertAttempts(
    fixture.parley.database,
    `insert into delivery_attempts (workspace_id, webhook_id, delivery_id, event_id, event_uuid, event_type, delivered,
       response_code, response_time_ms, attempt, detail, created_at)
     select workspace_id, id, 1, 1, uuid, 'message.created', true, 200, 1, 1, '{}', now() - make_interval(days => $2)
     from webhooks, generate_series(1, $3) where id = $1`,
    [webhook.id, daysAgo, count],
  );
  await query("update delivery_lanes set attempts_total = attempts_total + $2 where webhook_id = $1", [
    webhook.id,
    count,
  ]);
}

const partitions = async () =>
  (
    await query(
      "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'delivery_attempts'::regclass",
    )
  )
    .map(({ name }) => name as string)
    .sort();

/** The partition of that day, as its removal leaves it when it is interrupted after the detach. */
async function detachLogs(daysAgo: number): Promise<string> {
  const [row] = await query("select to_char((now() at time zone 'utc')::date - $1::int, 'YYYYMMDD') as day", [daysAgo]);
  const name = `delivery_attempts_${row.day}`;
  await query(`alter table delivery_attempts detach partition ${name}`);
  return name;
}

/** While `work` runs, another process reads this table in a transaction that does not end. */
async function whileRead(table: string, work: () => Promise<void>): Promise<void> {
  const reader = new pg.Client({ connectionString: fixture.parley.database.url });
  await reader.connect();
  try {
    await reader.query("begin transaction isolation level repeatable read, read only");
    await reader.query(`select count(*) from ${table}`);
    await work();
  } finally {
    await reader.end();
  }
}

/** Whether anybody waits for a lock on this table. */
const isAwaited = async (table: string): Promise<boolean> =>
  (await query("select from pg_locks where relation = to_regclass($1) and not granted", [table])).length > 0;

/** An event of that age to which nothing else refers. Returns its id. */
async function addOldEvent(daysAgo: number): Promise<number> {
  const [event] = await query(
    `insert into events (workspace_id, uuid, type, payload, created_at)
     select min(id), gen_random_uuid(), 'contact.created', '{}', now() - make_interval(days => $1) from workspaces
     returning id`,
    [daysAgo],
  );
  return event.id;
}

const isPresent = async (eventId: number): Promise<boolean> =>
  (await query("select from events where id = $1", [eventId])).length > 0;

describe("retention", () => {
  it("drops whole days of logs past it, and subtracts them from the total of the list", async () => {
    const webhook = await fixture.createWebhook();
    await addOldLogs(webhook, 40, 7);
    await addOldLogs(webhook, 32, 2);
    await addOldLogs(webhook, 29, 3);
    await fixture.write();
    await fixture.waitForLogs(webhook, 13);
    const before = await partitions();
    await tidy();
    const after = await partitions();
    expect(before.length - after.length).toBe(2);
    const { data, meta } = await fixture.logs(webhook);
    expect(data).toHaveLength(4);
    expect(meta.pagination.total).toBe(4);
    await tidy();
    expect(await partitions()).toEqual(after);
    expect((await fixture.logs(webhook)).meta.pagination.total).toBe(4);
  });

  it("keeps partitions a week ahead, and creates one that is missing when it is needed", async () => {
    await tidy();
    const [row] = await query("select to_char((now() at time zone 'utc')::date + 7, 'YYYYMMDD') as day");
    expect(await partitions()).toContain(`delivery_attempts_${row.day}`);
    const webhook = await fixture.createWebhook();
    const [today] = await query("select to_char((now() at time zone 'utc')::date, 'YYYYMMDD') as day");
    await query(`drop table delivery_attempts_${today.day}`);
    await fixture.write();
    const [log] = await fixture.waitForLogs(webhook, 1);
    expect(log.status).toBe("success");
    await query(`drop table delivery_attempts_${today.day}`);
    expect((await fixture.parley.call("POST", `/webhooks/${webhook.id}/test`)).body.data.success).toBe(true);
    expect((await fixture.logs(webhook)).data).toHaveLength(1);
  });

  it("creates a missing day of logs while the log is being read, and nobody has to wait", async () => {
    await tidy();
    const webhook = await fixture.createWebhook();
    const [today] = await query("select to_char((now() at time zone 'utc')::date, 'YYYYMMDD') as day");
    await query(`drop table delivery_attempts_${today.day}`);
    await whileRead("delivery_attempts", async () => {
      await fixture.write();
      const [log] = await fixture.waitForLogs(webhook, 1, "", 5_000);
      expect(log.status).toBe("success");
    });
  });

  it("gives a day that it creates the indexes and settings of the first ones", async () => {
    const shapes = await query(
      `select distinct
         c.reloptions,
         (
           select array_agg(definition order by definition)
           from pg_index i
           cross join lateral replace(pg_get_indexdef(i.indexrelid), c.relname, 'log') definition
           where i.indrelid = c.oid
         ) as indexes,
         (
           select array_agg(
             concat_ws(' ', a.attname, a.attnotnull, a.attstorage, pg_get_expr(d.adbin, d.adrelid)) order by a.attnum
           )
           from pg_attribute a
           left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
           where a.attrelid = c.oid
             and a.attnum > 0
         ) as columns
       from pg_class c
       join pg_inherits on inhrelid = c.oid
       where inhparent = 'delivery_attempts'::regclass`,
    );
    expect(shapes).toHaveLength(1);
    expect(shapes[0].indexes).toHaveLength(4);
  });

  it("leaves a day of logs that is being read for later, without holding up deliveries or other work", async () => {
    const webhook = await fixture.createWebhook();
    await addOldLogs(webhook, 35, 2);
    const name = await detachLogs(35);
    const event = await addOldEvent(31);
    await whileRead(name, async () => {
      let ended = false;
      const turn = tidy()
        .catch((error: Error) => error)
        .finally(() => {
          ended = true;
        });
      await until("it waits for the reader or has ended", async () => ended || (await isAwaited(name)));
      expect(
        await query("select from delivery_lanes where webhook_id = $1 for update nowait", [webhook.id]),
      ).toHaveLength(1);
      expect(await turn).toMatchObject({ message: expect.stringContaining("lock timeout") });
    });
    expect(await isPresent(event)).toBe(false);
    expect((await fixture.logs(webhook)).meta.pagination.total).toBe(2);
    await tidy();
    expect((await query("select to_regclass($1) as found", [name]))[0].found).toBe(null);
    expect((await fixture.logs(webhook)).meta.pagination.total).toBe(0);
  });

  it("deletes old events however many deliveries are waiting", async () => {
    const webhook = await fixture.createWebhook();
    await query(
      `insert into deliveries (workspace_id, webhook_id, event_id, next_attempt_at)
       select workspace_id, id, 1000000000 + n, 'infinity' from webhooks, generate_series(1, 60000) n where id = $1`,
      [webhook.id],
    );
    await query(
      `insert into events (workspace_id, uuid, type, payload, created_at)
       select workspace_id, gen_random_uuid(), 'contact.created', '{}', now() - interval '31 days'
       from webhooks, generate_series(1, 6000) where id = $1`,
      [webhook.id],
    );
    await query("analyze deliveries");
    // With this little memory, 60,000 deliveries are as many as 4 million are by default.
    const options = `${PLAN_BY_INDEX} -c work_mem=64kB`;
    const db = createDatabase({
      connection: { connectionString: fixture.parley.database.url, options },
      poolSize: 1,
      logger: createLogger("silent"),
      applicationName: "retention",
      queryMsMax: 3_000,
    });
    try {
      await expireEvents(db, RETENTION_DAYS);
    } finally {
      await db.close();
    }
    expect(await query("select from events where created_at < now() - interval '30 days' limit 1")).toEqual([]);
    await query("delete from deliveries where webhook_id = $1", [webhook.id]);
  });

  it("never deletes an event that is still to be delivered", async () => {
    const webhook = await fixture.createWebhook({ retry_count: 1 });
    fixture.receiver.behave(respondWith(500), webhook.path);
    const message = await fixture.write("still waiting");
    await fixture.waitForLogs(webhook, 1);
    const gone = await fixture.write("delivered long ago");
    await fixture.waitForLogs(webhook, 2);
    await query("delete from deliveries where event_id in (select id from events where position($1 in payload) > 0)", [
      gone.uuid,
    ]);
    await query("update events set created_at = now() - interval '31 days' where payload ~ $1", [
      `${message.uuid}|${gone.uuid}`,
    ]);
    await tidy();
    const left = await query("select payload from events where payload ~ $1", [`${message.uuid}|${gone.uuid}`]);
    expect(left).toHaveLength(1);
    fixture.receiver.behave(respondWith(200), webhook.path);
    await query("update deliveries set next_attempt_at = now() where webhook_id = $1", [webhook.id]);
    await fixture.waitForLogs(webhook, 1, "?status=success");
    expect(fixture.receiver.at(webhook.path).at(-1)?.event.data.body).toBe("still waiting");
  });
});

describe("deliveries without an active webhook", () => {
  it("queued while their webhook was being disabled are not sent, and can be recovered", async () => {
    const webhook = await fixture.createWebhook();
    await fixture.parley.call("POST", `/webhooks/${webhook.id}/disable`);
    await fixture.write("stray");
    await query(
      `insert into deliveries (workspace_id, webhook_id, event_id)
       select w.workspace_id, w.id, (select max(id) from events where type = 'message.created') from webhooks w where w.id = $1`,
      [webhook.id],
    );
    await tidy();
    expect(await fixture.queued(webhook)).toEqual([]);
    expect(fixture.receiver.at(webhook.path)).toEqual([]);
    await fixture.parley.call("POST", `/webhooks/${webhook.id}/enable`);
    const reply = await fixture.parley.call("POST", `/webhooks/${webhook.id}/recover`, {
      body: { since: webhook.created_at },
    });
    expect(reply.body.data.events).toBe(1);
    await fixture.receiver.waitFor(1, webhook.path);
  });

  it("that a worker has claimed stay until it has settled them, so that their lane counts them out", async () => {
    const webhook = await fixture.createWebhook();
    await fixture.parley.call("POST", `/webhooks/${webhook.id}/disable`);
    await fixture.write("claimed");
    await query(
      `insert into deliveries (workspace_id, webhook_id, event_id, worker_id, lease_token)
       select w.workspace_id, w.id, (select max(id) from events where type = 'message.created'), 987654, 1
       from webhooks w where w.id = $1`,
      [webhook.id],
    );
    await tidy();
    expect(await fixture.queued(webhook)).toHaveLength(1);
    await query("update deliveries set worker_id = null, lease_token = null where webhook_id = $1", [webhook.id]);
    await tidy();
    expect(await fixture.queued(webhook)).toEqual([]);
  });

  it("of a webhook that was deleted are removed", async () => {
    await query(
      "insert into deliveries (workspace_id, webhook_id, event_id) select workspace_id, 987654, max(id) from events group by 1",
    );
    await tidy();
    expect(await fixture.queued({ id: 987_654 })).toEqual([]);
  });
});
