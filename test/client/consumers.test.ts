import { type ConsumerBatch, NotFoundError, Parley } from "@parley/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type NetworkProxy, networkProxyTo } from "../support/network-proxy.ts";
import { startParley, type TestParley } from "../support/parley.ts";

let server: TestParley;
let proxy: NetworkProxy;
let parley: Parley;
beforeAll(async () => {
  server = await startParley();
  proxy = await networkProxyTo(server.url);
  parley = new Parley({ url: proxy.url, key: server.key });
});
afterAll(async () => {
  await proxy.close();
  await server.close();
});

const direct = () => new Parley({ url: server.url, key: server.key });
const create = async (...names: string[]): Promise<void> => {
  for (const name of names) await direct().contacts.create({ name });
};
const namesOf = ({ events }: ConsumerBatch) => events.map(({ data }) => (data as { name: string }).name);
const filterOf = (prefix: string) => ({ data: { name: { $startsWith: prefix } } });

async function consumer(name: string, prefix: string): Promise<void> {
  await direct().consumers.put(name, { start: "now", types: ["contact.created"], filter: filterOf(prefix) });
}

describe("reading a consumer", () => {
  it("gives batches in order, and continues after what was acknowledged", async () => {
    await consumer("in-order", "o");
    await create("o1", "x", "o2", "o3");
    const seen: string[][] = [];
    for await (const batch of parley.consumers.read("in-order", { limit: 2 })) {
      seen.push(namesOf(batch));
      const { cursor } = await batch.ack();
      expect(cursor).toBe(batch.cursor);
      if (seen.flat().length === 3) break;
    }
    expect(seen).toEqual([["o1", "o2"], ["o3"]]);
  });

  it("gives a batch again that was not acknowledged, in this loop and in the next", async () => {
    await consumer("again", "a");
    await create("a1", "a2");
    const seen: string[][] = [];
    for await (const batch of parley.consumers.read("again", { limit: 1 })) {
      if (seen.push(namesOf(batch)) === 2) break;
    }
    for await (const batch of parley.consumers.read("again", { limit: 1 })) {
      seen.push(namesOf(batch));
      await batch.ack();
      if (seen.length === 4) break;
    }
    expect(seen).toEqual([["a1"], ["a1"], ["a1"], ["a2"]]);
  });

  it("connects again after a lost connection, while reading and while acknowledging", async () => {
    await consumer("lost", "l");
    const seen: string[][] = [];
    let reconnects = 0;
    const onReconnect = () => {
      if (++reconnects === 1) void create("l1").then(() => proxy.restore());
      else void proxy.restore();
    };
    await proxy.cut();
    for await (const batch of parley.consumers.read("lost", { onReconnect, wait: 5 })) {
      seen.push(namesOf(batch));
      if (seen.length === 1) await proxy.cut();
      await batch.ack();
      if (seen.length === 2) break;
      await create("l2");
    }
    expect(seen).toEqual([["l1"], ["l2"]]);
    expect(reconnects).toBeGreaterThanOrEqual(2);
  });

  it("moves on where nothing matches, so that no read looks at the same events twice", async () => {
    await consumer("rare", "never");
    const before = (await direct().consumers.get("rare")).cursor;
    await create("other");
    const stop = new AbortController();
    const reading = parley.consumers.read("rare", { signal: stop.signal, wait: 0 }).next();
    await expect.poll(async () => (await direct().consumers.get("rare")).cursor).not.toBe(before);
    stop.abort();
    expect(await reading).toEqual({ done: true, value: undefined });
  });

  it("ends quietly by its signal while it waits, and lets a batch in hand be acknowledged", async () => {
    await consumer("stopped", "s");
    await create("s1");
    const stop = new AbortController();
    let batches = 0;
    for await (const batch of parley.consumers.read("stopped", { signal: stop.signal })) {
      batches++;
      stop.abort();
      await batch.ack();
    }
    expect(batches).toBe(1);
    expect((await direct().consumers.get("stopped")).lag.events).toBe(0);
    const waiting = new AbortController();
    const next = parley.consumers.read("stopped", { signal: waiting.signal }).next();
    waiting.abort();
    expect((await next).done).toBe(true);
  });

  it("ends with an error where there is no such consumer", async () => {
    await expect(parley.consumers.read("missing").next()).rejects.toBeInstanceOf(NotFoundError);
  });
});
