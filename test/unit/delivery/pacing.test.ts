import { describe, expect, it } from "vitest";
import { createPacing } from "../../../src/delivery/pacing.ts";

const BUSY = 1;
const QUIET = 2;

/** The event loop's times are set by hand. */
function start() {
  let now = 10_000;
  const times = { active: 0, idle: 0 };
  const pacing = createPacing({ now: () => now, loopTimes: () => ({ ...times }) });
  /** How many of a workspace start before the first one is refused, up to 1,000. */
  const startMany = (workspaceId: number) => {
    let count = 0;
    for (; count < 1_000 && pacing.admits(workspaceId); count++) pacing.started(workspaceId);
    return count;
  };
  return {
    pacing,
    pass(spent: { active?: number; idle?: number }) {
      times.active += spent.active ?? 0;
      times.idle += spent.idle ?? 0;
      now += (spent.active ?? 0) + (spent.idle ?? 0);
    },
    startMany,
    /** A workspace has started many, and no pause is left. */
    startBusy: () => startMany(BUSY),
  };
}

/** One that has started many within this second, and another one that has just started its first. */
function startWithBoth() {
  const started = start();
  started.startBusy();
  started.pacing.started(QUIET);
  return started;
}

describe("a workspace that starts many attempts", () => {
  it("starts them without a pause while no other workspace has any", () => {
    const { pass, startBusy } = start();
    startBusy();
    pass({ active: 50 });
    expect(startBusy()).toBe(1_000);
  });

  it("starts a group and pauses three times as long as the event loop was busy, while another one starts few", () => {
    const { pacing, pass, startBusy } = startWithBoth();
    pass({ active: 2 });
    expect(startBusy()).toBe(16);
    expect(pacing.waitMs).toBe(6);
    pass({ idle: 5 });
    expect(pacing.admits(BUSY)).toBe(false);
    pass({ idle: 1 });
    expect(pacing.admits(BUSY)).toBe(true);
  });

  it("does not pause while the event loop is idle for three quarters of the time or more", () => {
    const { pass, startBusy } = startWithBoth();
    pass({ active: 50, idle: 150 });
    expect(startBusy()).toBe(1_000);
  });

  it("pauses a few milliseconds at most, however busy the process is with other work", () => {
    const { pacing, pass, startBusy } = startWithBoth();
    pass({ active: 500 });
    startBusy();
    expect(pacing.waitMs).toBe(24);
  });

  it("makes room in the next second too, from its first attempt on", () => {
    const { pacing, pass, startMany } = startWithBoth();
    pass({ active: 900 });
    pacing.started(QUIET);
    pass({ active: 100 });
    expect(startMany(BUSY)).toBe(16);
  });

  it("needs no pauses a second after the last attempt of another workspace", () => {
    const { pass, startBusy } = startWithBoth();
    pass({ active: 1_000 });
    expect(startBusy()).toBe(1_000);
  });

  it("counts as one that starts few after two seconds with few", () => {
    const { pacing, pass } = startWithBoth();
    pass({ idle: 2_000, active: 10 });
    pacing.started(QUIET);
    for (let count = 0; count < 100; count++) pacing.started(BUSY);
    expect(pacing.waitMs).toBe(0);
  });
});

it("a workspace that starts few is not paused, however many it has in flight", () => {
  const { pacing, pass } = start();
  for (let second = 0; second < 10; second++) {
    for (let count = 0; count < 100; count++) pacing.started(BUSY);
    pacing.started(QUIET);
    pass({ active: 1_000 });
  }
  expect(pacing.admits(BUSY)).toBe(true);
});

it("attempts of a workspace that starts few are started during the pause of another", () => {
  const { pacing, pass, startBusy } = startWithBoth();
  pass({ active: 4 });
  startBusy();
  expect(pacing.admits(QUIET)).toBe(true);
  expect(pacing.admits(QUIET + 1)).toBe(true);
});
