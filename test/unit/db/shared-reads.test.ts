import { describe, expect, it } from "vitest";
import { createSharedReads } from "../../../src/db/shared-reads.ts";

/** Statements that end when the test says so, with the version that the data had when they started. */
function createStatements() {
  let version = 1;
  const inFlight: { end: () => void; fail: (error: Error) => void }[] = [];
  return {
    write: () => {
      version++;
    },
    started: () => inFlight.length,
    endFirst: () => inFlight.shift()?.end(),
    failFirst: (error: Error) => inFlight.shift()?.fail(error),
    read: () => {
      const rows = [{ version }];
      return new Promise<{ version: number }[]>((resolve, reject) => {
        inFlight.push({ end: () => resolve(rows), fail: reject });
      });
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("equal reads at the same time", () => {
  it("run at once while at most two of them are in flight", () => {
    const statements = createStatements();
    const reads = createSharedReads();
    void reads.run("a", statements.read);
    void reads.run("a", statements.read);
    expect(statements.started()).toBe(2);
  });

  it("share one statement once two are in flight, and it starts when one of those has ended", async () => {
    const statements = createStatements();
    const reads = createSharedReads();
    const all = Array.from({ length: 30 }, () => reads.run("a", statements.read));
    expect(statements.started()).toBe(2);
    statements.endFirst();
    await settled();
    expect(statements.started()).toBe(2);
    statements.endFirst();
    statements.endFirst();
    await Promise.all(all);
    expect(statements.started()).toBe(0);
  });

  it("see what was written before they were requested, because none joins a statement that has started", async () => {
    const statements = createStatements();
    const reads = createSharedReads();
    void reads.run("a", statements.read);
    void reads.run("a", statements.read);
    void reads.run("a", statements.read);
    statements.endFirst();
    await settled();
    statements.write();
    const late = reads.run("a", statements.read);
    for (let round = 0; round < 3; round++) {
      statements.endFirst();
      await settled();
    }
    expect(await late).toEqual([{ version: 2 }]);
  });

  it("do not wait for reads with another key", () => {
    const statements = createStatements();
    const reads = createSharedReads();
    for (const key of ["a", "a", "b", "c"]) void reads.run(key, statements.read);
    expect(statements.started()).toBe(4);
  });

  it("fail together when their statement fails, and the next one is not harmed", async () => {
    const statements = createStatements();
    const reads = createSharedReads();
    void reads.run("a", statements.read);
    void reads.run("a", statements.read);
    const joined = [reads.run("a", statements.read), reads.run("a", statements.read)];
    statements.endFirst();
    statements.endFirst();
    await settled();
    const next = reads.run("a", statements.read);
    statements.failFirst(new Error("canceled"));
    for (const read of joined) await expect(read).rejects.toThrow("canceled");
    statements.endFirst();
    expect(await next).toEqual([{ version: 1 }]);
  });
});
