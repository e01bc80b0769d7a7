import { spawn } from "node:child_process";
import { fstatSync } from "node:fs";
import { styleText } from "node:util";
import { escapeControlCharacters, escapeInLine } from "../core/control-characters.ts";

/** How to run this program, in messages: `npx parley` could fetch another package of that name. */
export const COMMAND = "node bin/parley.mjs";

/** Only this module writes to the terminal: what users chose, a name for one, is shown there and does nothing. */
export const print = (text: string, colour: "red" | "bold" | null = null): void => {
  const shown = escapeControlCharacters(text);
  process.stdout.write(`${colour ? paint(shown, colour) : shown}\n`);
};

export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));

/** What a command did: for scripts as JSON, for people as a sentence. */
export function report({ json }: { json?: true }, record: unknown, text: string): void {
  if (json) printJson(record);
  else print(text);
}

/**
 * `parley keys list | true`: the reader has ended, which is not an error. A full disk is one: `parley backup - > /dev/full`. In both
 * cases the command does its work to the end.
 */
export function surviveClosedOutput(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE" || hasOutputFailed) return;
    hasOutputFailed = true;
    process.exitCode = 1;
    fail(`The output cannot be written: ${error.code === "ENOSPC" ? "the disk is full" : error.message}.`);
  });
}

let hasOutputFailed = false;

/** It was reported when it happened. */
export const outputHasFailed = (): boolean => hasOutputFailed;

/** `parley events tail | head`: the same for a command that does not end by itself. */
export function exitWhenPipeCloses(): void {
  process.stdout.on("error", () => process.exit(0));
}

/**
 * The same while there is nothing to write: Node learns of a closed pipe only by writing to it. GNU tail polls its output,
 * and ends when nobody reads it any more; where there is no such tail, the next event ends the command.
 */
export function exitWhenReaderEnds(): void {
  if (process.platform !== "linux" || !fstatSync(1).isFIFO()) return;
  const watch = spawn("tail", ["-f", "/dev/null", `--pid=${process.pid}`], { stdio: ["ignore", "inherit", "ignore"] });
  watch.once("error", () => {});
  watch.once("exit", (code) => {
    // Another tail does not know --pid, and ends at once with 1.
    if (code === null || code === 0) process.exit(0);
  });
  watch.unref();
}

/** Which server a command talks to: stderr, so that a script reads only the response. */
export const noteServer = (url: string): void => note(`Server: ${url}`);

/** Red on a terminal that has colours, for what failed; `NO_COLOR` turns them off. */
const paint = (text: string, colour: "red" | "bold"): string =>
  process.stdout.isTTY && process.stdout.hasColors() ? styleText(colour, text) : text;

/** Progress and problems go to stderr: stdout stays clean for scripts. */
export const note = (text: string): void => {
  process.stderr.write(`${escapeControlCharacters(text)}\n`);
};

export const fail = (text: string): void => note(`parley: ${text}`);

/** Columns as wide as their widest cell. */
export function printTable(headings: string[], rows: (string | number | null)[][]): void {
  const cells = [headings, ...rows.map((row) => row.map((cell) => escapeInLine(String(cell ?? "–"))))];
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  for (const [index, row] of cells.entries()) {
    const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
    print(line.trimEnd(), index === 0 ? "bold" : null);
  }
}
