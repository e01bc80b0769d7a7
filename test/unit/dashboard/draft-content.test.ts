import { expect, it } from "vitest";
import { type DraftContent, joinedUnlessBlank } from "../../../dashboard/src/pages/inbox/composer/draft-content.ts";

const file = (id: number) => ({ id, name: `${id}.txt`, size_bytes: 1 });
const reply = (text: string, ...ids: number[]): DraftContent => ({ text, isNote: false, files: ids.map(file) });
const note = (text: string, ...ids: number[]): DraftContent => ({ text, isNote: true, files: ids.map(file) });

it("a text that comes back into a composer with one of the other kind makes a note, whichever was it", () => {
  expect(joinedUnlessBlank(reply("Undone", 1), note("SECRET", 2))).toEqual(note("Undone\n\nSECRET", 1, 2));
  expect(joinedUnlessBlank(note("SECRET", 1), reply("Written since", 2))).toEqual(
    note("SECRET\n\nWritten since", 1, 2),
  );
  expect(joinedUnlessBlank(reply("Undone"), note("", 2))).toEqual(note("Undone", 2));
});

it("texts of one kind stay of that kind when they are joined, and nothing of them is lost", () => {
  expect(joinedUnlessBlank(reply("One", 1), reply("Two", 2))).toEqual(reply("One\n\nTwo", 1, 2));
  expect(joinedUnlessBlank(note("One"), note("Two"))).toEqual(note("One\n\nTwo"));
});

it("a blank composer leaves a text that comes back as it was, whatever tab is open", () => {
  expect(joinedUnlessBlank(reply("Undone"), note(" "))).toEqual(reply("Undone"));
  expect(joinedUnlessBlank(note("Undone"), reply(""))).toEqual(note("Undone"));
  expect(joinedUnlessBlank(reply(""), note("Suggested"))).toEqual(note("Suggested"));
});
