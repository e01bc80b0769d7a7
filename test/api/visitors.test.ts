import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startParley, type TestParley } from "../support/parley.ts";
import { createWidget, inSeconds, openVisitor, signToken, type TestWidget } from "../support/visitor.ts";

let parley: TestParley;
let widget: TestWidget;
beforeAll(async () => {
  parley = await startParley({ PARLEY_WIDGET_SESSIONS_PER_ADDRESS: "10000", PARLEY_WIDGET_MESSAGES_PER_MINUTE: "30" });
  widget = await createWidget(parley);
});
afterAll(() => parley.close());

const rows = async (table: string): Promise<number> =>
  (await parley.database.query<{ count: number }>(`select count(*)::int as count from ${table}`))[0]?.count ?? 0;
const conversationOf = async (uuid: string) => (await parley.call("GET", `/conversations/${uuid}`)).body.data;

describe("a visitor", () => {
  it("leaves no row before the first message, which creates session, contact and conversation", async () => {
    const visitor = openVisitor(parley, widget);
    const before = [await rows("contacts"), await rows("visitor_sessions")];
    expect((await visitor.call("GET", "conversations")).body.error.code).toBe("SESSION_ENDED");
    expect([await rows("contacts"), await rows("visitor_sessions")]).toEqual(before);
    const page = { url: "https://shop.example/cart?secret=1#top" };
    const sent = await visitor.send("Hello", { page, name: "Ada", email: "ada@example.com" });
    expect(sent.status, sent.text).toBe(201);
    const { conversation, message } = sent.body.data;
    expect(message).toMatchObject({ direction: "in", body: "Hello", sender_name: "Ada", seq: 1, attachments: [] });
    expect(conversation).toMatchObject({ id: message.conversation, unread_count: 0, last_message: { id: message.id } });
    const stored = await conversationOf(conversation.id);
    expect(stored).toMatchObject({
      channel: "widget",
      widget_id: widget.id,
      contact_read_seq: 0,
      page: { url: "https://shop.example/cart" },
      contact: { name: "Ada", email: null, unverified_email: "ada@example.com", blocked: false, external_id: null },
    });
    const events = (await parley.call("GET", `/events?conversation_id=${stored.id}`)).body.data;
    expect(events.map(({ type }: { type: string }) => type)).toEqual(["conversation.created", "message.created"]);
    expect(events[1].actor).toEqual({ type: "contact", id: stored.contact.id, name: "Ada" });
  });

  it("who repeats a send, also at once, has stored one message and gets the same one", async () => {
    const visitor = openVisitor(parley, widget);
    const id = randomUUID();
    const replies = await Promise.all([1, 2, 3, 4].map(() => visitor.send("Once", { id })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
    expect(new Set(replies.map(({ body }) => body.data.message.id)).size).toBe(1);
    expect(replies[0]?.body.data.message.client_id).toBe(id);
    const listed = (await visitor.call("GET", "conversations")).body;
    expect(listed.data).toHaveLength(1);
    expect(listed.meta).toEqual({ next_cursor: null, has_more: false });
  });

  it("reads public messages with names only, and what they have read shows in the API without an event", async () => {
    const visitor = openVisitor(parley, widget);
    const { conversation } = (await visitor.send("Question")).body.data;
    const path = `/conversations/${conversation.id}`;
    await parley.call("POST", `${path}/messages`, { body: { body: "A secret note", private: true } });
    await parley.call("POST", `${path}/messages`, { body: { body: "A reply" } });
    const list = await visitor.call("GET", `conversations/${conversation.id}/messages`);
    expect(list.body.data.map(({ body }: { body: string }) => body)).toEqual(["A reply", "Question"]);
    expect(list.text).not.toMatch(/secret note|"sender"|api_key|"id":\d/);
    const [first] = (await visitor.call("GET", "conversations")).body.data;
    expect(first).toMatchObject({ unread_count: 1, last_message: { body: "A reply" } });
    const read = await visitor.call("POST", `conversations/${conversation.id}/read`, { body: { seq: 99 } });
    expect(read.body.data).toEqual({ contact_read_seq: 3 });
    expect((await visitor.call("GET", "conversations")).body.data[0].unread_count).toBe(0);
    const { id, contact_read_seq } = await conversationOf(conversation.id);
    expect(contact_read_seq).toBe(3);
    const types = (await parley.call("GET", `/events?conversation_id=${id}`)).body.data;
    expect(types.filter(({ type }: { type: string }) => type === "conversation.updated")).toEqual([]);
  });

  it("may have several conversations, latest activity first", async () => {
    const visitor = openVisitor(parley, widget);
    const first = (await visitor.send("First")).body.data.conversation.id;
    const second = (await visitor.send("Second")).body.data.conversation.id;
    expect(second).not.toBe(first);
    const again = await visitor.send("More", { conversation: first });
    expect(again.body.data.message.seq).toBe(2);
    const all = (await visitor.call("GET", "conversations?limit=1")).body;
    expect([all.data[0].id, all.meta.has_more]).toEqual([first, true]);
    const rest = (await visitor.call("GET", `conversations?limit=1&cursor=${all.meta.next_cursor}`)).body;
    expect(rest.data[0].id).toBe(second);
    expect((await conversationOf(first)).contact.id).toBe((await conversationOf(second)).contact.id);
  });

  it("sends files, which belong to the session until they are sent", async () => {
    const visitor = openVisitor(parley, widget);
    const refused = await visitor.call("POST", "files?name=a.txt", { rawBody: "bytes" });
    expect([refused.status, refused.body.error.code]).toEqual([401, "SESSION_ENDED"]);
    expect((await visitor.call("POST", "session", { body: {} })).body.data.visitor.identified).toBe(false);
    const headers = { "content-type": "text/plain" };
    const file = (await visitor.call("POST", "files?name=a.txt", { rawBody: "bytes", headers })).body.data;
    const other = openVisitor(parley, widget);
    await other.send("Hi");
    const stolen = await other.send("", { files: [file.id] });
    expect(stolen.status, stolen.text).toBe(422);
    expect(Object.keys(stolen.body.error.details)).toEqual(["files"]);
    const sent = await visitor.send("", { files: [file.id] });
    expect(sent.status, sent.text).toBe(201);
    const [attachment] = sent.body.data.message.attachments;
    expect(attachment).toMatchObject({ name: "a.txt", content_type: "text/plain", size_bytes: 5 });
    expect(await (await fetch(attachment.url)).text()).toBe("bytes");
    expect((await visitor.send("", { files: [file.id] })).status).toBe(422);
  });

  it("who writes to a resolved conversation reopens it, as every message from a contact does", async () => {
    const visitor = openVisitor(parley, widget);
    const { id } = (await visitor.send("Hi")).body.data.conversation;
    await parley.call("PATCH", `/conversations/${id}`, { body: { status: "resolved" } });
    expect((await visitor.send("Still there?", { conversation: id })).status).toBe(201);
    expect((await conversationOf(id)).status).toBe("open");
  });

  it("reads a transcript without notes; colleagues may have it with them, and with what it is about", async () => {
    const visitor = openVisitor(parley, widget);
    const { id } = (await visitor.send("Hi", { name: "Ada" })).body.data.conversation;
    await parley.call("POST", `/conversations/${id}/messages`, { body: { body: "Hidden", private: true } });
    const own = await visitor.call("GET", `conversations/${id}/transcript?time_zone=Europe/Berlin`);
    expect([own.status, own.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(own.text).toMatch(/^Times in Europe\/Berlin\.\n\n\[.*\] Ada: Hi/);
    expect(own.text).not.toContain("Hidden");
    await parley.call("PATCH", `/conversations/${id}`, { body: { subject: "Where is it?" } });
    const colleagues = await fetch(`${parley.url}/api/v1/conversations/${id}/transcript?notes=true`, {
      headers: { authorization: `Bearer ${parley.key}` },
    });
    expect(await colleagues.text()).toMatch(/^#\d+ Where is it\?\nAda\nTimes in UTC\.\n[\s\S]*\(note\): Hidden/);
    const wrong = await visitor.call("GET", `conversations/${id}/transcript?time_zone=Nowhere`);
    expect(wrong.body.error.details.time_zone).toHaveLength(1);
  });

  it("has a transcript whose heading shows a key no more than its scopes do", async () => {
    const visitor = openVisitor(parley, widget);
    const { id } = (await visitor.send("Hi", { name: "Ada" })).body.data.conversation;
    await parley.call("PATCH", `/conversations/${id}`, { body: { subject: "Where is it?" } });
    const headingFor = async (...abilities: string[]) => {
      const { key } = await parley.createKey({ type: "limited", abilities });
      const headers = { authorization: `Bearer ${key}` };
      const reply = await fetch(`${parley.url}/api/v1/conversations/${id}/transcript`, { headers });
      return (await reply.text()).split("Times in")[0]?.replace(/#\d+/, "#7");
    };
    expect(await headingFor("messages:read")).toBe("#7\n");
    expect(await headingFor("messages:read", "contacts:read")).toBe("#7\nAda\n");
    expect(await headingFor("messages:read", "conversations:read")).toBe("#7 Where is it?\n");
  });

  it("who logs out has ended the session: its token neither reads nor starts another one", async () => {
    const visitor = openVisitor(parley, widget);
    await visitor.send("Hi");
    expect((await visitor.call("DELETE", "session")).status).toBe(200);
    expect((await visitor.call("GET", "conversations")).body.error.code).toBe("SESSION_ENDED");
    expect((await visitor.send("Again")).body.error.code).toBe("SESSION_ENDED");
  });

  it("can always log out: of an inactive widget, blocked, with an expired identity, and twice", async () => {
    const closing = await createWidget(parley);
    const visitor = openVisitor(parley, closing);
    expect((await visitor.identify(signToken(closing.secret, { sub: "leaving", exp: inSeconds(600) }))).status).toBe(
      200,
    );
    await visitor.send("Hi");
    await parley.database.query(
      "update visitor_sessions set identity_expires_at = now() - interval '2 minutes' where identity->>'sub' = 'leaving'",
    );
    const change = (is_active: boolean) => parley.call("PATCH", `/widgets/${closing.id}`, { body: { is_active } });
    await change(false);
    expect((await visitor.call("GET", "conversations")).body.error.code).toBe("WIDGET_INACTIVE");
    const leaving = await visitor.call("DELETE", "session");
    expect(leaving.status, leaving.text).toBe(200);
    await change(true);
    expect((await visitor.call("GET", "conversations")).body.error.code).toBe("SESSION_ENDED");
    expect((await visitor.call("DELETE", "session")).status).toBe(200);
    const blocked = openVisitor(parley, widget);
    const { conversation } = (await blocked.send("Hi")).body.data;
    const { contact } = await conversationOf(conversation.id);
    await parley.call("PATCH", `/contacts/${contact.id}`, { body: { blocked: true } });
    expect((await blocked.call("DELETE", "session")).status).toBe(200);
    expect((await blocked.call("GET", "conversations")).body.error.code).toBe("BLOCKED");
  });

  it("who sends more than the limit reads how long to wait, and repeats do not count", async () => {
    const limited = openVisitor(parley, widget);
    const id = randomUUID();
    const { conversation } = (await limited.send("1", { id })).body.data;
    for (let sent = 2; sent <= 30; sent++)
      expect((await limited.send(String(sent), { conversation: conversation.id })).status).toBe(201);
    const refused = await limited.send("31", { conversation: conversation.id });
    expect([refused.status, refused.body.error.code]).toEqual([429, "RATE_LIMIT_EXCEEDED"]);
    expect(refused.body.error.retry_after).toBeGreaterThan(0);
    expect((await limited.send("1", { id })).status).toBe(200);
    expect((await openVisitor(parley, widget).send("Another")).status).toBe(201);
  });

  it("changes their details as seldom as they may send, and reads and types at most twice a second", async () => {
    const busy = openVisitor(parley, widget);
    const { conversation } = (await busy.send("Hi")).body.data;
    const statuses = async (count: number, act: (n: number) => Promise<{ status: number }>) => {
      const replies = [];
      for (let n = 0; n < count; n++) replies.push((await act(n)).status);
      return replies;
    };
    const changes = await statuses(30, (n) => busy.call("PATCH", "visitor", { body: { name: `Name ${n}` } }));
    expect(changes).toEqual([...Array(29).fill(200), 429]);
    const path = `conversations/${conversation.id}`;
    const reads = await statuses(60, (seq) => busy.call("POST", `${path}/read`, { body: { seq } }));
    const typing = await statuses(61, () => busy.call("POST", `${path}/typing`, { body: {} }));
    expect([...reads, ...typing]).toEqual([...Array(120).fill(200), 429]);
  });
});

describe("a contact", () => {
  it("that is blocked can neither read nor write, and its sessions stay ended when it is unblocked", async () => {
    const visitor = openVisitor(parley, widget);
    const { id } = (await visitor.send("Spam")).body.data.conversation;
    const { contact } = await conversationOf(id);
    const blocked = await parley.call("PATCH", `/contacts/${contact.id}`, { body: { blocked: true } });
    expect(blocked.body.data.blocked).toBe(true);
    const refused = await visitor.send("More", { conversation: id });
    expect([refused.status, refused.body.error.code]).toEqual([403, "BLOCKED"]);
    expect((await visitor.call("GET", "conversations")).body.error.code).toBe("BLOCKED");
    await parley.call("PATCH", `/contacts/${contact.id}`, { body: { blocked: null } });
    expect((await visitor.call("GET", "conversations")).body.error.code).toBe("SESSION_ENDED");
    const log = (await parley.call("GET", `/audit-logs?resource_type=contact&resource_id=${contact.id}`)).body.data;
    expect(log.map(({ action }: { action: string }) => action)).toEqual(["contact.unblocked", "contact.blocked"]);
  });

  it("whose sessions are ended starts a new one by writing again", async () => {
    const visitor = openVisitor(parley, widget);
    const { id } = (await visitor.send("Hi")).body.data.conversation;
    const { contact } = await conversationOf(id);
    const ended = await parley.call("DELETE", `/contacts/${contact.id}/sessions`);
    expect([ended.status, ended.body.data]).toEqual([200, { ended: 1 }]);
    expect((await visitor.call("GET", "conversations")).body.error.code).toBe("SESSION_ENDED");
    expect((await openVisitor(parley, widget).send("New")).status).toBe(201);
  });

  it("cannot be given an unverified address through the API", async () => {
    const body = { name: "Ada", unverified_email: "x@example.com" };
    expect((await parley.call("POST", "/contacts", { body })).body.data.unverified_email).toBeNull();
  });
});
