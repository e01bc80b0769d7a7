import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../tidy/source-text.ts";
import { readPage } from "./markdown.ts";

interface Result {
  readonly name: string;
  readonly at: string;
  readonly bars?: readonly { readonly text: string; readonly met: boolean }[];
  readonly [more: string]: unknown;
}

const { renderResults } = (await import(new URL("../../bench/lib/results-page.mjs", import.meta.url).href)) as {
  renderResults: (page: string, results: readonly Result[]) => string;
};

const folder = join(root, "docs/results");
const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
const results = files.sort().map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Result);
const page = readPage("docs/results/page.md");

describe("docs/results.md", () => {
  it("is what `npm run results` makes of the figures that are kept", () => {
    expect(readPage("docs/results.md")).toBe(renderResults(page, results));
  });

  it("has a section for every benchmark", () => {
    const benchmarks =
      readPage("bench/run.mjs")
        .match(/^const (?:PARTS|ALONE) = .*$/gm)
        ?.join() ?? "";
    const names = [...benchmarks.matchAll(/"(\w+)"/g)].map(([, name = ""]) => name);
    expect(names).toContain("deliver");
    expect(names.filter((name) => !page.includes(`<!-- figures: ${name} -->`))).toEqual([]);
    expect(results.filter(({ name, bars }) => bars && !names.includes(name))).toEqual([]);
  });
});

describe("the results page", () => {
  const machine = { cpus: 2, model: "Some CPU", memoryGb: 8, node: "v20.19.0" };
  const at = "2026-07-14T10:00:00Z";
  const render = (met: boolean, settings = {}, disturbances = { repeated: 0, counted: 0 }): string =>
    renderResults("<!-- summary -->\n<!-- figures: deliver -->\n<!-- figures: read -->\n<!-- suites -->", [
      {
        name: "deliver",
        at,
        machine,
        settings,
        disturbances,
        tables: [[["a"], ["1"]]],
        bars: [{ text: "fast", met }],
      },
      { name: "fault", at, counts: { passed: 3, failed: 1, skipped: 2 }, seconds: 9.6 },
    ]);

  it("shows a bar that is not met in the summary and with its figures", () => {
    expect(render(false)).toContain("0 of 1 bars are met. Not met:\n\n- deliver: fast");
    expect(render(false)).toContain("| a |\n|---|\n| 1 |\n\n- **not met**: fast");
    expect(render(true)).toContain("All 1 bars are met.");
    expect(render(true)).not.toMatch(/not met/i);
  });

  it("says how many rounds were repeated for a busy machine, and how many of those still count", () => {
    expect(render(true, {}, { repeated: 3, counted: 0 })).toContain("processors' time: 3.");
    expect(render(true, {}, { repeated: 4, counted: 1 })).toContain("every repetition was disturbed: 1.");
    expect(render(true, {}, { repeated: 0, counted: 0 })).not.toContain("repeated");
  });

  it("marks a run with changed settings", () => {
    expect(render(true, { BENCH_ROUNDS: "1" })).toContain("Not a whole run: it was made with BENCH_ROUNDS=1.");
    expect(render(true)).not.toContain("Not a whole run");
  });

  it("says what has not been run, and counts what failed and was skipped", () => {
    expect(render(true)).toContain("Not run yet.");
    expect(render(true)).toContain("| fault | 3 | 1 | 2 | 10 | 2026-07-14 |");
  });
});
