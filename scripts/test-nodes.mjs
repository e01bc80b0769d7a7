import { runProof } from "./lib/proof.mjs";
import { runScript } from "./lib/root.mjs";

/** `npm run test:nodes`: several nodes on a real cluster (Patroni, etcd, HAProxy from Debian's packages). */
await runScript(() => runProof({ folder: "test/nodes" }));
