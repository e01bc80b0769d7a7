import type { Message } from "@parley/client";
import { describe, expect, it } from "vitest";
import type { Activity } from "../../../dashboard/src/pages/inbox/thread/activity.ts";
import { entriesOf } from "../../../dashboard/src/pages/inbox/thread/thread-entries.ts";

const AT = "2026-07-14T10:00:00+00:00";
const EARLIER = "2026-07-14T09:59:00+00:00";

const message = (seq: number, at = AT) => ({ id: seq, seq, created_at: at }) as Message;
const activity = (id: string, afterSeq?: number, at = AT): Activity => ({
  id,
  at,
  text: id,
  ...(afterSeq === undefined ? {} : { afterSeq }),
});
const shown = (...given: Parameters<typeof entriesOf>) =>
  entriesOf(...given).map((entry) => ("message" in entry ? entry.message.seq : entry.activity.id));

describe("the entries of a thread", () => {
  it("keep messages and changes of the same second in the order in which they happened", () => {
    const changes = [activity("assigned", 1), activity("resolved", 1), activity("reopened", 3)];
    expect(shown([message(1), message(2), message(3)], changes, { isWhole: true })).toEqual([
      1,
      "assigned",
      "resolved",
      2,
      3,
      "reopened",
    ]);
  });

  it("put a change that came before every message first", () => {
    expect(shown([message(1)], [activity("assigned", 0)], { isWhole: true })).toEqual(["assigned", 1]);
  });

  it("fall back to the time of a change that does not say which message was the newest", () => {
    expect(shown([message(1)], [activity("assigned", undefined, EARLIER)], { isWhole: true })).toEqual(["assigned", 1]);
  });

  it("hold changes back until the messages from before them are loaded", () => {
    const changes = [activity("assigned", 3), activity("resolved", 7)];
    expect(shown([message(6), message(7)], changes, { isWhole: false })).toEqual([6, 7, "resolved"]);
  });
});
