import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verify } from "../support/receiver.ts";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";

let fixture: WebhookFixture;
beforeAll(async () => {
  fixture = await startWebhookFixture();
});
afterAll(() => fixture.close());

const call: WebhookFixture["parley"]["call"] = (...args) => fixture.parley.call(...args);
const create = (body: object, key: string) => call("POST", "/webhooks", { key, body: fixture.valid(body) });

/** What has arrived at each of these once `last` (sent after everything else) is there. */
async function receivedBy(webhooks: { path: string; secret: string }[], last: { path: string }, marker: string) {
  await fixture.receiver.waitFor(1, last.path);
  await call("POST", "/contacts", { body: { name: marker } });
  await fixture.receiver.waitFor(2, last.path);
  return webhooks.map(({ path, secret }) =>
    fixture.receiver.at(path).map((arrival) => {
      verify(arrival, secret);
      return arrival.event.type as string;
    }),
  );
}

describe("a subscription", () => {
  it("reaches by name, by group and by * exactly what it says", async () => {
    const byName = await fixture.createWebhook({ events: ["message.created"] });
    const byGroup = await fixture.createWebhook({ events: ["message.*"] });
    const both = await fixture.createWebhook({ events: ["message.created", "message.*", "*"] });
    const other = await fixture.createWebhook({ events: ["conversation.deleted"] });
    const all = await fixture.createWebhook({ events: ["*"] });
    const { id } = (await call("POST", "/conversations", { body: { subject: "s" } })).body.data;
    const message = (await call("POST", `/conversations/${id}/messages`, { body: { body: "a" } })).body.data;
    await call("PATCH", `/conversations/${id}/messages/${message.id}`, { body: { body: "b" } });
    await call("DELETE", `/conversations/${id}/messages/${message.id}`);
    const messages = ["message.created", "message.updated", "message.deleted"];
    await fixture.receiver.waitFor(5, all.path);
    await fixture.receiver.waitFor(5, both.path);
    await fixture.receiver.waitFor(3, byGroup.path);
    await fixture.receiver.waitFor(1, byName.path);
    const types = ({ path }: { path: string }) => fixture.receiver.at(path).map(({ event }) => event.type);
    expect(types(byName)).toEqual(["message.created"]);
    expect(types(byGroup).sort()).toEqual([...messages].sort());
    expect(types(all).sort()).toEqual(["contact.created", "conversation.created", ...messages].sort());
    expect(types(both).sort()).toEqual(types(all).sort());
    expect(types(other)).toEqual([]);
  });

  it("does not reach back: an event from before it is not sent", async () => {
    await fixture.write("before");
    const webhook = await fixture.createWebhook();
    await fixture.write("after");
    await fixture.receiver.waitFor(1, webhook.path);
    expect(fixture.receiver.at(webhook.path).map(({ event }) => event.data.body)).toEqual(["after"]);
  });

  it("to webhook.test receives no other webhook's test", async () => {
    const listener = await fixture.createWebhook({ events: ["webhook.*", "*"] });
    const tested = await fixture.createWebhook();
    await call("POST", `/webhooks/${tested.id}/test`);
    await call("POST", "/contacts", { body: {} });
    await fixture.receiver.waitFor(1, listener.path);
    expect(fixture.receiver.at(listener.path).map(({ event }) => event.type)).toEqual(["contact.created"]);
  });
});

describe("api_key events", () => {
  it("ask for api-keys:manage when named, one by one or as a group", async () => {
    const { key } = await fixture.parley.createKey({ type: "webhook" });
    for (const events of [["api_key.created"], ["message.*", "api_key.*"]]) {
      const reply = await create({ events }, key);
      expect(reply.status).toBe(403);
      expect(reply.body.error.code).toBe("FORBIDDEN");
      expect(reply.body.error.message).toContain("api-keys:manage");
    }
    const { data } = (await create({ events: ["message.*"] }, key)).body;
    const patched = await call("PATCH", `/webhooks/${data.id}`, { key, body: { events: ["api_key.*"] } });
    expect(patched.status).toBe(403);
    expect((await call("GET", `/webhooks/${data.id}`)).body.data.events).toEqual(["message.*"]);
  });

  it("reach a webhook of * only when its creator holds api-keys:manage", async () => {
    const { key } = await fixture.parley.createKey({ type: "webhook", abilities: ["*"] });
    const narrow = await fixture.createWebhook({ events: ["*"] }, { key });
    const wide = await fixture.createWebhook({ events: ["*"] });
    const named = await fixture.createWebhook({ events: ["api_key.*", "contact.created"] });
    const made = await fixture.parley.createKey({ name: "watched" });
    await call("POST", `/api-keys/${made.id}/rotate`);
    await call("DELETE", `/api-keys/${made.id}`);
    await call("POST", "/contacts", { body: {} });
    await fixture.receiver.waitFor(4, wide.path);
    await fixture.receiver.waitFor(4, named.path);
    await fixture.receiver.waitFor(1, narrow.path);
    const [ofNarrow, ofWide, ofNamed] = await receivedBy([narrow, wide, named], narrow, "narrow");
    expect(ofNarrow?.filter((type) => type.startsWith("api_key."))).toEqual([]);
    const keyEvents = ["api_key.created", "api_key.revoked", "api_key.rotated"];
    expect(ofWide?.filter((type) => type.startsWith("api_key.")).sort()).toEqual(keyEvents);
    expect(ofNamed?.filter((type) => type.startsWith("api_key.")).sort()).toEqual(keyEvents);
    for (const { body } of fixture.receiver.at(wide.path)) expect(body).not.toContain(made.key);
  });

  it("are lost by a webhook whose events are chosen again without that scope", async () => {
    const { key } = await fixture.parley.createKey({ type: "webhook" });
    const webhook = await fixture.createWebhook({ events: ["*"] });
    const patched = await call("PATCH", `/webhooks/${webhook.id}`, { key, body: { events: ["*"] } });
    expect(patched.status).toBe(200);
    await fixture.parley.createKey({ name: "unheard" });
    await call("POST", "/contacts", { body: {} });
    await fixture.receiver.waitFor(1, webhook.path);
    expect(fixture.receiver.at(webhook.path).map(({ event }) => event.type)).toEqual(["contact.created"]);
  });
});

describe("a new url", () => {
  it("cannot redirect api_key events for a caller who could not subscribe to them", async () => {
    const { key } = await fixture.parley.createKey({ type: "webhook" });
    const named = await fixture.createWebhook({ events: ["api_key.*"] });
    const wild = await fixture.createWebhook({ events: ["*"] });
    const url = fixture.receiver.url(fixture.freshPath());
    const patch = (id: number, body: object) => call("PATCH", `/webhooks/${id}`, { key, body });
    expect((await patch(named.id, { url })).status).toBe(403);
    expect((await call("GET", `/webhooks/${named.id}`)).body.data.url).toBe(named.url);
    expect((await patch(named.id, { name: "renamed", url: named.url })).status).toBe(200);
    expect((await patch(wild.id, { url })).status).toBe(200);
    await fixture.parley.createKey({ name: "received by name only" });
    await call("POST", "/contacts", { body: {} });
    const path = new URL(url).pathname;
    await fixture.receiver.waitFor(1, path);
    await fixture.receiver.waitFor(1, named.path);
    expect(fixture.receiver.at(path).map(({ event }) => event.type)).toEqual(["contact.created"]);
  });
});

describe("skip_own_events", () => {
  it("leaves out what the key that created the webhook caused, and nothing else", async () => {
    const mine = await fixture.parley.createKey({ name: "mine", rate_limit_tier: "unlimited" });
    const skipping = await fixture.createWebhook({ skip_own_events: true }, { key: mine.key });
    const hearing = await fixture.createWebhook({ skip_own_events: false }, { key: mine.key });
    expect(skipping.skip_own_events).toBe(true);
    await fixture.write("by mine", { key: mine.key });
    await fixture.write("by another");
    await fixture.receiver.waitFor(2, hearing.path);
    await fixture.receiver.waitFor(1, skipping.path);
    expect(fixture.receiver.at(skipping.path).map(({ event }) => event.data.body)).toEqual(["by another"]);
    await fixture.waitForLogs(skipping, 1);
    expect(await fixture.queued(skipping)).toEqual([]);
    await call("PATCH", `/webhooks/${skipping.id}`, { body: { skip_own_events: false } });
    await fixture.write("by mine again", { key: mine.key });
    await fixture.receiver.waitFor(2, skipping.path);
  });

  it("does not hide what contacts wrote, although the key passed it on", async () => {
    const mine = await fixture.parley.createKey({ name: "relay", rate_limit_tier: "unlimited" });
    const skipping = await fixture.createWebhook({ skip_own_events: true }, { key: mine.key });
    const { data: conversation } = (await call("POST", "/conversations", { key: mine.key, body: {} })).body;
    for (const direction of ["out", "in"])
      await call("POST", `/conversations/${conversation.id}/messages`, {
        key: mine.key,
        body: { body: direction, direction },
      });
    await fixture.waitForLogs(skipping, 1);
    expect(fixture.receiver.at(skipping.path).map(({ event }) => event.data.body)).toEqual(["in"]);
  });
});
