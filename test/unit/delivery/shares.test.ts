import { describe, expect, it } from "vitest";
import { workspaceRoom } from "../../../src/delivery/lanes/shares.ts";

const SLOTS = 1_024;

/** Workspaces that take whatever they may, in turns, and never end anything. */
function greedy(workspaces: number): number[] {
  const held = Array<number>(workspaces).fill(0);
  const inFlight = () => held.reduce((sum, count) => sum + count, 0);
  for (let idle = 0; idle < workspaces; ) {
    idle = 0;
    for (let i = 0; i < workspaces; i++) {
      if (workspaceRoom(SLOTS, inFlight(), held[i] as number) > 0) held[i] = (held[i] as number) + 1;
      else idle++;
    }
  }
  return held;
}

describe("the share of a workspace", () => {
  it("lets a lone workspace use seven eighths of the slots and keeps the rest free", () => {
    expect(greedy(1)).toEqual([(SLOTS * 7) / 8]);
  });

  it("is equal among greedy workspaces, and always leaves slots free for another", () => {
    for (const workspaces of [2, 4, 16]) {
      const held = greedy(workspaces);
      expect(Math.max(...held) - Math.min(...held)).toBeLessThanOrEqual(1);
      const free = SLOTS - held.reduce((sum, count) => sum + count, 0);
      expect(free).toBeGreaterThan(0);
      expect(workspaceRoom(SLOTS, SLOTS - free, 0)).toBeGreaterThan(0);
    }
  });

  it("admits one attempt where there is only one slot", () => {
    expect(workspaceRoom(1, 0, 0)).toBe(1);
    expect(workspaceRoom(1, 1, 1)).toBe(0);
  });
});
