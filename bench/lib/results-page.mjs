/**
 * docs/results.md: the hand-written docs/results/page.md, in which marks such as `<!-- figures: deliver -->` are replaced by what
 * the suites recorded.
 *
 * @param {string} page
 * @param {readonly Record<string, any>[]} results of benchmarks (with `bars`) and of test suites (with `counts`)
 */
export function renderResults(page, results) {
  const benchmarks = results.filter(({ bars }) => bars);
  const suites = results.filter(({ counts }) => counts);
  const filled = page
    .replace("<!-- summary -->", () => summary(benchmarks))
    .replace("<!-- suites -->", () => suiteTable(suites))
    .replace(/<!-- figures: (\w+) -->/g, (_, name) => figures(benchmarks.find((result) => result.name === name)));
  return `<!-- Made from docs/results/ by \`npm run results\`. -->\n\n${filled}`;
}

function summary(benchmarks) {
  if (benchmarks.length === 0) return NOT_RUN;
  const bars = benchmarks.flatMap((result) => result.bars.map((bar) => ({ ...bar, name: result.name })));
  const unmet = bars.filter(({ met }) => !met);
  const rows = benchmarks.map(({ name, at, machine, bars: own }) => [
    name,
    own.length === 0 ? "none set" : `${own.filter(({ met }) => met).length} of ${own.length}`,
    at.slice(0, 10),
    `${machine.cpus} × ${machine.model}, ${machine.memoryGb} GB, Node ${machine.node.slice(1)}`,
  ]);
  const verdict =
    unmet.length === 0
      ? `All ${bars.length} bars are met.`
      : `${bars.length - unmet.length} of ${bars.length} bars are met. Not met:\n\n${unmet.map(({ name, text }) => `- ${name}: ${text}`).join("\n")}`;
  return `${verdict}\n\n${markdownTable([["part", "bars met", "measured", "machine"], ...rows])}`;
}

function suiteTable(suites) {
  if (suites.length === 0) return NOT_RUN;
  const rows = suites.map(({ name, at, counts, seconds }) => [
    name,
    counts.passed,
    counts.failed,
    counts.skipped,
    Math.round(seconds),
    at.slice(0, 10),
  ]);
  return markdownTable([["suite", "passed", "failed", "skipped", "seconds", "run"], ...rows]);
}

function figures(result) {
  if (!result) return NOT_RUN;
  const bars = result.bars.map(({ met, text }) => `- ${met ? "met" : "**not met**"}: ${text}`);
  const changed = Object.entries(result.settings).map(([name, value]) => `${name}=${value}`);
  const warning = changed.length > 0 ? `Not a whole run: it was made with ${changed.join(", ")}.` : "";
  return [...result.tables.map(markdownTable), bars.join("\n"), disturbed(result), warning]
    .filter(Boolean)
    .join("\n\n");
}

function disturbed({ disturbances: { repeated, counted } = { repeated: 0, counted: 0 } }) {
  if (repeated === 0) return "";
  const all = `Rounds repeated because the host took more than 5 % of the processors' time: ${repeated}`;
  return counted === 0 ? `${all}.` : `${all}; counted although every repetition was disturbed: ${counted}.`;
}

const NOT_RUN = "Not run yet.";

function markdownTable([head, ...rows]) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}
