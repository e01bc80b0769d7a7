const LINES_MAX = 40;

/** A message as a quote in Markdown, with an empty line for what is written below it. */
export function quoteOf(body: string): string {
  const lines = body.trim().split(/\r\n|\r|\n/);
  const shown = lines.length > LINES_MAX ? [...lines.slice(0, LINES_MAX), "…"] : lines;
  return `${shown.map((line) => `> ${line}`.trimEnd()).join("\n")}\n\n`;
}
