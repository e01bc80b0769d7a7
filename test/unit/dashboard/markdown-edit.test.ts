import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  code,
  type Edit,
  link,
  list,
  nextItem,
  type Selected,
  wrap,
} from "../../../dashboard/src/pages/inbox/composer/markdown-edit.ts";
import { quoteOf } from "../../../dashboard/src/pages/inbox/thread/quote.ts";
import { htmlOf } from "../../../src/email/outbound/text-html.ts";
import type { RichNode } from "../../../src/rich-text/nodes.ts";
import { richText } from "../../../src/rich-text/rich-text.ts";

/** `a [b] c`: b is selected. */
function selected(marked: string): Selected {
  const start = marked.indexOf("⟦");
  const end = marked.indexOf("⟧") - 1;
  return { text: marked.replace(/[⟦⟧]/g, ""), start, end };
}

function edited(marked: string, edit: (selected: Selected) => Edit): string {
  const before = selected(marked);
  const { from, to, inserted, start, end } = edit(before);
  const text = before.text.slice(0, from) + inserted + before.text.slice(to);
  return `${text.slice(0, start)}⟦${text.slice(start, end)}⟧${text.slice(end)}`;
}

const bold = (one: Selected): Edit => wrap(one, "**");
const italic = (one: Selected): Edit => wrap(one, "*");
const next = (one: Selected): Edit => nextItem(one) as Edit;

describe("the tools of the composer", () => {
  it.each([
    ["puts marks around what is selected", bold, "a ⟦word⟧ here", "a **⟦word⟧** here"],
    ["leaves spaces outside of the marks", bold, "a⟦ word ⟧here", "a **⟦word⟧** here"],
    ["removes marks that are there", bold, "a **⟦word⟧** here", "a ⟦word⟧ here"],
    ["puts marks where the next word is typed", bold, "a ⟦⟧", "a **⟦⟧**"],
    ["leaves the marks after the last word", bold, "a **word⟦⟧**", "a **word**⟦⟧"],
    ["leaves the inner marks first", italic, "a ***word⟦⟧***", "a ***word*⟦⟧**"],
    ["begins other marks within marks", italic, "a **word ⟦⟧**", "a **word *⟦⟧***"],
    ["begins marks in front of others", bold, "⟦⟧ **word**", "**⟦⟧** **word**"],
    ["adds to marks of another kind", italic, "a **⟦word⟧**", "a ***⟦word⟧***"],
    ["removes one of two kinds", italic, "a ***⟦word⟧***", "a **⟦word⟧**"],
    ["makes items of lines", list, "Buy\n⟦bread\nmilk⟧", "Buy\n⟦- bread\n- milk⟧"],
    ["makes lines of items", list, "⟦- bread\n- milk⟧", "⟦bread\nmilk⟧"],
    ["makes an item of the line that is written", list, "Buy\nbread⟦⟧", "Buy\n- bread⟦⟧"],
    ["asks for the address of a link", link, "see ⟦the page⟧", "see [the page](⟦https://⟧)"],
    ["asks for the text of an address", link, "see ⟦https://x.test/a⟧", "see [⟦text⟧](https://x.test/a)"],
    ["asks for the text of a link where nothing is selected", link, "see ⟦⟧", "see [⟦text⟧](https://)"],
    ["makes code of a word", code, "run ⟦npm start⟧", "run `⟦npm start⟧`"],
    ["makes a block of code of several lines", code, "run\n⟦a\nb⟧", "run\n```\n⟦a\nb⟧\n```\n"],
    ["begins the next item behind one", next, "- bread⟦⟧", "- bread\n- ⟦⟧"],
    ["begins an item of what follows in the line", next, "- bread⟦⟧ and milk", "- bread\n- ⟦⟧ and milk"],
    ["replaces what is selected by the next item", next, "- bread⟦ and\n- milk⟧", "- bread\n- ⟦⟧"],
    ["counts on", next, "1. bread\n  9) milk⟦⟧", "1. bread\n  9) milk\n  10) ⟦⟧"],
    ["ends a list in an item without words", next, "- bread\n- ⟦⟧\nBye", "- bread\n⟦⟧\nBye"],
  ])("%s", (_what, edit, before, after) => {
    expect(edited(before, edit)).toBe(after);
  });

  it.each([
    ["a line that is no item", "bread⟦⟧"],
    ["the sign of an item", "⟦⟧- bread"],
    ["a line of a block of code", "```\n- bread⟦⟧"],
    ["a number that begins a sentence", "2026 was good⟦⟧"],
  ])("leave Enter to the browser in %s", (_what, text) => {
    expect(nextItem(selected(text))).toBeNull();
  });
});

const html = (text: string): string => htmlOf(text).replaceAll(/>\n+</g, "><");

describe("a quote", () => {
  it.each([
    ["*x*, _x_ and **y**", "*x*, _x_ and **y**"],
    ["[a](https://a.example)", '[a](<a href="https://a.example/">https://a.example</a>)'],
    ["`code` and ``code``", "`code` and ``code``"],
    ["# h", "# h"],
    ["> said before", "&gt; said before"],
    ["C:\\_old and \\*, \\> \\]", "C:\\_old and \\*, \\&gt; \\]"],
    ["see https://a.example/b_c_d *now*", 'see <a href="https://a.example/b_c_d">https://a.example/b_c_d</a> *now*'],
  ])("of a customer's %j shows it as it is written", (body, shown) => {
    const links = html(quoteOf({ body, direction: "in" })).replaceAll(' rel="noopener noreferrer nofollow ugc"', "");
    expect(links).toBe(`<blockquote><p>${shown}</p></blockquote>`);
  });

  it("of a customer's lists, numbers and fences shows their signs", () => {
    const body = "- one\n* two\n• three\n4. four\n5) five\n6\\. six\n```\ncode\n```\n> 7";
    const shown = body.replaceAll("\n", "<br>\n").replace("> 7", "&gt; 7");
    expect(html(quoteOf({ body, direction: "in" }))).toBe(`<blockquote><p>${shown}</p></blockquote>`);
  });

  it("leaves text without marks as it is, and so what agents wrote: it means the same again", () => {
    expect(quoteOf({ body: "One - two_three\n\n2.5 > 2", direction: "in" })).toBe(
      "> One - two_three\n>\n> 2.5 > 2\n\n",
    );
    expect(quoteOf({ body: "It is **ready**", direction: "out" })).toBe("> It is **ready**\n\n");
  });

  it("is a quote in Markdown, whatever the message looks like", () => {
    const quote = quoteOf({ body: "Hello\n\n- one\n> said before\n```", direction: "out" });
    expect(richText(`${quote}Yes`).map(({ tag }) => tag)).toEqual(["blockquote", "p"]);
  });

  it("of any text by a customer shows exactly that text", () => {
    fc.assert(
      fc.property(texts, (body) => {
        const [quote] = richText(quoteOf({ body, direction: "in" }));
        expect(tagsIn(quote ?? "")).not.toMatch(/em|strong|code|li/);
        expect(lines(wordsOf(quote ?? ""))).toEqual(lines(body));
      }),
      { numRuns: 2_000 },
    );
  });
});

const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ..."*|**|_|`|```|[|]|(|)|](https://a.example)|https://b.example/|> |- |• |1. |1\\. |2) |\n|\n\n| |a|\\".split(
          "|",
        ),
      ),
      fc.string(),
    ),
  )
  .map((words) => words.join(""));
const wordsOf = (node: RichNode): string => {
  if (typeof node === "string") return node;
  if (node.tag === "br") return "\n";
  return node.inside.map(wordsOf).join(node.tag === "blockquote" ? "\n" : "");
};
const tagsIn = (node: RichNode): string =>
  typeof node === "string" ? "" : [node.tag, ...node.inside.map(tagsIn)].join(" ");
/** Without the spaces around them, and without those that are empty. */
const lines = (text: string): string[] =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .slice(0, 40);
