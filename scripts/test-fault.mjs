import { join } from "node:path";
import { runProof } from "./lib/proof.mjs";
import { root, runScript } from "./lib/root.mjs";
import { run } from "./lib/run.mjs";

/** `npm run test:fault`: the full form of the fault suite, and the isolation of workspaces and webhooks from each other. */
await runScript(() =>
  runProof({ folder: "test/fault", alongside: ["test/fault/held-snapshot.test.ts"], after: isolation }),
);

async function isolation() {
  const script = join(root, "bench", "isolation.mjs");
  const { code } = await run(process.execPath, [script], { show: true });
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}
