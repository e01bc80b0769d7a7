import { expect, it } from "vitest";
import type { Queryable, Statement } from "../../src/db/database.ts";
import { claimDeliveries } from "../../src/queue/claim.ts";
import { discoverLanes } from "../../src/queue/discover.ts";
import { createFanOut } from "../../src/queue/fan-out.ts";
import { listHeld, release } from "../../src/queue/release.ts";
import { settle } from "../../src/queue/settle.ts";

/** The statements that the hot path runs, in its order. */
async function hotStatements(): Promise<Statement[]> {
  const seen: Statement[] = [];
  const recorder: Queryable = {
    async query(statement) {
      seen.push(statement);
      return [];
    },
  };
  await discoverLanes(recorder, { webhookConcurrency: 4, after: 0 });
  await claimDeliveries(recorder, { workerId: 1, webhookConcurrency: 1 }, []);
  await settle(recorder, [], { repeated: false });
  await release(recorder, []);
  await listHeld(recorder, 1);
  const names = { event: "event", subscriptions: "$2", isApiKeyEvent: "$3", apiKeyId: "event.api_key_id" };
  const claim = { workerId: "$4", claimToken: "$5", claimMax: "$6" };
  const fanOut = createFanOut(() => {});
  return [
    { name: "fan_out (a part of the statement that appends an event)", text: fanOut.sql({ ...names, claim: null }) },
    { name: "fan_out (the same, where idle webhooks are claimed at once)", text: fanOut.sql({ ...names, claim }) },
    ...seen,
  ];
}

it("docs/queue-statements.sql holds the complete text of the queue's hot statements (update it with `npx vitest -u`)", async () => {
  const parts = (await hotStatements()).map(({ name, text }) => `-- ${name}\n${text.trim()};\n`);
  const head =
    "-- The queue's hot statements as PostgreSQL gets them, written by test/docs/queue-statements.test.ts.\n";
  await expect([head, ...parts].join("\n")).toMatchFileSnapshot("../../docs/queue-statements.sql");
});
