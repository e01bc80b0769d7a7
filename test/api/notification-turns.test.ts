import { afterAll, beforeAll, expect, it } from "vitest";
import { startChannel } from "../../src/alerts/channel.ts";
import { createWorkspace } from "../../src/auth/workspaces.ts";
import { createLogger } from "../../src/core/logger.ts";
import { createDatabase, type Database } from "../../src/db/database.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { until } from "../support/wait.ts";

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase({
    connection: { connectionString: database.url },
    poolSize: 4,
    logger: createLogger("silent"),
    applicationName: "test",
  });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

it.each(["push", "slack"] as const)("%s messages of one workspace do not hold up those of another", async (channel) => {
  const { id: hostile } = await createWorkspace(db, "Hostile");
  const { id: quiet } = await createWorkspace(db, "Quiet");
  await database.query(
    `insert into notifications (uuid, workspace_id, channel, recipient, kind, content_sealed, expires_at)
     select gen_random_uuid(), workspace, $3, case when $3 = 'push' then host || '.example' end, 'test', '',
       now() + interval '1 hour'
     from (
       select $1::bigint as workspace, number as host
       from generate_series(1, 200) as number
       union all
       select $2, 0) message`,
    [hostile, quiet, channel],
  );
  const attempted: (number | null)[] = [];
  let release = () => {};
  const hanging = new Promise<void>((resolve) => {
    release = resolve;
  });
  const sending = startChannel({
    db,
    logger: createLogger("silent"),
    channel,
    prepare: async () => {},
    attempt: async ({ workspace_id }) => {
      attempted.push(workspace_id);
      if (workspace_id === hostile) await hanging;
    },
  });
  try {
    await until("that of the other workspace was sent", () => attempted.includes(quiet), { timeoutMs: 20_000 });
    expect(attempted.filter((id) => id === hostile).length).toBeLessThan(200);
  } finally {
    const closed = sending.close();
    release();
    await closed;
  }
});
