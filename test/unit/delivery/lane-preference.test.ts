import { describe, expect, it } from "vitest";
import { preferredWorker } from "../../../src/delivery/lanes/lane-preference.ts";

const lanes = Array.from({ length: 1_000 }, (_, i) => ({ workspaceId: 1, webhookId: i + 1 }));
const claimers = (workerIds: readonly number[]) => workerIds.map((workerId) => ({ workerId, concurrency: 64 }));
const preferences = (workerIds: readonly number[]) => lanes.map((lane) => preferredWorker(lane, claimers(workerIds)));

describe("the preferred worker of a lane", () => {
  it("is the same in whatever order the workers are listed", () => {
    expect(preferences([7, 8, 9])).toEqual(preferences([9, 7, 8]));
  });

  it("is none where there are no workers", () => {
    expect(preferredWorker({ workspaceId: 1, webhookId: 1 }, [])).toBeUndefined();
  });

  it("changes only for the lanes of a worker that leaves", () => {
    const before = preferences([7, 8, 9, 10]);
    const after = preferences([7, 8, 10]);
    const moved = lanes.filter((_, i) => before[i] !== after[i]);
    expect(moved).toEqual(lanes.filter((_, i) => before[i] === 9));
  });

  it("is one with a larger concurrency for more of the lanes", () => {
    const unequal = [
      { workerId: 7, concurrency: 1 },
      { workerId: 8, concurrency: 99 },
    ];
    const ofSmall = lanes.filter((lane) => preferredWorker(lane, unequal) === 7);
    expect(ofSmall.length).toBeGreaterThan(0);
    expect(ofSmall.length).toBeLessThan(30);
  });

  it.each([
    { case: "ids of cell 0", first: 1, step: 1 },
    { case: "ids of another cell", first: 2 ** 40 + 7, step: 1_024 },
  ])("divides the lanes evenly with $case", ({ first, step }) => {
    const workerIds = [101, 102, 103, 104, 105, 106, 107, 108];
    const counts = new Map<number | undefined, number>();
    for (let i = 0; i < 8_000; i++) {
      const worker = preferredWorker({ workspaceId: 1, webhookId: first + i * step }, claimers(workerIds));
      counts.set(worker, (counts.get(worker) ?? 0) + 1);
    }
    expect(Math.min(...counts.values())).toBeGreaterThan(800);
    expect(Math.max(...counts.values())).toBeLessThan(1_200);
  });
});
