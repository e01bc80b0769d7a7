import { createHash, randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { link, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Where root keeps what the server's user could not reach under a closed directory such as /root. */
export const ELSEWHERE = "/var/lib/parley";

export interface LocationNote {
  readonly what: string;
  /** the data directory this note was written for */
  readonly requested: string;
  /** the directory that holds the cluster */
  readonly base: string;
}

export function noteFile(requested: string): string {
  return join(requested, "postgres.location.json");
}

/**
 * The note counts where it was written, and goes along when the data directory is moved. In a copy (its original still
 * has its note) it does not count: two clones must not share a database.
 */
export function readNote(requested: string): LocationNote | null {
  const note = parse(noteFile(requested));
  if (!note) return null;
  const copied = note.requested !== requested && parse(noteFile(note.requested))?.base === note.base;
  return copied ? null : note;
}

/**
 * A directory for `requested` that nothing lies in yet. An earlier cluster without a note means that the data
 * directory was deleted to begin anew; that cluster is left alone, because only a person may delete data.
 */
export function freeElsewhere(requested: string): { base: string; kept: string | null } {
  const hash = createHash("sha256").update(requested).digest("hex").slice(0, 10);
  // "/root/support/data" becomes "support-1f0c…": a name that a person recognises.
  const readable = basename(dirname(requested)).replaceAll(/[^A-Za-z0-9_-]/g, "") || "data";
  const stem = join(ELSEWHERE, `${readable.slice(0, 24)}-${hash}`);
  let kept: string | null = null;
  for (let n = 1; ; n++) {
    const base = n === 1 ? stem : `${stem}-${n}`;
    if (!existsSync(join(base, "postgres"))) return { base, kept };
    kept = base;
  }
}

/** Writes the note and returns the base it names: another process may have been first with another one. */
export async function claimElsewhere(requested: string, base: string): Promise<string> {
  const file = noteFile(requested);
  const current = readNote(requested);
  if (current?.requested === requested) return current.base;
  const what =
    "Parley was started by root, and PostgreSQL's user cannot enter this directory, so the database lies in `base`. " +
    "Back that up together with this directory. Without this file Parley begins an empty database.";
  const note: LocationNote = { what, requested, base: current?.base ?? base };
  const passing = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  await writeFile(passing, `${JSON.stringify(note, null, 2)}\n`, { mode: 0o644, flush: true });
  try {
    // A note that does not count (moved or copied along) is replaced; otherwise the first to link wins.
    if (existsSync(file)) await rename(passing, file);
    else await link(passing, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(passing, { force: true });
  }
  return readNote(requested)?.base ?? base;
}

function parse(file: string): LocationNote | null {
  try {
    const note = JSON.parse(readFileSync(file, "utf8")) as Partial<LocationNote>;
    if (typeof note.requested !== "string" || typeof note.base !== "string") return null;
    return { what: note.what ?? "", requested: note.requested, base: note.base };
  } catch {
    return null;
  }
}
