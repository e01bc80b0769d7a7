import type { Message } from "@parley/client";
import { asWritten } from "./as-written.ts";

const LINES_MAX = 40;

/**
 * A message as a quote in Markdown, with an empty line for what is written below it. What a customer wrote is no Markdown,
 * and is shown as it is written there too.
 */
export function quoteOf({ body, direction }: Pick<Message, "direction"> & { body: string }): string {
  const written = body
    .trim()
    .split(/\r\n|\r|\n/)
    .map((line) => line.trimEnd());
  const lines = direction === "in" ? written.map(asWritten) : written;
  const shown = lines.length > LINES_MAX ? [...lines.slice(0, LINES_MAX), "…"] : lines;
  return `${shown.map((line) => (line === "" ? ">" : `> ${line}`)).join("\n")}\n\n`;
}
