import type { DeliveryLog } from "@parley/client";
import { describe, expect, it } from "vitest";
import { groupByEvent } from "../../../dashboard/src/pages/webhooks/log/group-by-event.ts";
import { neighboursOf } from "../../../dashboard/src/pages/webhooks/log/log-entries.ts";

const log = (id: number, event_id: string, attempt: number) => ({ id, event_id, attempt }) as DeliveryLog;

describe("attempts grouped by event", () => {
  it("appear once per event, where the newest attempt is, with the number of attempts", () => {
    const logs = [log(9, "evt_b", 3), log(8, "evt_a", 1), log(7, "evt_b", 2), log(5, "evt_c", 1), log(4, "evt_b", 1)];
    expect(groupByEvent(logs).map(({ newest, attempts }) => [newest.id, newest.event_id, attempts])).toEqual([
      [9, "evt_b", 3],
      [8, "evt_a", 1],
      [5, "evt_c", 1],
    ]);
  });

  it("count the attempts of a redelivery together with those before it", () => {
    const logs = [log(9, "evt_a", 1), log(3, "evt_a", 2), log(2, "evt_a", 1)];
    expect(groupByEvent(logs)).toMatchObject([{ newest: { id: 9 }, attempts: 3 }]);
  });

  it("know how many there were before older ones are loaded", () => {
    expect(groupByEvent([log(9, "evt_a", 5)])).toMatchObject([{ attempts: 5 }]);
  });
});

describe("the neighbours of an open attempt", () => {
  const entries = [
    { id: 9, eventId: "evt_b" },
    { id: 8, eventId: "evt_a" },
    { id: 5, eventId: "evt_c" },
  ];

  it("are the rows above and below", () => {
    expect(neighboursOf(entries, { id: 8, eventId: "evt_a" })).toEqual({ previous: entries[0], next: entries[2] });
    expect(neighboursOf(entries, { id: 9, eventId: "evt_b" }).previous).toBeNull();
    expect(neighboursOf(entries, { id: 5, eventId: "evt_c" }).next).toBeNull();
  });

  it("are those of its event for an older attempt, and none for an attempt outside the list", () => {
    expect(neighboursOf(entries, { id: 4, eventId: "evt_a" })).toEqual({ previous: entries[0], next: entries[2] });
    expect(neighboursOf(entries, { id: 1, eventId: "evt_x" })).toEqual({ previous: null, next: null });
  });
});
