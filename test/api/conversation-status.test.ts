import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, setUp } from "../support/browser.ts";
import { type Any, wordsOf } from "../support/conversations.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { beforeMoment, until } from "../support/wait.ts";

let parley: TestParley;
let owner: Browser;
beforeAll(async () => {
  parley = await startParley();
  owner = await setUp(parley);
});
afterAll(() => parley.close());

const { made, got, patched, eventsOf, eventsAfter, wrongFields } = wordsOf(() => parley);
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const write = (id: number, body: object) => made(`/conversations/${id}/messages`, { body: "Hello", ...body });
const read = async (id: number): Promise<Any> => (await got(`/conversations/${id}`)).data;

describe("a message from the contact", () => {
  it.each(["snoozed", "resolved"])(
    "opens a %s conversation, with an event of the contact after that of the message",
    async (status) => {
      const { id, contact } = await made("/conversations", { contact: { name: "Ada" }, status });
      const events = await eventsOf(() => write(id, { direction: "in" }));
      const actor = { type: "contact", id: contact.id, name: "Ada" };
      expect(events.map(({ type, actor: by }) => [type, by])).toEqual([
        ["message.created", actor],
        ["conversation.status_changed", actor],
      ]);
      expect(events[1].data).toEqual(await read(id));
      expect(events[1].data).toMatchObject({
        status: "open",
        last_message: { seq: 1, direction: "in", body: "Hello" },
      });
    },
  );

  it.each(["open", "pending"])("leaves an %s conversation as it is", async (status) => {
    const { id } = await made("/conversations", { status });
    expect((await eventsOf(() => write(id, { direction: "in" }))).map(({ type }) => type)).toEqual(["message.created"]);
    expect((await read(id)).status).toBe(status);
  });

  it("opens a conversation once when several arrive at the same time, without gaps in their numbers", async () => {
    const { id } = await made("/conversations", { status: "resolved" });
    const events = await eventsOf(() => Promise.all(Array.from({ length: 10 }, () => write(id, { direction: "in" }))));
    expect(events.filter(({ type }) => type === "conversation.status_changed")).toHaveLength(1);
    const { data } = await got(`/conversations/${id}/messages`);
    expect(data.map(({ seq }: Any) => seq)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it("does not change a status that opening the conversation asked for", async () => {
    const { status } = await made("/conversations", { status: "resolved", message: { body: "x", direction: "in" } });
    expect(status).toBe("resolved");
  });
});

describe("a snooze", () => {
  it("ends automatically within 5 seconds, once, with an event of the system, however many nodes there are", async () => {
    const second = await startParley({}, parley.database);
    try {
      const { ids, cursor } = await beforeMoment(3_000, async (moment) => {
        const ids = await Promise.all(Array.from({ length: 5 }, async () => (await made("/conversations")).id));
        const { cursor } = await eventsAfter();
        const set = { status: "snoozed", snoozed_until: moment.toISOString() };
        const { body } = await parley.call("POST", "/conversations/bulk", { body: { ids, set } });
        expect(body.data.failed).toEqual([]);
        return { ids, cursor };
      });
      const allOpen = async () => (await Promise.all(ids.map(read))).every(({ status }) => status === "open");
      await until("every snooze has ended", allOpen, { timeoutMs: 8_000 });
      const { events } = await eventsAfter(cursor);
      const woken = events.filter(({ actor }) => actor.type === "system");
      expect(woken.map(({ type, data }) => [type, data.status, data.snoozed_until])).toEqual(
        ids.map(() => ["conversation.status_changed", "open", null]),
      );
      expect(new Set(woken.map(({ data }) => data.id))).toEqual(new Set(ids));
    } finally {
      await second.app.close();
    }
  });

  it("without an end waits for the contact, and its end can be moved while it lasts", async () => {
    const { id } = await made("/conversations");
    expect(await patched(`/conversations/${id}`, { status: "snoozed" })).toMatchObject({ snoozed_until: null });
    const end = inAnHour();
    const events = await eventsOf(() => patched(`/conversations/${id}`, { snoozed_until: end }));
    expect(events.map(({ type, data }) => [type, data.snoozed_until])).toEqual([
      ["conversation.updated", `${end.slice(0, 19)}+00:00`],
    ]);
    expect(await patched(`/conversations/${id}`, { status: "pending" })).toMatchObject({ snoozed_until: null });
  });

  it("is refused in the past, beyond a year, and for a conversation that is not snoozed", async () => {
    const { id } = await made("/conversations");
    const path = `/conversations/${id}`;
    const beyond = new Date(Date.now() + 370 * 86_400_000).toISOString();
    for (const snoozed_until of ["2020-01-01T00:00:00Z", beyond, "soon"])
      expect(await wrongFields("PATCH", path, { status: "snoozed", snoozed_until })).toEqual(["snoozed_until"]);
    expect(await wrongFields("PATCH", path, { snoozed_until: inAnHour() })).toEqual(["snoozed_until"]);
    expect(await wrongFields("PATCH", path, { status: "open", snoozed_until: inAnHour() })).toEqual(["snoozed_until"]);
    expect(await wrongFields("POST", "/conversations", { snoozed_until: inAnHour() })).toEqual(["snoozed_until"]);
  });
});

describe("waiting_since and last_message", () => {
  it("follow every message, note, edit and deletion", async () => {
    const { id } = await made("/conversations");
    const path = `/conversations/${id}/messages`;
    const first = await write(id, { direction: "in", body: "x".repeat(300) });
    await parley.database.query("update messages set created_at = created_at - interval '1 hour' where id = $1", [
      first.id,
    ]);
    await parley.database.query(
      "update conversations set waiting_since = waiting_since - interval '1 hour' where id = $1",
      [id],
    );
    const since = (await read(id)).waiting_since;
    await write(id, { direction: "in" });
    await write(id, { private: true });
    expect(await read(id)).toMatchObject({ waiting_since: since, last_message: { seq: 3, private: true } });
    const reply = await write(id, { body: "A reply" });
    expect(await read(id)).toMatchObject({ waiting_since: null, last_message: { id: reply.id, body: "A reply" } });
    await patched(`${path}/${reply.id}`, { private: true });
    expect((await read(id)).waiting_since).toBe(since);
    for (const { id: message } of (await got(path)).data.slice(0, 3)) await parley.call("DELETE", `${path}/${message}`);
    const conversation = await read(id);
    expect(conversation.last_message).toMatchObject({ id: first.id, body: "x".repeat(200) });
    expect([conversation.last_message_at, conversation.waiting_since]).toEqual([since, since]);
    await parley.call("DELETE", `${path}/${first.id}`);
    expect(await read(id)).toMatchObject({ last_message: null, last_message_at: null, waiting_since: null });
  });
});

describe("the first public reply of a person", () => {
  const reply = (id: number, body: object) => owner.call("POST", `//api/v1/conversations/${id}/messages`, body);

  it("assigns a conversation without assignee to that person, with an event", async () => {
    const { id } = await made("/conversations");
    await reply(id, { body: "A note", private: true });
    expect((await read(id)).assignee).toBeNull();
    const events = await eventsOf(() => reply(id, { body: "A reply" }));
    expect(events.map(({ type, actor }) => [type, actor.name])).toEqual([
      ["message.created", "Olive Owner"],
      ["conversation.assigned", "Olive Owner"],
    ]);
    expect((await read(id)).assignee.name).toBe("Olive Owner");
    await patched(`/conversations/${id}`, { assignee_id: 0 });
    await reply(id, { body: "One more" });
    expect((await read(id)).assignee).toBeNull();
  });

  it("assigns nobody when a key replies or the workspace has turned it off", async () => {
    const { id } = await made("/conversations");
    await write(id, {});
    expect((await read(id)).assignee).toBeNull();
    const turn = (assign_on_first_reply: boolean) => owner.call("PATCH", "/inbox-settings", { assign_on_first_reply });
    expect((await turn(false)).body.data).toEqual({ assign_on_first_reply: false });
    await reply(id, { body: "A reply" });
    await turn(true);
    expect((await owner.call("GET", "/inbox-settings")).body.data).toEqual({ assign_on_first_reply: true });
    expect((await read(id)).assignee).toBeNull();
  });
});

describe("filters of the list", () => {
  const subjects = async (query: string): Promise<string[]> =>
    (await got(`/conversations?${query}`)).data.map(({ subject }: Any) => subject);

  it("take several statuses, a priority, waiting, and nobody as assignee", async () => {
    await made("/conversations", { subject: "a", status: "pending", priority: "urgent", labels: ["mix"] });
    const { id } = await made("/conversations", { subject: "b", status: "resolved", priority: "low", labels: ["mix"] });
    await made("/conversations", { subject: "c", message: { body: "Hello?", direction: "in" }, labels: ["mix"] });
    expect(await subjects("label=mix&status=pending,resolved")).toEqual(["b", "a"]);
    expect(await subjects("label=mix&priority=urgent")).toEqual(["a"]);
    expect(await subjects("label=mix&priority=none")).toEqual(["c"]);
    expect(await subjects("label=mix&waiting=true")).toEqual(["c"]);
    expect(await subjects("label=mix&assignee_id=none&waiting=false")).toEqual(["b", "a"]);
    expect((await patched(`/conversations/${id}`, { priority: "" })).priority).toBeNull();
  });

  it("know the signed-in person, and refuse a key that asks for its own", async () => {
    const member = (await owner.call("GET", "/session")).body.data.user;
    await made("/conversations", { subject: "mine", assignee_id: member.id });
    const { body } = await owner.call("GET", "//api/v1/conversations?assignee_id=me&status=open");
    expect(body.data.map(({ subject }: Any) => subject)).toContain("mine");
    expect(await wrongFields("GET", "/conversations?assignee_id=me&unread=true&status=open,odd")).toEqual([
      "assignee_id",
      "status",
      "unread",
    ]);
  });
});
