import { describe, expect, it } from "vitest";
import { createPacing } from "../../../src/delivery/pacing.ts";

const BUSY = 1;
const QUIET = 2;

/** A workspace with a hundred attempts in flight and others with one each; the event loop's times are set by hand. */
function start() {
  let now = 0;
  const times = { active: 0, idle: 0 };
  const pacing = createPacing({
    inFlightOf: (workspaceId) => (workspaceId === BUSY ? 100 : 1),
    now: () => now,
    loopTimes: () => ({ ...times }),
  });
  return {
    pacing,
    pass(spent: { active?: number; idle?: number }) {
      times.active += spent.active ?? 0;
      times.idle += spent.idle ?? 0;
      now += (spent.active ?? 0) + (spent.idle ?? 0);
    },
    /** How many of the busy workspace start before the first one is refused, up to 1,000. */
    startBusy() {
      let count = 0;
      for (; count < 1_000 && pacing.admits(BUSY); count++) pacing.started(BUSY);
      return count;
    },
  };
}

describe("a workspace with many attempts in flight", () => {
  it("starts them without a pause while no other workspace has any", () => {
    const { pacing, pass, startBusy } = start();
    pacing.started(BUSY);
    pass({ active: 50 });
    expect(startBusy()).toBe(1_000);
  });

  it("starts a group and pauses three times as long as the event loop was busy, while another workspace has few in flight", () => {
    const { pacing, pass, startBusy } = start();
    pacing.started(QUIET);
    pass({ active: 2 });
    expect(startBusy()).toBe(16);
    expect(pacing.waitMs).toBe(6);
    pass({ idle: 5 });
    expect(pacing.admits(BUSY)).toBe(false);
    pass({ idle: 1 });
    expect(pacing.admits(BUSY)).toBe(true);
  });

  it("does not pause while the event loop is idle for three quarters of the time or more", () => {
    const { pacing, pass, startBusy } = start();
    pacing.started(QUIET);
    pass({ active: 50, idle: 150 });
    expect(startBusy()).toBe(1_000);
  });

  it("pauses a few milliseconds at most, however busy the process is with other work", () => {
    const { pacing, pass, startBusy } = start();
    pacing.started(QUIET);
    pass({ active: 500 });
    startBusy();
    expect(pacing.waitMs).toBe(24);
  });

  it("needs no pauses a second after the last attempt of another workspace", () => {
    const { pacing, pass, startBusy } = start();
    pacing.started(QUIET);
    pass({ active: 1_000 });
    expect(startBusy()).toBe(1_000);
  });
});

it("starts attempts of a workspace with few in flight during the pause of another", () => {
  const { pacing, pass, startBusy } = start();
  pacing.started(QUIET);
  pass({ active: 4 });
  startBusy();
  expect(pacing.admits(QUIET)).toBe(true);
  expect(pacing.admits(QUIET + 1)).toBe(true);
});
