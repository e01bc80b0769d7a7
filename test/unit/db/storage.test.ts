import { describe, expect, it } from "vitest";
import { LineReader } from "../../../src/backup/line-reader.ts";
import { sharedAccountWarning } from "../../../src/db/embedded/host/accounts.ts";
import { asFault } from "../../../src/db/errors.ts";
import { createStorageWatch } from "../../../src/db/storage-watch.ts";

const refused = (code: string, message: string) => Object.assign(new Error(message), { code });
const FULL = refused("53100", 'could not extend file "base/1/2": No space left on device');
const READ_ONLY = refused("42501", 'could not open file "base/1/2": Read-only file system');

describe("a database whose disk refuses a write", () => {
  it.each([
    [FULL, "The database cannot write: the disk is full."],
    [READ_ONLY, "The database cannot write: its file system is read-only."],
    [refused("58030", "could not write"), "The database cannot write: the disk reports errors."],
  ])("is a 503 that says why: %s", (error, message) => {
    expect(asFault(error)).toMatchObject({ code: "SERVICE_UNAVAILABLE", message });
  });

  it.each([refused("57014", "canceling statement due to statement timeout"), new Error("Query read timeout")])(
    "is not called unavailable where a statement took too long: %s",
    (error) => {
      expect(asFault(error)).toMatchObject({
        code: "SERVICE_UNAVAILABLE",
        message: expect.stringMatching(
          /^The database did not finish this in time: it is busy, or other requests change/,
        ),
      });
    },
  );

  it("is not confused with a missing privilege", () => {
    const error = refused("42501", "permission denied for table contacts");
    expect(asFault(error)).toBe(error);
  });

  it("makes the node unready for ten seconds, and no longer", () => {
    let now = 0;
    const watch = createStorageWatch(() => now);
    watch.notice(refused("23505", "duplicate key"));
    expect(watch.problem()).toBeNull();
    watch.notice(FULL);
    now = 9_999;
    expect(watch.problem()).toBe("The database cannot write: the disk is full.");
    now = 10_000;
    expect(watch.problem()).toBeNull();
  });
});

describe("a database that root starts", () => {
  const account = { uid: 1, gid: 1, switchTo: true };
  it("says so where its account belongs to others too, and how to create one", () => {
    expect(sharedAccountWarning({ ...account, name: "postgres" }, "/data/postgres")).toMatch(
      /runs as postgres.*useradd --system .*parley && chown -R parley: \/data\/postgres/,
    );
    expect(sharedAccountWarning({ ...account, name: "parley" }, "/data/postgres")).toBeNull();
    expect(sharedAccountWarning({ ...account, name: "postgres", switchTo: false }, "/data/postgres")).toBeNull();
  });
});

describe("the lines of a backup", () => {
  it("are read over the pieces that they come in", async () => {
    const lines = new LineReader(pieces("a", "b\nc\n\nd", "e\n", "rest"));
    const read = [];
    for (let line = await lines.next(); line; line = await lines.next()) read.push(line.toString());
    expect(read).toEqual(["ab", "c", "", "de"]);
    expect(await lines.isAtEnd()).toBe(false);
    expect(await new LineReader(pieces()).isAtEnd()).toBe(true);
  });

  it("are bounded, whatever a compressed file expands to", async () => {
    let read = 0;
    async function* endless() {
      for (; read < 1_000; read++) yield Buffer.alloc(1_048_576);
    }
    await expect(new LineReader(endless()).next()).rejects.toThrow(/altered|damaged/i);
    expect(read).toBeLessThan(100);
  });
});

async function* pieces(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}
