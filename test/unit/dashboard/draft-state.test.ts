import { expect, it } from "vitest";
import {
  type DraftEvent,
  draftReducer,
  isInConflict,
  isOnServer,
  untouched,
} from "../../../dashboard/src/pages/inbox/composer/draft-state.ts";

const content = (text: string) => ({ text, isNote: false, files: [] });
const after = (start: ReturnType<typeof untouched>, ...events: DraftEvent[]) => events.reduce(draftReducer, start);

it("a composer that was saved shows what another device saves later", () => {
  const typed = content("one");
  const saved = after(
    untouched(null),
    { type: "changed", content: typed },
    { type: "write-began" },
    { type: "write-ended", content: typed, stored: typed },
  );
  expect(isOnServer(saved)).toBe(true);
  const next = draftReducer(saved, { type: "read", stored: content("one and two") });
  expect(next).toMatchObject({ typed: null, status: "idle", base: content("one and two") });
});

it("what was typed here and not saved stays when another device saves, and is in conflict with it", () => {
  const state = after(untouched(content("base")), { type: "changed", content: content("base, mine") });
  expect(isInConflict(state, content("base, theirs"))).toBe(true);
  expect(isInConflict(state, content("base"))).toBe(false);
  expect(draftReducer(state, { type: "read", stored: content("base, theirs") })).toBe(state);
});

it("what was typed before the draft arrived is added to it", () => {
  const state = after(
    untouched(undefined),
    { type: "changed", content: content("typed") },
    { type: "read", stored: content("from the server") },
  );
  expect(state).toMatchObject({ typed: content("from the server\n\ntyped"), isDirty: true });
});

it("the draft of a message that is being sent does not come back into the field", () => {
  const cleared = content("");
  const state = after(untouched(content("sent")), { type: "handed-over", cleared });
  expect(draftReducer(state, { type: "read", stored: content("sent") }).typed).toBe(cleared);
  expect(isInConflict(state, content("sent"))).toBe(false);
});
