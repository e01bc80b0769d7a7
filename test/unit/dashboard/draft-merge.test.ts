import { expect, it } from "vitest";
import { mergeDrafts, mergeTexts } from "../../../dashboard/src/pages/inbox/composer/draft-merge.ts";

const draft = (text: string, isNote = false, files: number[] = []) => ({
  text,
  isNote,
  files: files.map((id) => ({ id, name: `${id}.txt`, size_bytes: 1 })),
});

it("what two devices added to one draft is there after they are merged, in its place", () => {
  const base = "Hello Ana. It left on Monday.";
  const merged = mergeTexts(base, "Hello Ana. Sorry for the delay. It left on Monday.", `${base} Kind regards, Bo.`);
  expect(merged).toBe("Hello Ana. Sorry for the delay. It left on Monday. Kind regards, Bo.");
});

it("what both devices wrote in the same place of a draft is there twice, and no sentence is lost", () => {
  const merged = mergeTexts("Hello.", "Hello. From the phone.", "Hello. From the desk.");
  for (const sentence of ["Hello.", "From the phone.", "From the desk."])
    expect(merged.split(sentence)).toHaveLength(2);
});

it("a draft that was begun on two devices at once has both texts", () => {
  const { text } = mergeDrafts(null, draft("One begins"), draft("The other too"));
  expect(text).toContain("One begins");
  expect(text).toContain("The other too");
});

it("a draft that one device only continued is not repeated", () => {
  expect(mergeTexts("It", "It left", "It left on Monday")).toBe("It left on Monday");
  expect(mergeTexts("It", "It left on Monday", "It left")).toBe("It left on Monday");
});

it("a sentence that was deleted on one device, and left alone on the other, stays deleted", () => {
  expect(mergeTexts("One. Two. Three.", "One. Three.", "One. Two. Three. Four.")).toBe("One. Three. Four.");
});

it("a draft that was sent from another device leaves what was added here since", () => {
  expect(mergeTexts("Sent from there.", "Sent from there. And one more thing.", "").trim()).toBe("And one more thing.");
});

it("merged drafts have the files of both, except those that one has removed, and are a note if one is", () => {
  const merged = mergeDrafts(draft("", false, [1, 2]), draft("", true, [1, 3]), draft("", false, [1, 2, 4]));
  expect(merged.files.map(({ id }) => id)).toEqual([1, 3, 4]);
  expect(merged.isNote).toBe(true);
});
