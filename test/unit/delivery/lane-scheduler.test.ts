import { describe, expect, it } from "vitest";
import { createLaneScheduler } from "../../../src/delivery/lanes/lane-scheduler.ts";
import type { ClaimedDelivery, ClaimResult, PlannedLane } from "../../../src/queue/claim.ts";
import type { Lane } from "../../../src/queue/lane.ts";

const lane = (workspaceId: number, webhookId: number): Lane => ({ workspaceId, webhookId });
const claimsOf = (
  plan: readonly PlannedLane[],
  counts = plan.map(({ claimMax }) => claimMax),
  full: Lane[] = [],
): ClaimResult => ({
  deliveries: plan.flatMap(({ workspaceId, webhookId }, i) =>
    Array.from({ length: counts[i] ?? 0 }, () => ({ workspaceId, webhookId, readyAt: 100 }) as ClaimedDelivery),
  ),
  blockedIn: [],
  full,
});
const start = (slots: number, admits: (lane: Lane) => boolean = () => true) =>
  createLaneScheduler({ slots, admits, isOwn: () => true });
const startNextToOthers = (own: readonly number[]) =>
  createLaneScheduler({
    slots: 100,
    admits: () => true,
    isOwn: ({ webhookId }) => own.includes(webhookId),
  });
const ready = (webhookId: number, isOverdue: boolean) => ({ ...lane(1, webhookId), readyFrom: 0, isOverdue });

describe("the lane scheduler", () => {
  it("divides the free slots among the lanes that wait, and leaves some free", () => {
    const scheduler = start(100);
    scheduler.wake([lane(1, 1), lane(2, 2)]);
    expect(scheduler.plan().map(({ webhookId, claimMax }) => [webhookId, claimMax])).toEqual([
      [1, 47],
      [2, 47],
    ]);
    expect(scheduler.plan()).toEqual([]);
  });

  it("divides the share of a workspace equally among its lanes, also when it is less than the free slots", () => {
    const scheduler = start(100);
    scheduler.wake([1, 2, 3, 4].map((webhookId) => lane(1, webhookId)));
    // All of its share is 88 slots, and an equal part of the free slots would be 25.
    expect(scheduler.plan().map(({ claimMax }) => claimMax)).toEqual([22, 22, 22, 22]);
  });

  it("never fills the last slots with one workspace, and gives them to the next one", () => {
    const scheduler = start(16);
    scheduler.wake(Array.from({ length: 40 }, (_, i) => lane(1, i)));
    for (let plan = scheduler.plan(); plan.length > 0; plan = scheduler.plan()) scheduler.claimed(plan, claimsOf(plan));
    expect(scheduler.inFlight).toBe(14);
    scheduler.wake([lane(2, 100)]);
    expect(scheduler.plan()).toMatchObject([{ workspaceId: 2, webhookId: 100, claimMax: 2 }]);
  });

  it("reserves slots for deliveries that are being written, up to half of all", () => {
    const scheduler = start(10);
    expect([1, 2, 3].map((workspace) => scheduler.reserve(workspace, 4))).toEqual([4, 1, 0]);
    scheduler.endReservation(4, []);
    scheduler.wake([lane(1, 1)]);
    expect(scheduler.plan()).toMatchObject([{ webhookId: 1, claimMax: 8 }]);
  });

  it("reserves one slot in sixteen for a quiet workspace while lanes of another wait or are claimed from", () => {
    const scheduler = start(32);
    scheduler.wake([lane(1, 1)]);
    expect(scheduler.reserve(1, 4), "it has a lane that waits").toBe(0);
    expect(scheduler.reserve(2, 4)).toBe(2);
    expect(scheduler.reserve(3, 4), "those two are taken").toBe(0);
    scheduler.endReservation(2, []);
    const plan = scheduler.plan();
    expect(scheduler.reserve(1, 4), "it is claimed from").toBe(0);
    expect(scheduler.reserve(2, 4)).toBe(2);
    scheduler.endReservation(2, [{ ...lane(2, 2), readyAt: 100 } as ClaimedDelivery]);
    expect(scheduler.reserve(2, 4), "it has one in flight").toBe(0);
    scheduler.claimed(plan, claimsOf(plan));
    expect(scheduler.inFlight).toBe((plan[0]?.claimMax ?? 0) + 1);
  });

  it("reserves nothing that the claim in progress may take", () => {
    const scheduler = start(32);
    scheduler.wake([lane(1, 1), lane(2, 2), lane(3, 3), lane(4, 4)]);
    const claimMax = scheduler.plan().reduce((sum, planned) => sum + planned.claimMax, 0);
    scheduler.endReservation(
      0,
      Array.from({ length: 32 - claimMax }, () => ({ ...lane(5, 5), readyAt: 1 }) as ClaimedDelivery),
    );
    expect(scheduler.reserve(6, 4)).toBe(0);
  });

  it("counts reserved slots as taken, and what was claimed in them as in flight to its lane and workspace", () => {
    const scheduler = start(16);
    const reserved = scheduler.reserve(1, 4);
    expect(scheduler.inFlight, "nothing is in flight yet").toBe(0);
    scheduler.endReservation(reserved, [{ ...lane(1, 1), readyAt: 100 } as ClaimedDelivery]);
    expect(scheduler.inFlight).toBe(1);
    scheduler.wake([lane(1, 1)]);
    expect(scheduler.plan()).toMatchObject([{ webhookId: 1, claimMax: 13 }]);
    scheduler.ended(lane(1, 1));
    expect(scheduler.inFlight).toBe(0);
  });

  it("plans for a workspace that was at its share once one of its attempts has ended", () => {
    const scheduler = start(16);
    scheduler.wake(Array.from({ length: 40 }, (_, i) => lane(1, i)));
    const plan = scheduler.plan();
    scheduler.claimed(plan, claimsOf(plan));
    expect(scheduler.plan()).toEqual([]);
    scheduler.ended(plan[0] as Lane);
    expect(scheduler.plan()).toHaveLength(1);
  });

  it("gives a lane that brought as many as asked for its next turn, and one that brought fewer none", () => {
    const scheduler = start(8);
    scheduler.wake([lane(1, 1), lane(2, 2)]);
    const plan = scheduler.plan();
    scheduler.claimed(plan, claimsOf(plan, [plan[0]?.claimMax as number, 1]));
    expect(scheduler.plan().map(({ webhookId }) => webhookId)).toEqual([1]);
  });

  it("brings a lane with a full window back when one of its attempts has ended", () => {
    const scheduler = start(100);
    scheduler.wake([lane(1, 1)]);
    const plan = scheduler.plan();
    scheduler.claimed(plan, claimsOf(plan, [4], [lane(1, 1)]));
    expect(scheduler.plan()).toEqual([]);
    scheduler.ended(lane(1, 1));
    expect(scheduler.plan()).toHaveLength(1);
  });

  it("knows that the next delivery of a lane with a full window waits, and that of no other lane", () => {
    const scheduler = start(100);
    scheduler.wake([lane(1, 1), lane(1, 2)]);
    const plan = scheduler.plan();
    scheduler.claimed(plan, claimsOf(plan, [4, 4], [lane(1, 1)]));
    expect([scheduler.isWaitedFor(lane(1, 1)), scheduler.isWaitedFor(lane(1, 2))]).toEqual([true, false]);
    scheduler.ended(lane(1, 1));
    expect(scheduler.isWaitedFor(lane(1, 1))).toBe(false);
  });

  it("knows that every attempt is waited for while more than half of the slots are taken", () => {
    const scheduler = start(10);
    scheduler.wake([lane(1, 1)]);
    const plan = scheduler.plan();
    scheduler.claimed(plan, claimsOf(plan, [6]));
    expect(scheduler.isWaitedFor(lane(1, 1))).toBe(true);
    scheduler.ended(lane(1, 1));
    expect(scheduler.isWaitedFor(lane(1, 1))).toBe(false);
  });

  it("is not woken by new events for a lane whose window is full, until one of its attempts has ended", () => {
    const scheduler = start(100);
    scheduler.wake([lane(1, 1)]);
    const plan = scheduler.plan();
    scheduler.claimed(plan, claimsOf(plan, [2]));
    scheduler.wake([lane(1, 1)]);
    scheduler.claimed(scheduler.plan(), claimsOf([], [], [lane(1, 1)]));
    scheduler.wake([lane(1, 1)]);
    expect(scheduler.plan()).toEqual([]);
    scheduler.ended(lane(1, 1));
    expect(scheduler.plan()).toHaveLength(1);
  });

  it("plans again for a lane that got room while a claim found its window full", () => {
    const scheduler = start(100);
    scheduler.wake([lane(1, 1)]);
    const plan = scheduler.plan();
    scheduler.ended(lane(1, 1));
    scheduler.claimed(plan, claimsOf(plan, [0], [lane(1, 1)]));
    expect(scheduler.plan()).toHaveLength(1);
  });

  it("plans for a lane whose window other workers had filled once a discovery finds it ready", () => {
    const scheduler = start(100);
    scheduler.wake([lane(1, 1)]);
    const plan = scheduler.plan();
    scheduler.claimed(plan, claimsOf(plan, [0], [lane(1, 1)]));
    scheduler.wake([lane(1, 1)]);
    expect(scheduler.plan()).toEqual([]);
    scheduler.discovered([ready(1, false)]);
    expect(scheduler.plan()).toHaveLength(1);
  });

  it("leaves a lane out while its breaker is open, until a discovery finds it ready", () => {
    const scheduler = start(10);
    scheduler.markBreakerOpen(lane(1, 1), 60_000);
    scheduler.wake([lane(1, 1)]);
    expect(scheduler.plan()).toEqual([]);
    scheduler.discovered([ready(1, false)]);
    expect(scheduler.plan()).toHaveLength(1);
  });

  it("looks back no further than its last claim, but as far as a discovery says", () => {
    const scheduler = start(10);
    scheduler.wake([lane(1, 1)]);
    const plan = scheduler.plan();
    scheduler.claimed(plan, claimsOf(plan, [1]));
    scheduler.wake([lane(1, 1)]);
    expect(scheduler.plan()).toMatchObject([{ readyFrom: 99 }]);
    scheduler.discovered([{ ...ready(1, false), readyFrom: 50 }]);
    expect(scheduler.plan()).toMatchObject([{ readyFrom: 49 }]);
  });

  it("skips lanes to which nothing may be sent, without holding up the others", () => {
    const scheduler = start(10, ({ webhookId }) => webhookId !== 1);
    scheduler.wake([lane(1, 1), lane(1, 2)]);
    expect(scheduler.plan().map(({ webhookId }) => webhookId)).toEqual([2]);
    expect(scheduler.waiting).toBe(0);
  });

  it("leaves a discovered lane to its preferred worker until it is overdue", () => {
    const scheduler = startNextToOthers([1]);
    scheduler.discovered([ready(1, false), ready(2, false)]);
    expect(scheduler.plan().map(({ webhookId }) => webhookId)).toEqual([1]);
    expect(scheduler.plan()).toEqual([]);
    scheduler.discovered([ready(2, true)]);
    expect(scheduler.plan().map(({ webhookId }) => webhookId)).toEqual([2]);
  });

  it("plans for the lanes of other workers once none of its own is waiting", () => {
    const scheduler = startNextToOthers([1]);
    scheduler.discovered([ready(2, true), ready(1, false)]);
    expect(scheduler.plan().map(({ webhookId }) => webhookId)).toEqual([1]);
    expect(scheduler.plan().map(({ webhookId }) => webhookId)).toEqual([2]);
  });

  it("plans for an overdue lane of another worker even if its own lanes always have work", () => {
    const scheduler = startNextToOthers([1]);
    scheduler.discovered([ready(2, true)]);
    const planned = Array.from({ length: 20 }, () => {
      scheduler.wake([lane(1, 1)]);
      return scheduler.plan().map(({ webhookId }) => webhookId);
    });
    expect(planned).toContainEqual([2]);
  });

  it("plans for the lanes of other workers if nothing may be sent to its own", () => {
    const scheduler = createLaneScheduler({
      slots: 100,
      admits: ({ webhookId }) => webhookId !== 1,
      isOwn: ({ webhookId }) => webhookId === 1,
    });
    scheduler.discovered([ready(1, false), ready(2, true)]);
    expect(scheduler.plan().map(({ webhookId }) => webhookId)).toEqual([2]);
  });

  it("has no room for lanes of a workspace whose share is taken, until one of its attempts has ended", () => {
    const scheduler = start(16);
    scheduler.wake(Array.from({ length: 40 }, (_, i) => lane(1, i)));
    const plan = scheduler.plan();
    expect(scheduler.hasRoom(lane(1, 99))).toBe(true);
    scheduler.claimed(plan, claimsOf(plan));
    expect([lane(1, 99), lane(2, 100)].map(scheduler.hasRoom)).toEqual([false, true]);
    scheduler.ended(plan[0] as Lane);
    expect(scheduler.hasRoom(lane(1, 99))).toBe(true);
  });
});
