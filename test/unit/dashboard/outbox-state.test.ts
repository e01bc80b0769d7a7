import { expect, it } from "vitest";
import {
  EMPTY_OUTBOX,
  firstOf,
  isBehindAnother,
  type OutboxEvent,
  type OutgoingMessage,
  outboxReducer,
} from "../../../dashboard/src/pages/inbox/composer/outbox-state.ts";

const message = (key: string, more: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  key,
  body: key,
  private: false,
  files: [],
  author: 1,
  workspace: 1,
  conversation: 7,
  createdAt: "2026-01-01T00:00:00Z",
  seenSeq: 3,
  resolve: false,
  state: "held",
  isTried: false,
  error: null,
  ...more,
});

const after = (...events: OutboxEvent[]) => events.reduce(outboxReducer, EMPTY_OUTBOX);
const queued = (one: OutgoingMessage): OutboxEvent => ({ type: "queued", message: one });

it("messages of one conversation wait for the one before them, and not for one that was refused", () => {
  const [first, second, elsewhere] = [message("a"), message("b"), message("c", { conversation: 8 })];
  const state = after(queued(first), queued(second), queued(elsewhere));
  expect([first, second, elsewhere].map((one) => isBehindAnother(state, one))).toEqual([false, true, false]);
  const refused = outboxReducer(state, { type: "refused", key: "a", error: "too long" });
  expect(isBehindAnother(refused, second)).toBe(false);
  expect(firstOf(refused, first)?.key).toBe("b");
});

it("a message that someone else's reply overtook holds up those behind it until its author decides", () => {
  const state = after(queued(message("a")), queued(message("b")), { type: "asked", key: "a", error: "Bo" });
  expect(isBehindAnother(state, message("b"))).toBe(true);
  const confirmed = outboxReducer(state, { type: "confirmed", key: "a", seenSeq: 9 });
  expect(confirmed.entries[0]).toMatchObject({ state: "waiting", error: null, seenSeq: 9 });
});

it("a message that was undone goes back to its composer once, and a suggestion to nobody", () => {
  const state = after(queued(message("a")), queued(message("s", { suggestion: 5 })), { type: "undone", key: "a" });
  const undone = outboxReducer(state, { type: "undone", key: "s" });
  expect(undone.entries).toEqual([]);
  expect(undone.takenBack.map(({ key }) => key)).toEqual(["a"]);
  expect(outboxReducer(undone, { type: "put-back", key: "a" }).takenBack).toEqual([]);
});

it("nothing that happens to a message which was canceled brings it back", () => {
  const state = after(queued(message("a")), { type: "left", key: "a" });
  for (const type of ["sending", "tried", "waiting"] as const)
    expect(outboxReducer(state, { type, key: "a" })).toBe(state);
});
