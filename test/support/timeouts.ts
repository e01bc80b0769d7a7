import { expect, vi } from "vitest";

// A real browser on a busy machine: a walk of many pages may take its time, and a hanging one is stopped by Playwright.
// vitest runs this before each test file. In a module that the files share it would apply only to the first file of each
// worker, because vitest resets the timeouts after each file and a worker runs a shared module once.
if (expect.getState().testPath?.includes("/test/browser/"))
  vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
