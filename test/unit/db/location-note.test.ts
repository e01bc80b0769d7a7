import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  claimElsewhere,
  noteFile,
  readNote,
  requireStartingOver,
} from "../../../src/db/embedded/layout/location-note.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "parley-note-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe("the note that says where the database is", () => {
  it("is read as it was written, and the first one wins", () => {
    expect(claimElsewhere(directory, "/var/lib/parley/a")).toBe("/var/lib/parley/a");
    expect(claimElsewhere(directory, "/var/lib/parley/b")).toBe("/var/lib/parley/a");
    expect(readNote(directory)?.base).toBe("/var/lib/parley/a");
  });

  it.each(["", "{", '{"requested":1}'])("that is damaged is refused, not taken for none: %j", (text) => {
    writeFileSync(noteFile(directory), text);
    expect(() => readNote(directory)).toThrow(/is damaged/);
  });

  it("that is lost stops a start: no empty database takes the place of the one there is", () => {
    writeFileSync(join(directory, "secret.key"), "x");
    expect(() => requireStartingOver(directory, "/var/lib/parley/a")).toThrow(
      /no note.*\/var\/lib\/parley\/a holds one/,
    );
  });

  it("may be missing where the directory was deleted to start over, or never had a database", () => {
    requireStartingOver(join(directory, "missing"), "/var/lib/parley/a");
    mkdirSync(join(directory, "empty"));
    requireStartingOver(join(directory, "empty"), "/var/lib/parley/a");
    writeFileSync(join(directory, "secret.key"), "x");
    requireStartingOver(directory, null);
  });
});
