import { defineConfig } from "vitest/config";

export default defineConfig({
  // Tests read the client's sources, as the type check does: no build is between an edit and its test.
  ssr: { resolve: { conditions: ["parley-source", "module", "node", "development|production"] } },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    pool: "forks",
    isolate: false,
    fileParallelism: true,
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    restoreMocks: true,
  },
});
