import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLaneRing } from "../../../src/delivery/lanes/lane-ring.ts";
import type { Lane } from "../../../src/queue/lane.ts";

const lane = (workspaceId: number, webhookId: number): Lane => ({ workspaceId, webhookId });
const names = (lanes: Lane[]) => lanes.map(({ workspaceId, webhookId }) => `${workspaceId}:${webhookId}`);

describe("the lane ring", () => {
  it("gives each lane once, however often it was added", () => {
    const ring = createLaneRing();
    for (let i = 0; i < 3; i++) ring.add(lane(1, 1));
    expect(ring.size).toBe(1);
    expect(names(ring.take(10))).toEqual(["1:1"]);
    expect(ring.take(10)).toEqual([]);
    expect(ring.size).toBe(0);
  });

  it("lets workspaces take turns, and webhooks within their workspace", () => {
    const ring = createLaneRing();
    for (const webhook of [1, 2, 3]) ring.add(lane(1, webhook));
    ring.add(lane(2, 9));
    ring.add(lane(3, 7));
    expect(names(ring.take(5))).toEqual(["1:1", "2:9", "3:7", "1:2", "1:3"]);
  });

  it("puts a lane that comes back behind those that wait", () => {
    const ring = createLaneRing();
    ring.add(lane(1, 1));
    ring.add(lane(1, 2));
    const [first] = ring.take(1);
    ring.add(first as Lane);
    expect(names(ring.take(2))).toEqual(["1:2", "1:1"]);
  });

  it("serves a quiet workspace within one round, next to one with ten thousand busy webhooks", () => {
    const ring = createLaneRing();
    for (let webhook = 1; webhook <= 10_000; webhook++) ring.add(lane(1, webhook));
    ring.take(1);
    ring.add(lane(2, 1));
    expect(names(ring.take(2))).toContain("2:1");
  });

  it("loses and duplicates nothing, whatever is added and taken", () => {
    const step = fc.oneof(
      fc.record({ add: fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 6 })) }),
      fc.record({ take: fc.integer({ min: 0, max: 8 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const ring = createLaneRing();
        const inside = new Set<string>();
        for (const done of steps) {
          if ("add" in done) {
            ring.add(lane(...done.add));
            inside.add(done.add.join(":"));
          } else
            for (const name of names(ring.take(done.take))) {
              expect(inside.delete(name)).toBe(true);
            }
          expect(ring.size).toBe(inside.size);
        }
        expect(new Set(names(ring.take(1_000)))).toEqual(inside);
      }),
    );
  });

  it("never lets a waiting workspace be passed twice by another", () => {
    const ids = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 50 }));
    fc.assert(
      fc.property(fc.uniqueArray(ids, { selector: String, maxLength: 60 }), (lanes) => {
        const ring = createLaneRing();
        for (const [workspace, webhook] of lanes) ring.add(lane(workspace, webhook));
        const left = new Map<number, number>();
        for (const [workspace] of lanes) left.set(workspace, (left.get(workspace) ?? 0) + 1);
        while (ring.size > 0) {
          const waiting = [...left].filter(([, count]) => count > 0).map(([workspace]) => workspace);
          const round = ring.take(waiting.length).map(({ workspaceId }) => workspaceId);
          expect(new Set(round)).toEqual(new Set(waiting));
          for (const workspace of round) left.set(workspace, (left.get(workspace) as number) - 1);
        }
      }),
    );
  });
});
