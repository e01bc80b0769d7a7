import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createToken } from "../../src/email/token.ts";
import { startParley, type TestParley } from "../support/parley.ts";

let parley: TestParley;
let mailbox: { id: number };
let counter = 0;

beforeAll(async () => {
  parley = await startParley({ PARLEY_MAIL_BYTES_MAX: "200000" });
  mailbox = await connect("support@shop.example", { authserv_id: "mx.shop.example", own_lists: ["team.shop.example"] });
});
afterAll(() => parley.close());

async function connect(address: string, more: object = {}) {
  const outbound = { host: "127.0.0.1", port: 25, security: "none" };
  const reply = await parley.call("POST", "/mailboxes", { body: { name: "a", address, outbound, ...more } });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data;
}

const ingest = (raw: string | Buffer, { to = mailbox.id, key }: { to?: number; key?: string } = {}) =>
  parley.call("POST", `/mailboxes/${to}/messages`, {
    rawBody: raw,
    headers: { "content-type": "message/rfc822" },
    ...(key ? { key } : {}),
  });

/** Headers and a text, as a mail; each one differs unless `id` is given. */
function mail(headers: Record<string, string> = {}, text = "Hello, where is my parcel?"): string {
  const all = {
    From: "Ada <ada@example.com>",
    To: "support@shop.example",
    Subject: "My parcel",
    "Message-ID": `<m${++counter}@example.com>`,
    Date: "Tue, 14 Jul 2026 10:00:00 +0200",
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === "" ? [] : [`${name}: ${value}`]));
  return [...lines, "", text, ""].join("\r\n");
}

async function stored(raw: string | Buffer, options = {}) {
  const reply = await ingest(raw, options);
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data;
}

const conversationOf = async (id: number) => (await parley.call("GET", `/conversations/${id}`)).body.data;
const viewOf = (message: { id: number; conversation_id: number }) =>
  parley.call("GET", `/conversations/${message.conversation_id}/messages/${message.id}/email`);

describe("a mail that is handed over", () => {
  it("becomes a message of its sender in a new conversation, with its events", async () => {
    const message = await stored(mail({ From: "Bea Berg <Bea@example.com>", Cc: "carl@example.com" }));
    expect(message).toMatchObject({
      direction: "in",
      body: "Hello, where is my parcel?",
      quoted: null,
      delivery: null,
      sender: { type: "contact", name: "Bea Berg" },
      email: {
        message_id: `m${counter}@example.com`,
        subject: "My parcel",
        from: { name: "Bea Berg", address: "Bea@example.com" },
        to: [{ name: null, address: "support@shop.example" }],
        cc: [{ name: null, address: "carl@example.com" }],
        reply_to: [],
        date: "2026-07-14T08:00:00+00:00",
        in_reply_to: null,
        references: [],
        automatic: false,
        outside_sender: false,
        authentication: null,
        has_html: false,
        parse_error: null,
        truncated: false,
      },
    });
    const conversation = await conversationOf(message.conversation_id);
    expect(conversation).toMatchObject({
      channel: "email",
      mailbox_id: mailbox.id,
      subject: "My parcel",
      status: "open",
    });
    expect(conversation.contact.email).toBe("Bea@example.com");
    expect(conversation.waiting_since).not.toBeNull();
    const events = (await parley.call("GET", "/events?order=desc&limit=3")).body.data;
    expect(events.map(({ type }: { type: string }) => type)).toEqual([
      "message.created",
      "conversation.created",
      "contact.created",
    ]);
    expect(events[0].actor).toMatchObject({ type: "contact", name: "Bea Berg" });
    const raw = await fetch(message.email.raw_url);
    expect(raw.headers.get("content-disposition")).toMatch(/^attachment/);
    expect(await raw.text()).toContain("Subject: My parcel");
  });

  it("is stored once, whatever headers the way has added, and stays known after its deletion", async () => {
    const raw = mail();
    const first = await stored(raw);
    const again = await ingest(`Received: from a by b\r\n\twith SMTP\r\nDelivered-To: support@shop.example\r\n${raw}`);
    expect(again.status).toBe(200);
    expect(again.body.data.id).toBe(first.id);
    expect((await parley.call("DELETE", `/conversations/${first.conversation_id}`)).status).toBe(200);
    const deleted = await ingest(raw);
    expect([deleted.status, deleted.body.data]).toEqual([200, null]);
  });

  it("is stored once when it arrives many times at once", async () => {
    const raw = mail({ From: "dora@example.com" });
    const replies = await Promise.all(Array.from({ length: 8 }, () => ingest(raw)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(1);
    const contacts = await parley.call("GET", "/contacts?email=dora@example.com");
    expect(contacts.body.data).toHaveLength(1);
  });

  it("of another text with the same Message-ID is another mail", async () => {
    const id = { "Message-ID": "<same@example.com>" };
    const one = await stored(mail(id, "one"));
    expect((await stored(mail(id, "two"))).id).not.toBe(one.id);
  });

  it("joins the conversation of the mail it refers to, in this mailbox only", async () => {
    const first = await stored(mail({ "Message-ID": "<thread@example.com>" }));
    const reply = { "In-Reply-To": "<thread@example.com>", Subject: "another subject" };
    const second = await stored(mail(reply));
    expect(second).toMatchObject({ conversation_id: first.conversation_id, email: { outside_sender: false } });
    const byReferences = await stored(mail({ References: "<unknown@x> <thread@example.com>" }));
    expect(byReferences.conversation_id).toBe(first.conversation_id);
    const other = await connect("other@shop.example");
    expect((await stored(mail(reply), { to: other.id })).conversation_id).not.toBe(first.conversation_id);
    expect((await stored(mail({ Subject: "Re: My parcel" }))).conversation_id).not.toBe(first.conversation_id);
  });

  it("with a signed token joins its conversation whichever mailbox got it, and a forged token does not", async () => {
    const first = await stored(mail());
    const { uuid } = await conversationOf(first.conversation_id);
    const [row] = await parley.database.query("select workspace_id as id from mailboxes limit 1");
    const token = createToken(parley.app.store.secretBox, Number(row?.id), uuid);
    const other = await connect("sales@shop.example");
    const byId = await stored(mail({ "In-Reply-To": `<x.${token}@shop.example>` }), { to: other.id });
    expect(byId.conversation_id).toBe(first.conversation_id);
    const byAddress = await stored(mail({ To: `support+${token.toUpperCase()}@shop.example` }));
    expect(byAddress.conversation_id).toBe(first.conversation_id);
    const forged = `${token.slice(0, -1)}${token.endsWith("a") ? "b" : "a"}`;
    const refused = await stored(mail({ "In-Reply-To": `<x.${forged}@shop.example>` }));
    expect(refused.conversation_id).not.toBe(first.conversation_id);
  });

  it("of a person who was not part of the conversation is marked, and its sender is their own contact", async () => {
    const first = await stored(mail({ "Message-ID": "<joined@example.com>", Cc: "carl@example.com" }));
    const joins = (from: string) => stored(mail({ From: from, "In-Reply-To": "<joined@example.com>" }));
    expect((await joins("carl@example.com")).email.outside_sender).toBe(false);
    const outsider = await joins("Eve <eve@example.com>");
    expect(outsider.email.outside_sender).toBe(true);
    expect(outsider.sender.id).not.toBe(first.sender.id);
    expect((await joins("eve@example.com")).email.outside_sender).toBe(true);
    expect((await conversationOf(first.conversation_id)).contact.id).toBe(first.sender.id);
  });

  it("of a form of our own belongs to the person in Reply-To", async () => {
    const message = await stored(mail({ From: "support@shop.example", "Reply-To": "Finn <finn@example.com>" }));
    expect(message.sender.name).toBe("Finn");
  });

  it("that a program sent neither reopens a conversation nor makes anyone wait", async () => {
    const first = await stored(mail({ "Message-ID": "<auto@example.com>" }));
    const path = `/conversations/${first.conversation_id}`;
    await parley.call("POST", `${path}/messages`, { body: { body: "Tomorrow." } });
    await parley.call("PATCH", path, { body: { status: "resolved" } });
    for (const header of [
      { "Auto-Submitted": "auto-replied" },
      { Precedence: "bulk" },
      { "X-Auto-Response-Suppress": "All" },
      { "List-Id": "<news.example.com>" },
      { "Return-Path": "<>" },
      { From: "MAILER-DAEMON@example.com" },
    ] as Record<string, string>[]) {
      const message = await stored(mail({ "In-Reply-To": "<auto@example.com>", ...header }));
      expect(message.email.automatic, JSON.stringify(header)).toBe(true);
    }
    expect(await conversationOf(first.conversation_id)).toMatchObject({ status: "resolved", waiting_since: null });
    const own = await stored(
      mail({ "List-Id": "Team <team.shop.example>", Precedence: "list", "In-Reply-To": "<auto@example.com>" }),
    );
    expect(own.email.automatic).toBe(false);
    expect((await conversationOf(first.conversation_id)).status).toBe("open");
  });

  it("of a blocked contact is stored in a resolved conversation with a label, and reopens nothing", async () => {
    const from = { From: "gina@example.com" };
    const first = await stored(mail({ ...from, "Message-ID": "<blocked@example.com>" }));
    await parley.call("PATCH", `/conversations/${first.conversation_id}`, { body: { status: "resolved" } });
    await parley.database.query("update contacts set blocked = true where id = $1", [first.sender.id]);
    const joined = await stored(mail({ ...from, "In-Reply-To": "<blocked@example.com>" }));
    expect(joined.conversation_id).toBe(first.conversation_id);
    expect((await conversationOf(first.conversation_id)).status).toBe("resolved");
    const opened = await conversationOf((await stored(mail(from))).conversation_id);
    expect(opened).toMatchObject({ status: "resolved", labels: ["blocked"], waiting_since: null });
  });

  it("shows the verdicts of the server that the mailbox trusts, and of no other", async () => {
    const results = "mx.shop.example; spf=pass smtp.mailfrom=a; dkim=fail (bad; spf=x) header.d=a; dmarc=none";
    expect((await stored(mail({ "Authentication-Results": results }))).email.authentication).toEqual({
      spf: "pass",
      dkim: "fail",
      dmarc: "none",
    });
    const forged = [
      'spf=pass smtp.mailfrom="x; dmarc=pass; "@evil.example',
      "spf=pass smtp.mailfrom==?utf-8?Q?=3B_dmarc=3Dpass?=@evil.example",
      "spf=pass (says (evil) ; dmarc=pass ) smtp.mailfrom=a; dmarc=fail; dmarc=pass",
    ];
    for (const result of forged) {
      const message = await stored(mail({ "Authentication-Results": `mx.shop.example; ${result}` }));
      expect(message.email.authentication).toMatchObject({ spf: "pass" });
      expect(message.email.authentication.dmarc, result).not.toBe("pass");
    }
    const foreign = `mx.evil.example; spf=fail\r\nAuthentication-Results: ${results}`;
    expect((await stored(mail({ "Authentication-Results": foreign }))).email.authentication).toBeNull();
  });

  it("folds the history and the signature away, and both parts are the whole text", async () => {
    const text =
      "It works now.\r\n\r\nAda\r\n\r\nOn Mon, 13 Jul 2026 at 10:00, Shop <s@shop.example> wrote:\r\n> Does it?\r\n> Yours";
    const message = await stored(mail({}, text));
    expect(message.body).toBe("It works now.\n\nAda");
    expect(message.body + message.quoted).toBe(text.replaceAll("\r\n", "\n"));
  });

  it("that cannot be read is stored with the reason, and the next one is read", async () => {
    const parts = Array.from({ length: 1_200 }, () => "--b\r\nContent-Type: text/plain\r\n\r\nx\r\n").join("");
    const first = await stored(mail({ "Message-ID": "<many@example.com>" }));
    const head = "From: Ada <ada@example.com>\r\nSubject: Many\r\nIn-Reply-To: <many@example.com>\r\n";
    const raw = `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n${parts}--b--\r\n`;
    const message = await stored(raw);
    expect(message).toMatchObject({ conversation_id: first.conversation_id, sender: first.sender });
    expect(message.email).toMatchObject({ subject: "Many", outside_sender: false });
    expect(message.email.parse_error).toBe("The mail has more than 1000 parts.");
    expect(await (await fetch(message.email.raw_url)).text()).toBe(raw);
    expect((await viewOf(message)).status).toBe(200);
    expect((await stored(mail())).email.parse_error).toBeNull();
  });

  it("is stored where a character would be cut in half, and says that bytes are no mail", async () => {
    const long = (chars: number) => `${"a".repeat(chars - 1)}😀b`;
    const message = await stored(
      mail({
        From: `"${long(255)}" <long@example.com>`,
        Subject: long(2_000),
        To: `<a@${long(319)}>, <${"b".repeat(400)}@example.com>, "\u202eRight" <c@example.com>`,
        References: `<${long(998)}>`,
      }),
    );
    expect(message.email).toMatchObject({ parse_error: null, to: [{ name: "Right", address: "c@example.com" }] });
    expect(message.email.from.name).toHaveLength(255);
    for (const bytes of ["hello there\r\nno headers", Buffer.from([0x1f, 0x8b, 1, 2, 3])])
      expect((await stored(bytes)).email.parse_error).toBe("It has neither headers nor a text that can be read.");
    expect((await ingest("")).body.error.details).toEqual({ body: ["The body must not be empty: it is the mail."] });
  });

  it("is a 413 above the limit, a 415 of another type and a 404 for another workspace's mailbox", async () => {
    expect((await ingest(mail({}, "x".repeat(200_001)))).status).toBe(413);
    const headers = { "content-type": "text/plain" };
    const other = await parley.call("POST", `/mailboxes/${mailbox.id}/messages`, { rawBody: mail(), headers });
    expect(other.status).toBe(415);
    const { key } = await parley.createWorkspace();
    expect((await ingest(mail(), { key })).status).toBe(404);
  });

  it("cannot be changed, and an ETag of it stays the same", async () => {
    const { id, conversation_id } = await stored(mail());
    const path = `/conversations/${conversation_id}/messages/${id}`;
    expect((await parley.call("PATCH", path, { body: { body: "other" } })).status).toBe(409);
    const [one, two] = [await parley.call("GET", path), await parley.call("GET", path)];
    expect(one.headers.get("etag")).toBe(two.headers.get("etag"));
  });
});

describe("the whole mail", () => {
  const PNG = Buffer.from("89504e470d0a1a0a", "hex");
  const html = (body: string) =>
    [
      "From: Ada <ada@example.com>",
      "Subject: =?windows-1252?Q?Preis_10_=80?=",
      "Content-Type: multipart/related; boundary=b",
      `Message-ID: <h${++counter}@example.com>`,
      "",
      "--b",
      "Content-Type: text/html; charset=utf-8",
      "",
      body,
      "--b",
      "Content-Type: image/png; name=logo.png",
      "Content-ID: <logo@mail>",
      "Content-Disposition: inline; filename=logo.png",
      "Content-Transfer-Encoding: base64",
      "",
      PNG.toString("base64"),
      "--b--",
      "",
    ].join("\r\n");

  it("has its text made of the HTML, its inline picture as a file, and links to it", async () => {
    const message = await stored(html("<p>Hello <b>you</b></p><p>Bye<img src='cid:logo@mail'></p>"));
    expect(message.body).toBe("Hello you\n\nBye");
    expect(message.email).toMatchObject({ subject: "Preis 10 €", has_html: true });
    expect(message.attachments).toMatchObject([{ name: "logo.png", content_type: "image/png", inline: true }]);
    const { body } = await viewOf(message);
    const [, src = ""] = /<img src="([^"]+)"/.exec(body.data.html) ?? [];
    const picture = await fetch(src.replaceAll("&amp;", "&"));
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(PNG);
    expect(body.data.headers[0]).toEqual({ name: "From", value: "Ada <ada@example.com>" });
    expect(body.data).toMatchObject({ text: "Hello you\n\nBye", message_id: message.email.message_id });
  });

  it("runs nothing and loads nothing from elsewhere", async () => {
    const vectors = [
      "<script>alert(1)</script><img src=x onerror=alert(1)><svg onload=alert(1)><style>@import 'http://evil.example/a'</style>",
      "<img src='http://evil.example/b.png' srcset='http://evil.example/c 2x'><video poster='http://evil.example/d'></video>",
      "<div style=\"background:url(http://evil.example/e);color:red\" background='http://evil.example/f'>x</div>",
      "<a href='javascript:alert(1)'>x</a><iframe src='http://evil.example/g'></iframe><link rel=stylesheet href='//evil.example/h'>",
      "<form action='http://evil.example/i'><input></form><meta http-equiv=refresh content='0;url=http://evil.example/j'><base href='http://evil.example'>",
      "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
    ];
    const { body } = await viewOf(await stored(html(vectors.join("\r\n"))));
    // What is quoted is the text of an attribute.
    const tags = body.data.html.replace(/"[^"]*"/g, (value: string) => (/evil|script:/i.test(value) ? value : '""'));
    expect(tags).not.toMatch(/evil\.example|\son\w+=|javascript:|<(script|svg|iframe|style|form|meta|base|link)/i);
    expect(body.data.html).toContain('style="color:red"');
  });

  it("is a 404 for a message that is not mail", async () => {
    const { body } = await parley.call("POST", "/conversations", { body: { message: { body: "a", direction: "in" } } });
    expect((await viewOf({ id: body.data.message.id, conversation_id: body.data.id })).status).toBe(404);
  });
});
