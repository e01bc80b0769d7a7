import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // Tests read the client's sources of this very checkout, as the type check does: no build is between an edit and its test.
  resolve: { alias: { "@parley/client": fileURLToPath(new URL("client/src/index.ts", import.meta.url)) } },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    setupFiles: ["test/support/timeouts.ts"],
    pool: "forks",
    isolate: false,
    fileParallelism: true,
    // More than there are cores: tests also wait, for leases, retries and pages.
    maxWorkers: 3,
    // test/support/timeouts.ts has those of the browser tests.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    // The default of one second is too short for a browser on a busy machine.
    expect: { poll: { timeout: 10_000 } },
  },
});
