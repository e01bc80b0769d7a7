import { runProof } from "./lib/proof.mjs";
import { runScript, say } from "./lib/root.mjs";
import { runSuites } from "./lib/suites.mjs";

/** What reads and writes ids most, once more in a cell whose ids do not fit into 32 bits. */
const IN_ANOTHER_CELL = [
  "test/api/alerts.test.ts",
  "test/api/cells.test.ts",
  "test/api/contacts.test.ts",
  "test/api/conversations.test.ts",
  "test/api/events.test.ts",
  "test/api/lists.test.ts",
  "test/api/messages.test.ts",
  "test/api/search.test.ts",
  "test/api/webhook-logs.test.ts",
  "test/api/webhooks-manage.test.ts",
];

/** `npm run test:nodes`: several nodes on a real cluster (Patroni, etcd, HAProxy from Debian's packages). */
await runScript(() => runProof({ folder: "test/nodes", after: runInAnotherCell }));

function runInAnotherCell() {
  say("Running suites of the API in cell 5 …");
  return runSuites(IN_ANOTHER_CELL, { env: { TEST_CELL: "5" } });
}
