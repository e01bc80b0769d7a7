import { expect, it, vi } from "vitest";
import { createLogger } from "../../../src/core/logger.ts";
import type { Database } from "../../../src/db/database.ts";
import { watchClock } from "../../../src/delivery/worker/clock-watch.ts";

it("housekeeping runs at once when the database's clock is set ahead by days, and not otherwise", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  let aheadMs = 0;
  let turns = 0;
  const query = async () => {
    turns += 1;
    return [{ ms: performance.now() + aheadMs }];
  };
  const onAhead = vi.fn();
  const db = { query } as unknown as Database;
  const logger = createLogger("silent", process.stderr);
  const watch = watchClock({ db, logger, schedule: [1], onAhead });
  try {
    await vi.advanceTimersByTimeAsync(20_000);
    expect(turns).toBeGreaterThan(3);
    expect(onAhead).not.toHaveBeenCalled();
    aheadMs = 40 * 86_400_000;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(onAhead).toHaveBeenCalledTimes(1);
  } finally {
    await watch.close();
    vi.useRealTimers();
  }
});
