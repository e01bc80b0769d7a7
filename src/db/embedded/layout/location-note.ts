import { createHash, randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { link, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Where root keeps what the server's account could not reach under a closed directory such as /root. */
export const ELSEWHERE = "/var/lib/parley";

const WHAT =
  "Parley was started by root, and PostgreSQL's account cannot enter this directory, so the database is in `base`. " +
  "Back that up together with this directory. Without this file Parley creates an empty database.";

interface LocationNote {
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
 * The note is valid where it was written, and moves along with the data directory. In a copy (the original still has
 * its note) it is ignored: two clones must not share a database.
 */
export function readNote(requested: string): LocationNote | null {
  const note = parse(noteFile(requested));
  if (!note) return null;
  const copied = note.requested !== requested && parse(noteFile(note.requested))?.base === note.base;
  return copied ? null : note;
}

/**
 * An unused directory for `requested`. An earlier cluster without a note means that the data directory was deleted to
 * start over; that cluster is left alone, because only a person may delete data.
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

/** Writes the note and returns the base it names: another process may have written it first, with another base. */
export async function claimElsewhere(requested: string, base: string): Promise<string> {
  const file = noteFile(requested);
  const current = readNote(requested);
  if (current?.requested === requested) return current.base;
  const note: LocationNote = { what: WHAT, requested, base: current?.base ?? base };
  const draft = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  await writeFile(draft, `${JSON.stringify(note, null, 2)}\n`, { mode: 0o644, flush: true });
  try {
    // An invalid note (moved or copied along) is replaced; otherwise the first to link wins.
    if (existsSync(file)) await rename(draft, file);
    else await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return readNote(requested)?.base ?? base;
}

function parse(file: string): LocationNote | null {
  try {
    const { requested, base } = JSON.parse(readFileSync(file, "utf8")) as Partial<LocationNote>;
    return typeof requested === "string" && typeof base === "string" ? { what: WHAT, requested, base } : null;
  } catch {
    return null;
  }
}
