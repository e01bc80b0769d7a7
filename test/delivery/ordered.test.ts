import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { conversationIdSql, EVENT_CATALOGUE, EVENT_TYPES } from "../../src/events/catalogue.ts";
import { hang, respondWith } from "../support/receiver.ts";
import { until } from "../support/wait.ts";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";

let fixture: WebhookFixture;
beforeAll(async () => {
  fixture = await startWebhookFixture();
});
afterAll(() => fixture?.close());
afterEach(() => fixture.receiver.behave(respondWith(200)));

const ordered = (input: object = {}) => fixture.createWebhook({ ordered: true, ...input });

async function openConversation(): Promise<number> {
  const reply = await fixture.parley.call("POST", "/conversations", { body: {} });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data.id;
}

async function write(conversation: number, body: string): Promise<void> {
  const reply = await fixture.parley.call("POST", `/conversations/${conversation}/messages`, { body: { body } });
  expect(reply.status, reply.text).toBe(201);
}

const bodiesAt = (path: string) => fixture.receiver.at(path).map(({ event }) => event.data.body);

const blocked = (webhook: { id: number }) =>
  fixture.parley.database.query("select 1 from deliveries where webhook_id = $1 and next_attempt_at = 'infinity'", [
    webhook.id,
  ]);

describe("an ordered webhook", () => {
  it("gets the next event of a conversation when the one before it has succeeded", async () => {
    const hook = await ordered();
    let failures = 2;
    fixture.receiver.behave((response, arrival) => {
      respondWith(arrival.event.data.body === "b" && failures-- > 0 ? 500 : 200)(response, arrival);
    }, hook.path);
    const conversation = await openConversation();
    for (const body of ["a", "b", "c", "d"]) await write(conversation, body);
    await fixture.receiver.waitFor(6, hook.path);
    expect(bodiesAt(hook.path)).toEqual(["a", "b", "b", "b", "c", "d"]);
  });

  it("gets the next event when the one before it is a dead letter", async () => {
    const hook = await ordered({ retry_count: 1 });
    fixture.receiver.behave((response, arrival) => {
      respondWith(arrival.event.data.body === "lost" ? 500 : 200)(response, arrival);
    }, hook.path);
    const conversation = await openConversation();
    for (const body of ["lost", "kept"]) await write(conversation, body);
    await fixture.receiver.waitFor(3, hook.path);
    expect(bodiesAt(hook.path)).toEqual(["lost", "lost", "kept"]);
  });

  it("gets other conversations, and events without one, while a conversation waits", async () => {
    const [slow, quick] = [await openConversation(), await openConversation()];
    const hook = await ordered({ events: ["message.created", "contact.created"] });
    fixture.receiver.behave((response, arrival) => {
      (arrival.event.data.conversation_id === slow ? hang : respondWith(200))(response, arrival);
    }, hook.path);
    await write(slow, "slow 1");
    await write(slow, "slow 2");
    await write(quick, "quick 1");
    await write(quick, "quick 2");
    await fixture.parley.call("POST", "/contacts", { body: { name: "Ada" } });
    await fixture.receiver.waitFor(4, hook.path);
    await until("the second slow one is blocked", async () => (await blocked(hook)).length === 1);
    const arrived = fixture.receiver.at(hook.path).map(({ event }) => event.data.body ?? event.type);
    expect(arrived.filter((name) => !name.startsWith("quick")).sort()).toEqual(["contact.created", "slow 1"]);
    expect(arrived.filter((name) => name.startsWith("quick"))).toEqual(["quick 1", "quick 2"]);
    await fixture.parley.call("DELETE", `/webhooks/${hook.id}`);
  });

  it("shows a blocked delivery as pending, without a time for its next attempt", async () => {
    const hook = await ordered();
    fixture.receiver.behave(hang, hook.path);
    const conversation = await openConversation();
    for (const body of ["first", "second"]) await write(conversation, body);
    await until("the second one is blocked", async () => (await blocked(hook)).length === 1);
    const events = (await fixture.parley.call("GET", "/events?order=desc&limit=1&type=message.created")).body.data;
    const { deliveries } = (await fixture.parley.call("GET", `/events/${events[0].id}`)).body.data;
    const own = deliveries.find(({ webhook_id }: { webhook_id: number }) => webhook_id === hook.id);
    expect(own).toMatchObject({ status: "pending", attempts: 0, next_attempt_at: null });
    expect((await fixture.parley.call("GET", `/webhooks/${hook.id}`)).body.data.health.pending).toBe(2);
    await fixture.parley.call("DELETE", `/webhooks/${hook.id}`);
  });

  it("gets what was blocked at once when it is no longer ordered", async () => {
    const hook = await ordered();
    fixture.receiver.behave((response, arrival) => {
      (arrival.event.data.body === "hangs" ? hang : respondWith(200))(response, arrival);
    }, hook.path);
    const conversation = await openConversation();
    for (const body of ["hangs", "b", "c"]) await write(conversation, body);
    await until("the others are blocked", async () => (await blocked(hook)).length === 2);
    const patched = await fixture.parley.call("PATCH", `/webhooks/${hook.id}`, { body: { ordered: false } });
    expect(patched.body.data.ordered).toBe(false);
    await fixture.receiver.waitFor(3, hook.path);
    await fixture.parley.call("DELETE", `/webhooks/${hook.id}`);
  });

  it("gets what it missed while it was disabled in order", async () => {
    const hook = await ordered();
    const since = new Date(Date.now() - 60_000).toISOString();
    await fixture.parley.call("POST", `/webhooks/${hook.id}/disable`);
    const conversation = await openConversation();
    for (let i = 0; i < 6; i++) await write(conversation, `missed ${i}`);
    await fixture.parley.call("POST", `/webhooks/${hook.id}/enable`);
    const reply = await fixture.parley.call("POST", `/webhooks/${hook.id}/recover`, { body: { since } });
    expect(reply.status, reply.text).toBe(202);
    await fixture.receiver.waitFor(6, hook.path);
    expect(bodiesAt(hook.path)).toEqual(Array.from({ length: 6 }, (_, i) => `missed ${i}`));
  });
});

it("every event about a conversation, a message or a draft names its conversation in its body", async () => {
  for (const type of EVENT_TYPES) {
    const data = EVENT_CATALOGUE[type].example as Record<string, unknown>;
    const payload = JSON.stringify({ id: "evt_0", type, data });
    const [row] = await fixture.parley.database.query<{ id: string | null }>(
      `select ${conversationIdSql("$1::text", "$2::text")} as id`,
      [type, payload],
    );
    const group = type.split(".")[0] as string;
    const expected = { conversation: data.id, message: data.conversation_id, draft: data.conversation_id }[group];
    expect(row?.id === null ? undefined : Number(row?.id), type).toBe(expected);
  }
});
