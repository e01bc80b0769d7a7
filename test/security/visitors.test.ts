import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { visitorRoutes } from "../../src/http/routes/visitor/index.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { createWidget, inSeconds, newToken, openVisitor, signToken, type TestWidget } from "../support/visitor.ts";

let parley: TestParley;
let widget: TestWidget;
beforeAll(async () => {
  parley = await startParley({ PARLEY_WIDGET_SESSIONS_PER_ADDRESS: "40" });
  widget = await createWidget(parley);
});
afterAll(() => parley.close());

const claims = (sub: string, more: object = {}) => ({ sub, exp: inSeconds(600), ...more });
const token = (sub: string, more: object = {}, secret = widget.secret) => signToken(secret, claims(sub, more));
const conversationOf = async (uuid: string) => (await parley.call("GET", `/conversations/${uuid}`)).body.data;
const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [status, body.error?.code];

/** Every route of a conversation, with a body that is right. */
const ROUTES = [
  ["GET", "messages"],
  ["POST", "read", { seq: 1 }],
  ["POST", "typing", {}],
  ["GET", "transcript"],
] as const;

describe("a visitor route", () => {
  it("gives another visitor's, widget's and workspace's token nothing of a conversation", async () => {
    const owner = openVisitor(parley, widget);
    const { id } = (await owner.send("Private")).body.data.conversation;
    const otherWidget = await createWidget(parley);
    const { key } = await parley.createWorkspace();
    const foreign = await createWidget(parley, {}, key);
    const strangers = [openVisitor(parley, widget), openVisitor(parley, otherWidget), openVisitor(parley, foreign)];
    for (const stranger of strangers) {
      await stranger.send("Hi");
      for (const [method, path, body] of ROUTES)
        expect(codeOf(await stranger.call(method, `conversations/${id}/${path}`, body ? { body } : {}))).toEqual([
          404,
          "NOT_FOUND",
        ]);
      expect(codeOf(await stranger.send("Mine now", { conversation: id }))).toEqual([404, "NOT_FOUND"]);
      expect((await stranger.call("GET", "conversations")).text).not.toContain(id);
    }
    for (const other of [otherWidget, foreign]) {
      const misused = openVisitor(parley, other, owner.token);
      expect(codeOf(await misused.call("GET", "conversations"))).toEqual([401, "SESSION_ENDED"]);
      expect(codeOf(await misused.send("Hi"))).toEqual([401, "SESSION_ENDED"]);
      expect(codeOf(await misused.call("POST", "session", { body: {} }))).toEqual([401, "SESSION_ENDED"]);
    }
    const { id: number } = await conversationOf(id);
    expect(codeOf(await owner.call("GET", `conversations/${number}/messages`))).toEqual([404, "NOT_FOUND"]);
  });

  it("accepts no origin but Parley's own, and no request without a token of the right form", async () => {
    const visitor = openVisitor(parley, widget);
    await visitor.send("Hi");
    for (const origin of ["https://shop.example", "null", "https://evil.example"]) {
      expect(codeOf(await visitor.call("GET", "conversations", { headers: { origin } }))).toEqual([
        403,
        "WRONG_ORIGIN",
      ]);
      const body = { id: randomUUID(), body: "x" };
      expect(codeOf(await visitor.call("POST", "messages", { body, headers: { origin } }))).toEqual([
        403,
        "WRONG_ORIGIN",
      ]);
    }
    for (const wrong of ["", "pvs_short", newToken().slice(4), parley.key])
      expect(codeOf(await openVisitor(parley, widget, wrong).call("GET", "conversations"))).toEqual([
        401,
        "SESSION_ENDED",
      ]);
    expect(codeOf(await openVisitor(parley, { public_id: "wid_x" }).send("Hi"))).toEqual([404, "NOT_FOUND"]);
    const inactive = await createWidget(parley, { is_active: false });
    expect(codeOf(await openVisitor(parley, inactive).send("Hi"))).toEqual([403, "WIDGET_INACTIVE"]);
  });

  it("gives nothing, whichever it is, to a forged token or to that of an ended session", async () => {
    const ended = openVisitor(parley, widget);
    const { id } = (await ended.send("Thank you")).body.data.conversation;
    await ended.call("DELETE", "session");
    const routes = visitorRoutes({} as never).map(({ method, path }) => [method, path.slice(1)] as const);
    expect(routes.length).toBeGreaterThan(10);
    const bodies: Record<string, object> = { messages: { id: randomUUID(), body: "Hi" }, read: { seq: 1 } };
    for (const [method, path] of routes)
      for (const wrong of [ended.token, "pvs_short", parley.key, "' or true --"]) {
        const body = method === "GET" ? {} : { body: bodies[path.split("/").at(-1) ?? ""] ?? {} };
        const reply = await openVisitor(parley, widget, wrong).call(method, path.replace("{conversation}", id), body);
        // Who has left may leave again, and learns nothing by it.
        const leavesAgain = method === "DELETE" && wrong === ended.token;
        const expected = leavesAgain ? [200, undefined] : [401, "SESSION_ENDED"];
        expect(codeOf(reply), `${method} ${path} with ${wrong}`).toEqual(expected);
        expect(reply.text).not.toContain("Thank you");
      }
  });

  it("refuses odd numbers and names as what they are, never with an error of ours", async () => {
    const visitor = openVisitor(parley, widget);
    const { id } = (await visitor.send("Hi")).body.data.conversation;
    for (const seq of [1e300, 2 ** 63, -1, 0.5, "1", null])
      expect((await visitor.call("POST", `conversations/${id}/read`, { body: { seq } })).status).toBe(422);
    const names = ["%00", "%ED%A0%80", "..%2f", "wid_'--", "x".repeat(5_000)];
    for (const name of names) {
      expect((await openVisitor(parley, { public_id: name }).call("GET", "conversations")).status).toBeOneOf([
        400, 404,
      ]);
      expect((await visitor.call("GET", `conversations/${name}/messages`)).status).toBeOneOf([400, 404]);
    }
  });

  it("keeps text as text, whatever is in it", async () => {
    const visitor = openVisitor(parley, widget);
    const text = `<script>alert(1)</script><img src=x onerror=alert(1)>javascript:alert(1)`;
    const page = { url: "javascript:alert(1)" };
    const { data } = (await visitor.send(text, { name: text.slice(0, 200), page })).body;
    expect(data.message.body).toBe(text);
    expect((await conversationOf(data.conversation.id)).page).toBeNull();
    const elsewhere = (await visitor.send("x", { page: { url: "https://evil.example/login" } })).body.data;
    expect((await conversationOf(elsewhere.conversation.id)).page).toBeNull();
  });

  it("starts no more sessions for an address than the limit, however many tokens it invents", async () => {
    const replies = [];
    for (let count = 0; count < 45; count++) replies.push(await openVisitor(parley, widget).send("Flood"));
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.body.error.retry_after).toBeGreaterThan(0);
  });
});

describe("an identity token", () => {
  let own: TestParley;
  let shop: TestWidget;
  beforeAll(async () => {
    own = await startParley({ PARLEY_WIDGET_SESSIONS_PER_ADDRESS: "1000" });
    shop = await createWidget(own);
  });
  afterAll(() => own.close());

  it("that is forged, expired, too long or of another algorithm is refused, and stores nothing", async () => {
    const none = signToken(shop.secret, claims("ada"), { alg: "none" }).replace(/[^.]*$/, "");
    const wrong: [string, string][] = [
      [none, "IDENTITY_INVALID"],
      [signToken(shop.secret, claims("ada"), { alg: "HS512" }), "IDENTITY_INVALID"],
      [signToken(`wis_${Buffer.alloc(32).toString("base64")}`, claims("ada")), "IDENTITY_INVALID"],
      [signToken(shop.secret, { sub: "ada" }), "IDENTITY_INVALID"],
      [signToken(shop.secret, { exp: inSeconds(60) }), "IDENTITY_INVALID"],
      [signToken(shop.secret, { sub: "ada", exp: inSeconds(-61) }), "IDENTITY_EXPIRED"],
      [signToken(shop.secret, { sub: "ada", exp: inSeconds(3_700) }), "IDENTITY_INVALID"],
      [signToken(shop.secret, claims("ada", { aud: "wid_other" })), "IDENTITY_INVALID"],
      [signToken(shop.secret, claims("ada", { nbf: inSeconds(120) })), "IDENTITY_INVALID"],
      [signToken(shop.secret, { sub: 5, exp: inSeconds(60) }), "IDENTITY_INVALID"],
      [signToken(shop.secret, claims("a\u0000da")), "IDENTITY_INVALID"],
      [signToken(shop.secret, claims("ada\ud800")), "IDENTITY_INVALID"],
      ["not.a.token", "IDENTITY_INVALID"],
    ];
    for (const [identity, code] of wrong)
      expect(codeOf(await openVisitor(own, shop).identify(identity)), identity).toEqual([401, code]);
    expect(await own.database.query("select from visitor_sessions")).toEqual([]);
    expect(await own.database.query("select from contacts")).toEqual([]);
  });

  it("moves what was written anonymously, and a second identity never sees the first one's", async () => {
    const visitor = openVisitor(own, shop);
    const { id } = (await visitor.send("Before")).body.data.conversation;
    const anonymous = (await own.call("GET", `/conversations/${id}`)).body.data.contact;
    const identity = token("ada", { name: "Ada", email: "ada@example.com", aud: shop.public_id }, shop.secret);
    expect((await visitor.identify(identity)).body.data.visitor).toEqual({
      name: "Ada",
      email: "ada@example.com",
      identified: true,
    });
    const { contact } = (await own.call("GET", `/conversations/${id}`)).body.data;
    expect(contact).toMatchObject({ external_id: "ada", name: "Ada", email: "ada@example.com" });
    expect((await own.call("GET", `/contacts/${anonymous.id}`)).status).toBe(404);
    expect((await visitor.call("GET", "conversations")).body.data[0].id).toBe(id);
    expect(codeOf(await visitor.identify(token("bob", {}, shop.secret)))).toEqual([401, "IDENTITY_INVALID"]);
    const bob = openVisitor(own, shop);
    await bob.identify(token("bob", {}, shop.secret));
    expect((await bob.call("GET", "conversations")).body.data).toEqual([]);
    const again = openVisitor(own, shop);
    await again.identify(token("ada", {}, shop.secret));
    expect((await again.call("GET", "conversations")).body.data[0].id).toBe(id);
  });

  it("keeps what is known about the anonymous contact where the identified one has nothing of it", async () => {
    const visitor = openVisitor(own, shop);
    const typed = { name: "Flo", email: "flo@example.com" };
    const { id } = (await visitor.send("Before", typed)).body.data.conversation;
    const anonymous = (await own.call("GET", `/conversations/${id}`)).body.data.contact;
    const body = { phone: "+49 30 1", attributes: { plan: "pro", seats: 2 } };
    await own.call("PATCH", `/contacts/${anonymous.id}`, { body });
    await visitor.identify(token("flo", { attributes: { seats: 3 } }, shop.secret));
    expect((await own.call("GET", `/conversations/${id}`)).body.data.contact).toMatchObject({
      external_id: "flo",
      name: "Flo",
      email: null,
      unverified_email: "flo@example.com",
      phone: "+49 30 1",
      attributes: { plan: "pro", seats: 3 },
    });
    const again = openVisitor(own, shop);
    const other = (await again.send("Again", { name: "F.", email: "f@example.com" })).body.data.conversation;
    await again.identify(token("flo", { email: "flo@shop.example" }, shop.secret));
    expect((await own.call("GET", `/conversations/${other.id}`)).body.data.contact).toMatchObject({
      name: "Flo",
      email: "flo@shop.example",
      unverified_email: "flo@example.com",
    });
  });

  it("is needed for every call of a widget that requires it, and a typed address joins nobody", async () => {
    const strict = await createWidget(own, { require_identity: true });
    expect(codeOf(await openVisitor(own, strict).send("Hi"))).toEqual([401, "IDENTITY_REQUIRED"]);
    const known = openVisitor(own, strict);
    await known.identify(token("cy", { email: "cy@example.com" }, strict.secret));
    expect((await known.send("Hi")).status).toBe(201);
    const liar = openVisitor(own, shop);
    const { id } = (await liar.send("I am Cy", { email: "cy@example.com" })).body.data.conversation;
    const { contact } = (await own.call("GET", `/conversations/${id}`)).body.data;
    expect(contact).toMatchObject({ email: null, unverified_email: "cy@example.com", external_id: null });
  });

  it("of a rotated secret is valid until the overlap ends", async () => {
    const rotating = await createWidget(own);
    const old = token("dee", {}, rotating.secret);
    await own.call("POST", `/widgets/${rotating.id}/rotate-secret`, { body: { overlap_seconds: 60 } });
    expect((await openVisitor(own, rotating).identify(old)).status).toBe(200);
    await own.call("POST", `/widgets/${rotating.id}/rotate-secret`, { body: { overlap_seconds: 0 } });
    expect(codeOf(await openVisitor(own, rotating).identify(old))).toEqual([401, "IDENTITY_INVALID"]);
  });

  it("that has expired ends what its session may do, and a new one continues it", async () => {
    const visitor = openVisitor(own, shop);
    await visitor.identify(token("eve", {}, shop.secret));
    const { id } = (await visitor.send("Hi")).body.data.conversation;
    await own.database.query("update visitor_sessions set identity_expires_at = now() - interval '61 seconds'");
    expect(codeOf(await visitor.call("GET", "conversations"))).toEqual([401, "IDENTITY_EXPIRED"]);
    expect(codeOf(await visitor.send("More", { conversation: id }))).toEqual([401, "IDENTITY_EXPIRED"]);
    await visitor.identify(token("eve", {}, shop.secret));
    expect((await visitor.send("More", { conversation: id })).status).toBe(201);
  });
});

describe("the stream of a visitor", () => {
  let parley: TestParley;
  const conversationOf = async (uuid: string) => (await parley.call("GET", `/conversations/${uuid}`)).body.data;
  beforeAll(async () => {
    parley = await startParley();
  });
  afterAll(() => parley.close());

  it("shows replies once, resumes without a gap, never notes, and ends with the session", async () => {
    const visitor = openVisitor(parley, await createWidget(parley));
    const { conversation } = (await visitor.call("POST", "session", { body: {} }).then(() => visitor.send("Hi"))).body
      .data;
    const path = `/conversations/${conversation.id}/messages`;
    const first = await visitor.stream();
    const [hello] = await first.received("hello");
    await parley.call("POST", path, { body: { body: "Hidden", private: true } });
    await parley.call("POST", path, { body: { body: "One" } });
    const [one] = await first.received("message");
    expect(one?.data).toMatchObject({ body: "One", direction: "out" });
    first.close();
    await parley.call("POST", path, { body: { body: "Two" } });
    const second = await visitor.stream({ "last-event-id": one?.id ?? "" });
    await parley.call("POST", path, { body: { body: "Three" } });
    await second.received("message", 2);
    expect(second.of("message").map(({ data }) => data.body)).toEqual(["Two", "Three"]);
    const all = await visitor.stream({ "last-event-id": hello?.id ?? "" });
    await all.received("message", 3);
    expect(all.of("message").map(({ data }) => data.body)).toEqual(["One", "Two", "Three"]);
    const { contact } = await conversationOf(conversation.id);
    await parley.call("PATCH", `/contacts/${contact.id}`, { body: { blocked: true } });
    await expect.poll(() => all.state.ended).toBe(true);
    // Without it: a frame that reads this forgets its session, and the next message would begin another one.
    expect(all.of("session_ended")).toEqual([]);
    second.close();
    expect(codeOf(await visitor.call("GET", "stream"))).toEqual([403, "BLOCKED"]);
  });
});
