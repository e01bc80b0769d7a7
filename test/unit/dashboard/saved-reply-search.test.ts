import { expect, it } from "vitest";
import { matchingReplies } from "../../../dashboard/src/pages/inbox/composer/saved-reply-search.ts";

const reply = (name: string, shortcut: string | null, body = "Text") => ({ name, shortcut, body });
const REPLIES = [
  reply("Apology", "sorry", "We could not do this. Which one was it?"),
  reply("Shipping", "ship"),
  reply("Hiring", null),
  reply("Hidden fees", "hifees"),
  reply("Greeting", "hi"),
  reply("Terms", "agb"),
];
const found = (search: string) => matchingReplies(REPLIES, search).map(({ name }) => name);

it("a saved reply is found by its whole shortcut first, then the beginnings, and last by its text", () => {
  expect(found("hi")).toEqual(["Greeting", "Hidden fees", "Hiring", "Shipping", "Apology"]);
  expect(found("HI")[0]).toBe("Greeting");
  expect(found("one was")).toEqual(["Apology"]);
  expect(found("nothing")).toEqual([]);
});

it("saved replies keep their order as long as nothing is searched for", () => {
  expect(found("")).toEqual(REPLIES.map(({ name }) => name));
});
