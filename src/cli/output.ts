/** How to run this program, in messages: `npx parley` could fetch another package of that name. */
export const COMMAND = "node bin/parley.mjs";

/** Only this module writes to the terminal. */
export const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));

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

/** Progress and problems go to stderr: stdout stays clean for scripts. */
export const note = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

export const fail = (text: string): void => note(`parley: ${text}`);

/** Columns as wide as their widest cell. */
export function printTable(headings: string[], rows: (string | number | null)[][]): void {
  const cells = [headings, ...rows.map((row) => row.map((cell) => String(cell ?? "–")))];
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  for (const row of cells)
    print(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}
