import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDirectories } from "../../src/core/create-directory.ts";
import { moveDurably, writeDurable } from "../../src/core/durable-file.ts";
import { readOrCreateSecretKey, readSecretKey, writeSecretKey } from "../../src/core/secret-key-file.ts";
import { claimElsewhere, readNote } from "../../src/db/embedded/layout/location-note.ts";
import { openListenState } from "../../src/listen/state.ts";
import { type FailingDisk, openFailingDisk, whyNoFailingDisk } from "../support/failing-disk.ts";

const obstacle = whyNoFailingDisk();

describe("a power loss right after the call", () => {
  let disk: FailingDisk;
  let directory: string;
  beforeEach(({ skip }) => {
    skip(obstacle !== null, `no file system can be made here: ${obstacle}`);
    disk = openFailingDisk();
    directory = join(disk.path, "home", "data");
  });
  afterEach(() => disk?.close());

  it("leaves the key that secrets are sealed with", () => {
    const key = readOrCreateSecretKey(directory);
    disk.losePower();
    expect(readSecretKey(directory)).toBe(key);
  });

  it("leaves the key that a restore has brought", () => {
    writeSecretKey(directory, "the-key-of-the-backup");
    disk.losePower();
    expect(readSecretKey(directory)).toBe("the-key-of-the-backup");
  });

  it("leaves the note that says where the database is", () => {
    createDirectories(directory);
    claimElsewhere(directory, "/var/lib/parley/elsewhere");
    disk.losePower();
    expect(readNote(directory)?.base).toBe("/var/lib/parley/elsewhere");
  });

  it("leaves the secret and the cursor of listen", () => {
    const identity = { directory, url: "http://127.0.0.1:1", key: "k", target: "t" };
    const state = openListenState(identity);
    for (const cursor of ["first", "second"]) state.save(cursor);
    disk.losePower();
    const again = openListenState(identity);
    expect([again.secret, again.isNew, again.cursor()]).toEqual([state.secret, false, "second"]);
  });

  it("leaves a file under the name that it was given last, with everything in it", () => {
    createDirectories(directory);
    const [draft, file] = [join(directory, "backup.partial"), join(directory, "backup")];
    writeDurable(draft, "x".repeat(100_000));
    moveDurably(draft, file);
    disk.losePower();
    expect(readFileSync(file, "utf8")).toHaveLength(100_000);
  });

  it("would be noticed: what is written without waiting for the disk is gone", () => {
    mkdirSync(join(disk.path, "lost"));
    disk.losePower();
    expect(() => readFileSync(join(disk.path, "lost"))).toThrow("ENOENT");
  });
});
