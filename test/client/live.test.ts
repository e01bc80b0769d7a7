import { Parley, type StreamedEvent, UnauthorizedError, unwrapWebhook } from "@parley/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exerciseClient } from "../support/client-exercise.mjs";
import { type NetworkProxy, networkProxyTo } from "../support/network-proxy.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

let server: TestParley;
let receiver: Receiver;
let proxy: NetworkProxy;
let parley: Parley;

beforeAll(async () => {
  server = await startParley();
  receiver = await startReceiver();
  proxy = await networkProxyTo(server.url);
  parley = new Parley({ url: server.url, key: server.key });
});
afterAll(async () => {
  await proxy.close();
  await receiver.close();
  await server.close();
});

describe("the client against a server", () => {
  it("creates, reads, lists, streams and verifies in this Node", async () => {
    const client = await import("@parley/client");
    expect(await exerciseClient(client, server)).toBe("ok");
  });

  it("reads a list of more than one page to its end", async () => {
    const label = { attributes: { batch: "paged" } };
    const names = Array.from({ length: 7 }, (_, index) => `Paged ${index}`);
    for (const name of names) await parley.contacts.create({ name, ...label });
    const found: (string | null)[] = [];
    for await (const contact of parley.contacts.list({ search: "Paged", per_page: 3 })) found.push(contact.name);
    expect(found).toEqual(names.reverse());
  });

  it("unwraps a real delivery", async () => {
    const webhook = await parley.webhooks.create({ name: "w", url: receiver.url("/unwrap"), events: ["contact.*"] });
    const contact = await parley.contacts.create({ name: "Delivered" });
    const [arrival] = await receiver.waitFor(1, "/unwrap");
    const event = await unwrapWebhook(arrival?.body ?? "", arrival?.headers ?? {}, webhook.secret);
    expect(event).toMatchObject({ type: "contact.created", data: { id: contact.id, name: "Delivered" } });
  });

  it("resumes a stream after a lost connection, from its very beginning, without gap or repeat", async () => {
    const through = new Parley({ url: proxy.url, key: server.key });
    const received: StreamedEvent[] = [];
    const stop = new AbortController();
    let opened = 0;
    let reconnects = 0;
    const reading = (async () => {
      const stream = through.events.stream({
        types: ["contact.created"],
        signal: stop.signal,
        onOpen: () => opened++,
        onReconnect: () => reconnects++,
      });
      for await (const item of stream) received.push(item);
    })();
    const create = async (name: string) => void (await parley.contacts.create({ name }));
    const names = () => received.map(({ event }) => (event.data as { name: string }).name);
    await until("the stream is open", () => opened === 1);
    // No event has been received yet: only the cursor of the first frame can close this gap.
    await proxy.cut();
    await create("A");
    await proxy.restore();
    await until("the missed event arrives", () => received.length === 1);
    await create("B");
    await until("the next event arrives", () => received.length === 2);
    await proxy.cut();
    await create("C");
    await proxy.restore();
    await until("the event of the second gap arrives", () => received.length === 3);
    stop.abort();
    await reading;
    expect(names()).toEqual(["A", "B", "C"]);
    expect(reconnects).toBeGreaterThanOrEqual(2);
    expect(new Set(received.map(({ cursor }) => cursor)).size).toBe(3);
  });

  it("replaces a stream that is silent for too long", async () => {
    const through = new Parley({ url: proxy.url, key: server.key });
    const stop = new AbortController();
    const reasons: string[] = [];
    const reading = (async () => {
      const stream = through.events.stream({
        signal: stop.signal,
        silenceMsMax: 50,
        onReconnect: ({ error }) => reasons.push(error.message),
      });
      for await (const _ of stream);
    })();
    await until("it reconnects", () => reasons.length > 0);
    stop.abort();
    await reading;
    expect(reasons[0]).toContain("silent for too long");
  });

  it("ends a stream with an error when the key is refused, and when it is revoked meanwhile", async () => {
    const refused = new Parley({ url: server.url, key: "wrong" }).events.stream();
    await expect(refused.next()).rejects.toBeInstanceOf(UnauthorizedError);
    const key = await parley.apiKeys.create({ name: "short-lived" });
    let isOpen = false;
    const stream = new Parley({ url: server.url, key: key.key }).events.stream({
      types: ["contact.*"],
      onOpen: () => {
        isOpen = true;
      },
    });
    const next = stream.next();
    await until("the stream is open", () => isOpen);
    await Promise.all([expect(next).rejects.toMatchObject({ code: "UNAUTHORIZED" }), parley.apiKeys.revoke(key.id)]);
  });
});
