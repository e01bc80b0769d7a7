import { runProof } from "./lib/proof.mjs";
import { runScript } from "./lib/root.mjs";

/** `npm run test:security`: the full form of the attack suite. */
await runScript(() => runProof({ folder: "test/security" }));
