import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.ts";
import { atMost, patience } from "./test/support/proof.ts";

export default defineConfig({
  // Tests read the client's sources of this very checkout, as the type check does: no build is between an edit and its test.
  resolve: { alias: { "@parley/client": fileURLToPath(new URL("client/src/index.ts", import.meta.url)) } },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    pool: "forks",
    isolate: false,
    fileParallelism: true,
    // More than there are cores: most of a test's time it waits, for leases, retries and pages. A worker with its Chromium
    // takes about a gigabyte. One more keeps two processors wholly busy, and then tests wait for the machine. Fewer where the
    // bars are exact.
    maxWorkers: patience > 1 ? Math.min(8, 2 * availableParallelism()) : 3,
    sequence: { sequencer: LongestFirst },
    // They end what hangs. What a test waits for has a deadline of its own.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    restoreMocks: true,
    expect: { poll: { timeout: atMost(10_000) } },
  },
});
