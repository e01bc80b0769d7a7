import fc from "fast-check";
import { expect, it } from "vitest";
import { linkParts } from "../../../src/rich-text/links.ts";

const links = (text: string): (string | undefined)[] =>
  linkParts(text).flatMap(({ href }) => (href === undefined ? [] : [href]));

it.each([
  ["see https://example.com/a?b=c#d.", "https://example.com/a?b=c#d"],
  ["(https://example.com/a_(b))", "https://example.com/a_(b)"],
  ["www.example.com, please", "https://www.example.com/"],
  ["write to ada@example.com!", "mailto:ada@example.com"],
  ["„https://example.com”", "https://example.com/"],
])("an address in %j becomes the link %s", (text, href) => {
  expect(links(text)).toEqual([href]);
});

it.each([
  "javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "<a href=x>https</a>",
  "http://",
  "ftp://example.com",
  "https://bank.example@evil.example",
])("nothing in %j becomes a web link", (text) => {
  expect(links(text).filter((href) => !href?.startsWith("mailto:"))).toEqual([]);
});

it("the parts of any text are that text, and every link is http, https or mailto", () => {
  const word = fc.constantFrom(
    "https://a.example/x",
    "www.b.example",
    "c@d.example",
    "javascript:",
    "(",
    ")",
    ".",
    " ",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(word, fc.string())), (words) => {
      const text = words.join("");
      const parts = linkParts(text);
      return (
        parts.map((part) => part.text).join("") === text &&
        parts.every(({ href }) => href === undefined || /^(?:https?:\/\/|mailto:)/.test(href))
      );
    }),
  );
});
