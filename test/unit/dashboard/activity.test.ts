import type { Event } from "@parley/client";
import { describe, expect, it } from "vitest";
import { activitiesOf } from "../../../dashboard/src/pages/inbox/thread/activity.ts";

const AGNES = { type: "user", id: 7, name: "Agnes" };

const event = (type: string, data: object, actor: object = AGNES) =>
  ({ id: `evt_${type}`, type, timestamp: "2026-07-14T10:00:00+00:00", data, actor }) as unknown as Event;
const line = (...given: Parameters<typeof event>) => activitiesOf([event(...given)])[0]?.text;

describe("the lines of a thread about what changed", () => {
  it.each([
    [{ status: "resolved" }, AGNES, "Agnes resolved this"],
    [{ status: "pending" }, AGNES, "Agnes set this to pending"],
    [{ status: "open" }, AGNES, "Agnes opened this again"],
    [{ status: "open" }, { type: "contact", id: 1, name: "Ada" }, "Reopened: Ada wrote again"],
    [{ status: "open" }, { type: "system", id: null, name: null }, "The snooze ended"],
    [{ status: "snoozed", snoozed_until: null }, AGNES, "Agnes snoozed this until the contact writes"],
  ])("say who changed the status: %o", (data, actor, text) => {
    expect(line("conversation.status_changed", data, actor)).toBe(text);
  });

  it("say until when a conversation sleeps", () => {
    const data = { status: "snoozed", snoozed_until: "2026-07-15T08:00:00+00:00" };
    expect(line("conversation.status_changed", data)).toMatch(/^Agnes snoozed this until .*15/);
  });

  it.each([
    [null, "Agnes removed the assignee"],
    [{ id: 7, name: "Agnes" }, "Agnes took this conversation"],
    [{ id: 8, name: "Bob" }, "Agnes assigned this to Bob"],
  ])("say who is responsible now: %o", (assignee, text) => {
    expect(line("conversation.assigned", { assignee })).toBe(text);
  });

  it("leave out messages and other changes, and come oldest first", () => {
    const events = [
      event("conversation.status_changed", { status: "resolved" }),
      event("message.created", {}),
      event("conversation.updated", {}),
      event("conversation.assigned", { assignee: null }),
    ];
    expect(activitiesOf(events).map(({ text }) => text)).toEqual(["Agnes removed the assignee", "Agnes resolved this"]);
  });
});
