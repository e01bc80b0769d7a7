import { describe, expect, it } from "vitest";
import type { Lookup, LookupOptions, ResolvedAddress } from "../../../src/url-guard/lookup.ts";
import { queueLookups } from "../../../src/url-guard/lookup-queue.ts";

const FOUND: ResolvedAddress[] = [{ address: "192.0.2.1", family: 4 }];
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A lookup whose outcomes the test decides. */
function controlled() {
  const open: { hostname: string; group: string; resolve(): void; reject(code: string): void; signal: AbortSignal }[] =
    [];
  const lookup: Lookup = (hostname, { group = "", signal } = {}) =>
    new Promise((resolve, reject) => {
      const entry = {
        hostname,
        group,
        signal: signal as AbortSignal,
        resolve: () => resolve(FOUND),
        reject: (code: string) => reject(Object.assign(new Error(code), { code })),
      };
      open.push(entry);
      signal?.addEventListener("abort", () => entry.reject("ECANCELLED"));
    });
  return { open, lookup };
}

describe("the queue of lookups", () => {
  it("starts no more lookups of one group than its share, and those of another group at once", async () => {
    const { open, lookup } = controlled();
    const queued = queueLookups(lookup, { perGroupMax: 2 });
    const waits: string[] = [];
    const ask = (hostname: string, group: string, more: LookupOptions = {}) =>
      queued(hostname, { group, onQueued: () => waits.push(hostname), ...more });
    const all = ["a", "b", "c", "d"].map((name) => ask(`${name}.example`, "1"));
    all.push(ask("e.example", "2"));
    await turn();
    expect(open.map(({ hostname }) => hostname)).toEqual(["a.example", "b.example", "e.example"]);
    expect(waits).toEqual(["c.example", "d.example"]);
    open[0]?.resolve();
    await turn();
    expect(open.map(({ hostname }) => hostname)).toContain("c.example");
    for (let index = 1; index < 5; index++) {
      open[index]?.resolve();
      await turn();
    }
    expect(await Promise.all(all)).toEqual(all.map(() => FOUND));
  });

  it("lets groups take turns when all slots are in use", async () => {
    const { open, lookup } = controlled();
    const queued = queueLookups(lookup, { max: 1 });
    const all = ["a", "b", "c"].map((name) => queued(`${name}.example`, { group: "1" }));
    all.push(queued("d.example", { group: "2" }));
    const order = async (index: number) => {
      await turn();
      open[index]?.resolve();
      return open[index]?.hostname;
    };
    expect([await order(0), await order(1), await order(2), await order(3)]).toEqual([
      "a.example",
      "d.example",
      "b.example",
      "c.example",
    ]);
    await Promise.all(all);
  });

  it("joins lookups of one name by one group, and keeps nothing once they have ended", async () => {
    const { open, lookup } = controlled();
    const queued = queueLookups(lookup);
    const both = [queued("a.example", { group: "1" }), queued("a.example", { group: "1" })];
    await turn();
    expect(open).toHaveLength(1);
    open[0]?.resolve();
    await Promise.all(both);
    void queued("a.example", { group: "1" }).catch(() => {});
    await turn();
    expect(open).toHaveLength(2);
  });

  it("cancels a lookup when the last of its callers leaves, and not before", async () => {
    const { open, lookup } = controlled();
    const queued = queueLookups(lookup);
    const [first, second] = [new AbortController(), new AbortController()];
    const refused = [first, second].map((caller) =>
      expect(queued("a.example", { signal: caller.signal })).rejects.toMatchObject({ code: "ECANCELLED" }),
    );
    await turn();
    first.abort();
    await turn();
    expect(open[0]?.signal.aborted).toBe(false);
    second.abort();
    await Promise.all(refused);
    expect(open[0]?.signal.aborted).toBe(true);
  });

  it("drops a lookup that is canceled while it waits for its turn", async () => {
    const { open, lookup } = controlled();
    const queued = queueLookups(lookup, { max: 1 });
    const caller = new AbortController();
    const first = queued("a.example");
    const refused = expect(queued("b.example", { signal: caller.signal })).rejects.toMatchObject({
      code: "ECANCELLED",
    });
    await turn();
    caller.abort();
    await refused;
    open[0]?.resolve();
    await first;
    await turn();
    expect(open.map(({ hostname }) => hostname)).toEqual(["a.example"]);
  });

  it("does not ask again at once for a name whose server stayed silent", async () => {
    const { open, lookup } = controlled();
    const queued = queueLookups(lookup, { backOffMs: 60, backOffMsMax: 60 });
    const failed = expect(queued("a.example")).rejects.toMatchObject({ code: "ETIMEOUT" });
    await turn();
    open[0]?.reject("ETIMEOUT");
    await failed;
    await expect(queued("a.example")).rejects.toMatchObject({ code: "EBACKOFF" });
    expect(open).toHaveLength(1);
    await expect
      .poll(async () => {
        void queued("a.example").catch(() => {});
        await turn();
        return open.length;
      })
      .toBe(2);
  });
});
