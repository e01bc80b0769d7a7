import { afterAll, beforeAll, expect, it } from "vitest";
import { createLogger } from "../../src/core/logger.ts";
import { createDatabase, type Database } from "../../src/db/database.ts";
import { createNotifications } from "../../src/db/notifications.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { until } from "../support/wait.ts";

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  const connection = { connectionString: database.url };
  db = createDatabase({ connection, poolSize: 2, logger: createLogger("silent"), applicationName: "test" });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

it("Channels that are opened one right after the other all receive, without a warning of the driver", async () => {
  const warnings: string[] = [];
  const remember = ({ message }: Error) => warnings.push(message);
  process.on("warning", remember);
  const connection = { connectionString: database.url };
  const notifications = createNotifications({ db, connection, logger: createLogger("silent") });
  const received = new Set<string>();
  const open = (channel: string) => notifications.open(channel, () => received.add(channel));
  const first = open("first");
  await until("it listens", () => first.isListening);
  for (const channel of ["second", "third", "fourth"]) open(channel);
  await until("all have received", async () => {
    for (const channel of ["first", "second", "third", "fourth"])
      await database.query("select pg_notify($1, 'another|message')", [channel]);
    return received.size === 4;
  });
  await notifications.close();
  process.off("warning", remember);
  expect(warnings).toEqual([]);
});
