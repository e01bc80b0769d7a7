import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLogger } from "../../src/core/logger.ts";
import { bigintArray, textArray } from "../../src/db/binary-arrays.ts";
import { createDatabase, type Database, sql } from "../../src/db/database.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { until } from "../support/wait.ts";

let database: TestDatabase;
let db: Database;
const open = (options: { queryMsMax?: number } = {}): Database =>
  createDatabase({
    connection: { connectionString: database.url },
    poolSize: 2,
    logger: createLogger("silent"),
    applicationName: "test",
    ...options,
  });
beforeAll(async () => {
  database = await createTestDatabase();
  db = open();
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

describe("arrays in binary", () => {
  const numbers = sql("echo_numbers", "select to_json($1::bigint[]) as echo");
  const texts = sql("echo_texts", "select to_json($1::text[]) as echo");

  it("carry every whole number and null", async () => {
    const item = fc.option(fc.maxSafeInteger());
    await fc.assert(
      fc.asyncProperty(fc.array(item), async (values) => {
        const [row] = await db.query<{ echo: unknown }>(numbers, [bigintArray(values)]);
        expect(row?.echo).toEqual(values);
      }),
    );
  });

  it("carry every text and null", async () => {
    const item = fc.option(fc.string({ unit: "binary" }).map((text) => text.replaceAll("\0", "")));
    await fc.assert(
      fc.asyncProperty(fc.array(item), async (values) => {
        const [row] = await db.query<{ echo: unknown }>(texts, [textArray(values)]);
        expect(row?.echo).toEqual(values);
      }),
    );
  });
});

describe("a transaction that waits for a lock for too long", () => {
  it("is rolled back, and its connection is used again", async () => {
    const one = createDatabase({
      connection: { connectionString: database.url },
      poolSize: 1,
      logger: createLogger("silent"),
      applicationName: "test",
    });
    const connectionId = sql("connection_id", "select pg_backend_pid() as pid");
    const shorten = sql("shorten_lock_wait", "select set_config('lock_timeout', '10ms', true)");
    const lock = sql("lock_one", "select pg_advisory_xact_lock(4711)");
    try {
      const before = await one.query(connectionId);
      await db.transaction(async (tx) => {
        await tx.query(lock);
        const waits = one.transaction(async (waiting) => {
          await waiting.query(shorten);
          await waiting.query(lock);
        });
        await expect(waits).rejects.toThrow("lock timeout");
      });
      expect(await one.query(connectionId)).toEqual(before);
    } finally {
      await one.close();
    }
  });
});

describe("a transaction that is canceled for its time limit", () => {
  const sleep = sql("", "select pg_sleep(10)");

  it("long before that limit, as when the clock is set ahead, is tried again", async () => {
    let tries = 0;
    const result = await db.transaction(async (tx) => {
      if (++tries > 1) return "done";
      // What the jump of a clock amounts to.
      await tx.query(sql("", "set local statement_timeout = 20"));
      return tx.query(sleep);
    });
    expect([result, tries]).toEqual(["done", 2]);
  });

  it("after its time is not tried again", async () => {
    const impatient = open({ queryMsMax: 400 });
    let tries = 0;
    const running = impatient.transaction((tx) => {
      tries++;
      return tx.query(sleep);
    });
    await expect(running).rejects.toThrow("The database did not finish this in time");
    expect(tries).toBe(1);
    await impatient.close();
  });

  it("by a person is not tried again", async () => {
    let tries = 0;
    const running = db.transaction((tx) => {
      tries++;
      return tx.query(sleep);
    });
    const refused = expect(running).rejects.toThrow("The database is not available.");
    const cancel = "select pg_cancel_backend(pid) from pg_stat_activity where query = $1 and state = 'active'";
    await until("it is canceled", async () => (await database.query(cancel, [sleep.text])).length > 0);
    await refused;
    expect(tries).toBe(1);
  });
});

describe("actions after a commit", () => {
  it("run only once it has committed", async () => {
    await database.query("create table late_check (id int unique deferrable initially deferred)");
    const insert = sql("late_check", "insert into late_check values (1)");
    let calls = 0;
    const write = (times: number) =>
      db.transaction(async (tx) => {
        tx.afterCommit(() => {
          calls++;
        });
        for (let i = 0; i < times; i++) await tx.query(insert);
      });
    await expect(write(2)).rejects.toThrow();
    expect(calls).toBe(0);
    await write(1);
    expect(calls).toBe(1);
  });

  const sendsFirst = (kind: "transaction" | "singleStatement") => async () => {
    const select = sql("", "select 1");
    const other = open();
    try {
      await other.query(select);
      const order: string[] = [];
      other.pool.once("acquire", () => order.push("query"));
      await db[kind](async (tx) => {
        await tx.query(select);
        tx.afterCommit(() => void other.query(select));
      });
      order.push("caller");
      expect(order).toEqual(["query", "caller"]);
    } finally {
      await other.close();
    }
  };
  it("have their queries sent before the caller of the transaction continues", sendsFirst("transaction"));
  it("have their queries sent before the caller of a single statement continues", sendsFirst("singleStatement"));
});

describe("a transaction of one statement", () => {
  const insert = sql("test_workspace", "insert into workspaces (uuid, name) values (gen_random_uuid(), $1)");
  const named = (name: string) => database.query("select 1 from workspaces where name = $1", [name]);

  it("commits by itself, then runs what waits for the commit", async () => {
    let seen = -1;
    const calls = await db.singleStatement(async (tx) => {
      await tx.query(insert, ["single"]);
      tx.afterCommit(() => {
        seen = 1;
      });
      return seen;
    });
    expect([calls, seen]).toEqual([-1, 1]);
    expect(await named("single")).toHaveLength(1);
  });

  it("refuses a second statement, and runs nothing after it", async () => {
    let calls = false;
    const two = db.singleStatement(async (tx) => {
      tx.afterCommit(() => {
        calls = true;
      });
      await tx.query(insert, ["first"]);
      await tx.query(insert, ["second"]);
    });
    await expect(two).rejects.toThrow("second one");
    expect(await named("second")).toEqual([]);
    expect(calls).toBe(false);
  });
});

describe("a transaction that may be left", () => {
  const one = sql("one", "select 1");
  const mayLeave = { mayLeave: true };

  it("takes no connection before its first statement, and none if it is left", async () => {
    const taken = () => db.pool.totalCount - db.pool.idleCount;
    await db.transaction(async (tx) => {
      await db.query(one);
      expect(taken()).toBe(0);
      expect(tx.leave()).toBe(true);
      expect(taken()).toBe(0);
    }, mayLeave);
    await db.transaction(async (tx) => {
      await tx.query(one);
      expect(taken()).toBe(1);
    }, mayLeave);
    expect(taken()).toBe(0);
  });

  it("is left only before its first statement, and only where its work is one change", async () => {
    await db.transaction(async (tx) => {
      expect(tx.leave()).toBe(false);
    });
    await db.transaction(async (tx) => {
      await tx.query(one);
      expect(tx.leave()).toBe(false);
    }, mayLeave);
  });

  it("refuses a statement after it was left", async () => {
    const left = db.transaction(async (tx) => {
      tx.leave();
      await tx.query(one);
    }, mayLeave);
    await expect(left).rejects.toThrow("A transaction that was left was given a statement.");
  });
});
