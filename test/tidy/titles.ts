import { codeOnly } from "./source-text.ts";

/** `it("…"`, `it.each(…)("…"`, `it.skipIf(…).each(…)("…"` and `describe("…"`, with everything in between. */
const TITLE = /\b(?:it|test|describe)(?:\.\w+)*\s*\(/g;

/** The titles of the tests and groups in the text of a test file, their placeholders as written. */
export function titlesOf(text: string): string[] {
  const code = codeOnly(text, { strings: "blank" });
  return [...code.matchAll(TITLE)].flatMap(({ index, 0: call }) => {
    let at = index + call.length;
    // `it.each(table)("title"`: step over the table, and over whatever else is called before the title.
    for (;;) {
      const end = closingParenthesis(code, at) + 1;
      const [next] = /^(?:\.\w+)*\(/.exec(code.slice(end)) ?? [];
      if (next === undefined) break;
      at = end + next.length;
    }
    const title = /^\s*(["'`])([\s\S]*?)(?<!\\)\1/.exec(text.slice(at))?.[2];
    return title === undefined ? [] : [title];
  });
}

/** The index of the parenthesis that closes the one opened just before `at`. */
function closingParenthesis(code: string, at: number): number {
  let open = 1;
  for (let index = at; index < code.length; index++) {
    if (code[index] === "(") open++;
    else if (code[index] === ")" && --open === 0) return index;
  }
  return code.length;
}
