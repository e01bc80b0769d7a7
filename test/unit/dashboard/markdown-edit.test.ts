import { describe, expect, it } from "vitest";
import {
  code,
  type Edit,
  link,
  list,
  type Selected,
  wrap,
} from "../../../dashboard/src/pages/inbox/composer/markdown-edit.ts";
import { quoteOf } from "../../../dashboard/src/pages/inbox/thread/quote.ts";
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

describe("the tools of the composer", () => {
  it.each([
    ["puts marks around what is selected", bold, "a ⟦word⟧ here", "a **⟦word⟧** here"],
    ["leaves spaces outside of the marks", bold, "a⟦ word ⟧here", "a **⟦word⟧** here"],
    ["removes marks that are there", bold, "a **⟦word⟧** here", "a ⟦word⟧ here"],
    ["puts marks where the next word is typed", bold, "a ⟦⟧", "a **⟦⟧**"],
    ["makes items of lines", list, "Buy\n⟦bread\nmilk⟧", "Buy\n- bread\n- milk⟦⟧"],
    ["makes lines of items", list, "⟦- bread\n- milk⟧", "bread\nmilk⟦⟧"],
    ["asks for the address of a link", link, "see ⟦the page⟧", "see [the page](https://⟦⟧)"],
    ["asks for the text of a link where nothing is selected", link, "see ⟦⟧", "see [⟦text⟧](https://)"],
    ["makes code of a word", code, "run ⟦npm start⟧", "run `⟦npm start⟧`"],
    ["makes a block of code of several lines", code, "run\n⟦a\nb⟧", "run\n```\n⟦a\nb⟧\n```\n"],
  ])("%s", (_what, edit, before, after) => {
    expect(edited(before, edit)).toBe(after);
  });

  it("a quote of a message is a quote in Markdown, whatever the message looks like", () => {
    const quote = quoteOf("Hello\n\n- one\n> said before\n```");
    expect(richText(`${quote}Yes`).map(({ tag }) => tag)).toEqual(["blockquote", "p"]);
  });
});
