import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { htmlOf } from "../../../src/email/outbound/text-html.ts";
import type { RichNode } from "../../../src/rich-text/nodes.ts";
import { plainText } from "../../../src/rich-text/plain-text.ts";
import { itemMark, richText } from "../../../src/rich-text/rich-text.ts";

/** Without what every link has, and without the lines between tags. */
const html = (text: string): string =>
  htmlOf(text).replaceAll(' rel="noopener noreferrer nofollow ugc"', "").replaceAll(/>\n</g, "><");

describe("marks within a line", () => {
  it.each([
    ["a **bold** word", "a <strong>bold</strong> word"],
    ["an *italic* and an _italic_ word", "an <em>italic</em> and an <em>italic</em> word"],
    ["**bold with _italic_ inside**", "<strong>bold with <em>italic</em> inside</strong>"],
    ["***both***", "<em><strong>both</strong></em>"],
    ["`**code**` is as written", "<code>**code**</code> is as written"],
    ["``a ` b``", "<code>a ` b</code>"],
    ["价格是**三百**元", "价格是<strong>三百</strong>元"],
    [
      "**https://example.com/a**, yes",
      '<strong><a href="https://example.com/a">https://example.com/a</a></strong>, yes',
    ],
    ["[the page](https://example.com/a_(b))", '<a href="https://example.com/a_(b)">the page</a>'],
    ["[**bold** link](https://example.com)", '<a href="https://example.com/"><strong>bold</strong> link</a>'],
    ["[write](mailto:ada@example.com)", '<a href="mailto:ada@example.com">write</a>'],
    ["[see www.example.org](https://example.com)", '<a href="https://example.com/">see www.example.org</a>'],
    [
      "https://example.com/?color[]=red&b",
      '<a href="https://example.com/?color[]=red&amp;b">https://example.com/?color[]=red&amp;b</a>',
    ],
  ])("%j becomes %s", (text, expected) => {
    expect(html(text)).toBe(`<p>${expected}</p>`);
  });

  it.each([
    "2*3*4 and 2**3**4",
    "a * b * c",
    "snake_case_name and __init__",
    "*one mark",
    "an **unfinished word",
    "`one mark of code",
    "[a word](and a remark)",
    "[x](javascript:alert)",
    "[x](data:text/plain,y)",
    "[](https)",
    "**** and ****",
  ])("%j stays as it is written", (text) => {
    expect(html(text)).toBe(`<p>${text}</p>`);
  });

  it("a mark after a backslash is a sign", () => {
    expect(html("\\*not italic\\*, and C:\\Users")).toBe("<p>*not italic*, and C:\\Users</p>");
  });
});

describe("lines", () => {
  it.each([
    ["one\ntwo\n\nthree", "<p>one<br>\ntwo</p><p>three</p>"],
    [
      "Buy:\n- bread\n* milk\n  and honey\nThanks",
      "<p>Buy:</p><ul><li>bread</li><li>milk<br>\nand honey</li></ul><p>Thanks</p>",
    ],
    ["3. three\n4) four", '<ol start="3"><li>three</li><li>four</li></ol>'],
    [
      "> so **you** wrote\n> twice\n\nYes",
      "<blockquote><p>so <strong>you</strong> wrote<br>\ntwice</p></blockquote><p>Yes</p>",
    ],
    ["```js\nif (a < b) {\n  c **d**\n}\n```\nend", "<pre><code>if (a &lt; b) {\n  c **d**\n}</code></pre><p>end</p>"],
    ["```\nnever ended", "<p>```<br>\nnever ended</p>"],
    ["-- \nAda", "<p>-- <br>\nAda</p>"],
  ])("%j becomes %s", (text, expected) => {
    expect(html(text)).toBe(expected);
  });
});

it("in one line there are the words alone", () => {
  expect(plainText("**Hello** Ada,\n\n- one\n- [two](https://example.com)\n> three")).toBe("Hello Ada, one two three");
});

const TAGS = /<\/?(?:p|ul|ol|li|blockquote|pre|code|strong|em)>|<ol start="\d{1,3}">|<br>/g;
const LINKS = /<a href="(?:https?:\/\/|mailto:)[^"<>]*" rel="noopener noreferrer nofollow ugc">|<\/a>/g;

const word = fc.constantFrom(
  ..."*|**|***|_|`|``|```|[|]|](|)|](https://a.example)|https://b.example/|www.c.example|d@e.example|> |- |1. |\n|\n\n| |  |\\".split(
    "|",
  ),
  ...[
    "<script>",
    "<img src=x onerror=alert(1)>",
    "&lt;",
    '"',
    "'",
    "javascript:",
    "](javascript:alert(1))",
    "é",
    "字",
    "\u202e",
  ],
);
const texts = fc.array(fc.oneof({ weight: 5, arbitrary: word }, fc.string())).map((words) => words.join(""));

const depthOf = (node: RichNode): number =>
  typeof node === "string" ? 0 : 1 + Math.max(0, ...node.inside.map(depthOf));
const textOf = (node: RichNode): string =>
  typeof node === "string" ? node : node.tag === "br" ? "\n" : node.inside.map(textOf).join("");

describe("any text", () => {
  it("becomes the few tags of the subset, links to http, https and mailto, and nothing else", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const rest = htmlOf(text).replaceAll(TAGS, "").replaceAll(LINKS, "");
        expect(rest).not.toMatch(/[<>]|&(?!(?:amp|lt|gt|quot);)/);
      }),
      { numRuns: 2_000 },
    );
  });

  it("shows only signs of the text, in their order, and nests a bounded number of times", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const blocks = richText(text);
        expect(Math.max(0, ...blocks.map(depthOf))).toBeLessThanOrEqual(12);
        const shown = blocks.map(textOf).join("").replaceAll("\n", "");
        let at = 0;
        for (const sign of text) if (shown.startsWith(sign, at)) at += sign.length;
        expect(shown.slice(at)).toBe("");
      }),
      { numRuns: 1_000 },
    );
  });

  it("without a mark, a list or an address is its own text", () => {
    const plain = fc.string().filter((text) => !/[*_`[\]>@\\\r\n.:•)-]/.test(text) && text.trim() !== "");
    fc.assert(
      fc.property(plain, (text) => {
        expect(richText(text)).toEqual([{ tag: "p", inside: [text] }]);
      }),
    );
  });
});

describe("65,536 signs", () => {
  // Each was slow in a parser that looks at a sign again and again: they would take minutes.
  it.each(
    [
      "*",
      "**a",
      "*a _b ",
      "`",
      "``a`",
      "[",
      "[a](",
      "](",
      "[https://a.b]",
      "[a](http://(",
      "> ",
      ">",
      "https://a)",
      "https://a.b/.",
      "(",
      "a@",
      "www.",
      "```\n",
      "- a\n",
      "1. a\n  b\n",
      "\\",
    ].map((unit) => [unit]),
  )("of %j are read in a moment", (unit) => {
    const text = unit.repeat(Math.ceil(65_536 / unit.length));
    const startedAt = performance.now();
    htmlOf(text);
    htmlOf(`https://example.com/${text}a`);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});

it.each([
  ["Buy\n- bread", "- "],
  ["-  ", "-  "],
  ["   2) bread", "   2) "],
  ["bread", ""],
  ["-bread", ""],
  ["1000. bread", ""],
  ["```\n- bread", ""],
  ["```\n```\n- bread", "- "],
])("the text %j ends in an item that begins with %j", (before, mark) => {
  expect(itemMark(before)).toBe(mark);
});
