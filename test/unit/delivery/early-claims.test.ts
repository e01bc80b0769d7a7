import { describe, expect, it, vi } from "vitest";
import { QUERY_MS_MAX } from "../../../src/db/database.ts";
import { createLaneScheduler } from "../../../src/delivery/lanes/lane-scheduler.ts";
import { createEarlyClaims } from "../../../src/delivery/pump/early-claims.ts";
import type { WorkerLease } from "../../../src/delivery/worker/worker-lease.ts";
import type { EarlyClaim } from "../../../src/events/outbox.ts";
import type { ClaimedDelivery } from "../../../src/queue/claim.ts";
import { until } from "../../support/wait.ts";

const claimed = (deliveryId: number) => ({ workspaceId: 1, webhookId: 1, deliveryId }) as ClaimedDelivery;

function start({ workers = 1, isLate = false, mayBegin = true, slots = 100 } = {}) {
  const calls: unknown[] = [];
  const lease = {
    workerId: 7,
    workers,
    heartbeatIsLate: () => isLate,
    hold: (claims: readonly ClaimedDelivery[]) => calls.push(["hold", claims.length]),
    reconcileSoon: () => calls.push("reconcile soon"),
  } as unknown as WorkerLease;
  const scheduler = createLaneScheduler({ slots, admits: () => true, isOwn: () => true });
  const early = createEarlyClaims({
    scheduler,
    lease: () => lease,
    mayBegin: () => mayBegin,
    onClaimed: (claims, claimedBy) => calls.push(["start", claims.length, claimedBy]),
    onEnded: () => calls.push("ended"),
  });
  return {
    early,
    scheduler,
    calls,
    begin: (workspaceId = 1) => early.begin(workspaceId) as EarlyClaim<ClaimedDelivery>,
  };
}

describe("an early claim", () => {
  it("has a token of its own, and slots that are taken until its statement has ended", () => {
    const { begin, early, scheduler } = start({ slots: 16 });
    const [first, second] = [begin(), begin()];
    expect(first).toMatchObject({ workerId: 7, claimMax: 4 });
    expect(first.claimToken).not.toBe(second.claimToken);
    expect(early.begin(1)).toBeNull();
    first.returned([claimed(1)]);
    second.returned([claimed(2)]);
    expect(scheduler.inFlight).toBe(2);
    expect([begin().claimMax, begin().claimMax]).toEqual([4, 2]);
  });

  it("is held before it is started, in the name of the worker that claimed it", () => {
    const { begin, calls } = start();
    begin().returned([claimed(1), claimed(2)]);
    expect(calls).toEqual([["hold", 2], ["start", 2, 7], "ended"]);
  });

  it("whose statement failed has the claims reconciled, and again once it can no longer commit", () => {
    vi.useFakeTimers();
    try {
      const { begin, calls } = start();
      begin().returned(null);
      expect(calls).toEqual(["reconcile soon", "ended"]);
      vi.advanceTimersByTime(QUERY_MS_MAX);
      expect(calls).toEqual(["reconcile soon", "ended", "reconcile soon"]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("is waited for before the claims of the database are compared with those known here", async () => {
    const { begin, early } = start();
    const [first, second] = [begin(), begin()];
    let hasReturned = false;
    const returned = early.returned().then(() => {
      hasReturned = true;
    });
    first.returned([claimed(1)]);
    await new Promise(setImmediate);
    expect(hasReturned).toBe(false);
    second.returned(null);
    await returned;
    await early.returned();
  });

  it.for([
    ["another worker may be the one to claim", { workers: 2 }],
    ["the heartbeat is late", { isLate: true }],
    ["the engine is stopping", { mayBegin: false }],
    ["the engine has one slot, which a waiting statement would block", { slots: 1 }],
  ] as const)("is not begun while %s", ([, options]) => {
    expect(start(options).early.begin(1)).toBeNull();
  });

  it("is not tried for a second in a workspace where two in a row took nothing", async () => {
    const { begin, early } = start();
    begin(1).returned([]);
    begin(1).returned([claimed(1)]);
    begin(1).returned([]);
    begin(1).returned([]);
    expect(early.begin(1)).toBeNull();
    expect(early.begin(2)).not.toBeNull();
    await until("it is tried again", () => early.begin(1) !== null);
  });

  it("is tried again once nothing of the workspace is in flight, if two in a row took nothing before", () => {
    const { begin, early, scheduler } = start();
    begin().returned([claimed(1)]);
    begin().returned([]);
    begin().returned([]);
    expect(early.begin(1)).toBeNull();
    scheduler.ended(claimed(1));
    begin().returned([]);
    expect(early.begin(1), "nothing was in flight, and it took nothing anyway").toBeNull();
  });
});
