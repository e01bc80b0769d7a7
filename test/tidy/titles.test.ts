import { describe, expect, it } from "vitest";
import { readTree, type SourceFile } from "./source-text.ts";
import { titlesOf } from "./titles.ts";

/** What is read in one glance in a list of results. */
const LENGTH_MAX = 100;

function longTitles({ path, text }: SourceFile): string[] {
  return titlesOf(text)
    .filter((title) => title.length > LENGTH_MAX)
    .map((title) => `${path}: ${title}`);
}

describe("the titles of tests", () => {
  it("have at most 100 characters", () => {
    const files = readTree("test", (path) => path.endsWith(".test.ts"));
    expect(files.length).toBeGreaterThan(0);
    expect(files.flatMap(longTitles)).toEqual([]);
  });

  it("are refused when they are longer, also behind a table of values", () => {
    const title = "x".repeat(LENGTH_MAX + 1);
    const text = `it("${title}", () => {});\nit.each([1])("${title}", () => {});\nit("short", () => {});`;
    expect(longTitles({ path: "a.test.ts", text })).toHaveLength(2);
  });
});
