import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as outbox from "../../../widget/src/frame/logic/outbox.ts";

const entry = (id: string, change: Partial<outbox.Entry> = {}): outbox.Entry => ({
  ...{ id, conversation: "new:a", body: id, files: [], createdAt: Number(id), problem: null },
  ...change,
});
const of = (...entries: outbox.Entry[]): outbox.Outbox => entries.reduce(outbox.add, [] as outbox.Outbox);
const ids = (entries: outbox.Outbox): string[] => entries.map(({ id }) => id);

describe("the outbox", () => {
  it("sends in the order of writing, and takes an id once", () => {
    const entries = of(entry("2"), entry("1"), entry("2"));
    expect(ids(entries)).toEqual(["1", "2"]);
    expect(outbox.nextToSend(entries)?.id).toBe("1");
  });

  it("moves what waits for a new conversation to the stored one when its first message is confirmed", () => {
    const entries = of(entry("1"), entry("2"), entry("3", { conversation: "new:b" }));
    const after = outbox.confirm(entries, "1", "stored");
    expect(after.map(({ conversation }) => conversation)).toEqual(["stored", "new:b"]);
  });

  it("keeps what was refused until the visitor decides, and sends the others", () => {
    const entries = outbox.fail(of(entry("1"), entry("2")), "1", "refused");
    expect(outbox.nextToSend(entries)?.id).toBe("2");
    expect(outbox.nextToSend(outbox.retry(entries, "1"))?.id).toBe("1");
    expect(ids(outbox.remove(entries, "1"))).toEqual(["2"]);
  });

  it("sends nothing by itself after the end of the session, and loses nothing", () => {
    const entries = outbox.endAll(of(entry("1", { conversation: "stored" }), entry("2")));
    expect(outbox.nextToSend(entries)).toBeUndefined();
    expect(ids(entries)).toEqual(["1", "2"]);
    expect(outbox.nextToSend(outbox.retry(entries, "1"))?.conversation).toBe("new:1");
  });

  it("leaves a lost file out when the visitor sends the rest, and keeps those that were uploaded", () => {
    const files = [
      { name: "a", size: 1 },
      { name: "b", size: 1 },
    ];
    let entries = outbox.uploaded(of(entry("1", { files })), "1", { index: 1, id: "f" });
    entries = outbox.retry(outbox.fail(entries, "1", "file-lost"), "1");
    expect(entries[0]?.files).toEqual([{ name: "b", size: 1, id: "f" }]);
  });

  it("has every entry that was added and neither confirmed nor removed, whatever happens", () => {
    const id = fc.integer({ min: 1, max: 6 }).map(String);
    const step = fc.tuple(fc.constantFrom("add", "confirm", "remove", "fail", "retry"), id);
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const expected = new Set<string>();
        let entries: outbox.Outbox = [];
        for (const [act, one] of steps) {
          if (act === "add") entries = outbox.add(entries, entry(one));
          if (act === "confirm") entries = outbox.confirm(entries, one, "stored");
          if (act === "remove") entries = outbox.remove(entries, one);
          if (act === "fail") entries = outbox.fail(entries, one, "refused");
          if (act === "retry") entries = outbox.retry(entries, one);
          if (act === "add") expected.add(one);
          if (act === "confirm" || act === "remove") expected.delete(one);
        }
        expect(ids(entries)).toEqual([...expected].sort());
      }),
    );
  });

  it("waits longer after each failure, at most 15 seconds", () => {
    expect([1, 2, 3, 4, 5, 50].map(outbox.retryDelayMs)).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
  });
});
