import { expect, it } from "vitest";
import { insertMessages, messageInput } from "../../src/conversations/message-insert.ts";
import { systemCaller } from "../../src/core/caller.ts";
import type { Statement, Tx } from "../../src/db/database.ts";
import { createOutbox } from "../../src/events/outbox.ts";
import { claimDeliveries } from "../../src/queue/claim.ts";
import { discoverLanes } from "../../src/queue/discover.ts";
import { createFanOut } from "../../src/queue/fan-out.ts";
import { listHeld, release } from "../../src/queue/release.ts";
import { settle } from "../../src/queue/settle.ts";

/** The statements that the hot path runs, in its order. */
async function hotStatements(): Promise<Statement[]> {
  const seen: Statement[] = [];
  const recorder: Tx = {
    async query(statement) {
      seen.push(statement);
      return [];
    },
    beforeCommit() {},
    afterCommit() {},
    isSingleStatement: true,
    leave: () => false,
  };
  await writeMessages(recorder);
  await discoverLanes(recorder, { webhookConcurrency: 4, after: 0 });
  await claimDeliveries(recorder, { workerId: 1, webhookConcurrency: 1 }, []);
  await settle(recorder, [], { repeated: false });
  await release(recorder, []);
  await listHeld(recorder, 1);
  return seen;
}

/** One message whose deliveries are claimed at once, and a batch of messages. */
async function writeMessages(tx: Tx): Promise<void> {
  const claim = { workerId: 1, claimToken: 1, claimMax: 1, returned: () => {} };
  const fanOut = { ...createFanOut(() => {}), beginEarlyClaim: () => claim };
  const outbox = createOutbox({ fanOut, onAppended: () => {} });
  const message = messageInput(systemCaller(1), { id: 1 }, { attachments: [] });
  await insertMessages(tx, outbox, [message]);
  await insertMessages(tx, outbox, [message], { lockWait: "short" });
}

/** The name and, where the code gives them names, the parameters. */
function headOf({ name, ...statement }: Statement): string {
  const names = "parameters" in statement ? (statement.parameters as string[]) : [];
  return [`-- ${name}`, ...names.map((parameter, index) => `--   $${index + 1} ${parameter}`)].join("\n");
}

it("docs/queue-statements.sql holds the whole text of the hot statements (`npx vitest -u` updates it)", async () => {
  const parts = (await hotStatements()).map((statement) => `${headOf(statement)}\n${statement.text.trim()};\n`);
  const head =
    "-- The hot statements of messages and deliveries as PostgreSQL gets them, written by test/docs/queue-statements.test.ts.\n";
  await expect([head, ...parts].join("\n")).toMatchFileSnapshot("../../docs/queue-statements.sql");
});
