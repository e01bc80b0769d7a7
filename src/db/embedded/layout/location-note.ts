import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { writeDurable } from "../../../core/durable-file.ts";
import { EmbeddedRefusal } from "../host/refusal.ts";

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
export function claimElsewhere(requested: string, base: string): string {
  const file = noteFile(requested);
  const current = readNote(requested);
  if (current?.requested === requested) return current.base;
  const note: LocationNote = { what: WHAT, requested, base: current?.base ?? base };
  // An invalid note (moved or copied along) is replaced; otherwise the first one wins.
  writeDurable(file, `${JSON.stringify(note, null, 2)}\n`, { mode: 0o644, ifAbsent: !existsSync(file) });
  return readNote(requested)?.base ?? base;
}

/**
 * Before another database is created for a directory that has had one. A directory that was deleted to start over is empty;
 * one that still holds files has lost its note, and the database that it belongs to must not be replaced by an empty one.
 */
export function requireStartingOver(requested: string, kept: string | null): void {
  if (kept === null || !existsSync(requested) || readdirSync(requested).length === 0) return;
  const note = { what: WHAT, requested, base: kept };
  throw new EmbeddedRefusal(
    `${requested} has no note that says where its database is, and ${kept} holds one that was created for it. ` +
      `To use that one, write this to ${noteFile(requested)}: ${JSON.stringify(note)}. ` +
      `To start with an empty database, move ${requested} or ${kept} away.`,
  );
}

function parse(file: string): LocationNote | null {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return null;
  }
  try {
    const { requested, base } = JSON.parse(text) as Partial<LocationNote>;
    if (typeof requested === "string" && typeof base === "string") return { what: WHAT, requested, base };
  } catch {
    // Empty or cut off: said below.
  }
  throw new EmbeddedRefusal(
    `${file} says where the database is, and it is damaged. Copy it back from a backup, ` +
      `or set \`base\` in it to the directory that holds the database (see ${ELSEWHERE}); delete it only to start with an empty one.`,
  );
}
