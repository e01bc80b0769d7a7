import { expect, it } from "vitest";
import { insertionAt, mentionPattern, plain } from "../../../dashboard/src/pages/inbox/composer/insertion.ts";

it("a colleague is found without the accents of the name, and a / or @ inside a word finds nothing", () => {
  expect(plain("Tomás Øystein").startsWith("tomas")).toBe(true);
  expect(insertionAt("ask @tomas", 10, { mentions: true })).toEqual({
    kind: "mention",
    start: 4,
    end: 10,
    search: "tomas",
  });
  expect(insertionAt("mail a@tomas", 12, { mentions: true })).toBeNull();
  expect(insertionAt("ask @tomas", 10, { mentions: false })).toBeNull();
});

it("mentions are found by whole names, the longest first, whatever characters the names have", () => {
  const found = (text: string, names: string[]) => text.match(mentionPattern(names) ?? /$^/g);
  expect(found("@Ana Müller and @Ana, not @Anabel", ["Ana", "Ana Müller"])).toEqual(["@Ana Müller", "@Ana"]);
  expect(found("@O'Neil (Jr.)! (@X+)", ["O'Neil (Jr.)", "X+"])).toEqual(["@O'Neil (Jr.)", "@X+"]);
  expect(mentionPattern([])).toBeNull();
});
