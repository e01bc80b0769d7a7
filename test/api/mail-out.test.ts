import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Any } from "../support/conversations.ts";
import { mailWords } from "../support/mail-words.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { atMost } from "../support/proof.ts";
import { type Fault, type SmtpReceiver, startSmtpReceiver } from "../support/smtp-receiver.ts";
import { until } from "../support/wait.ts";

let parley: TestParley;
let receiver: SmtpReceiver;
let mailbox: { id: number; uuid: string };
const { connect, stored, mail, written, replied, messageOf, settled } = mailWords(
  () => parley,
  () => mailbox,
);

beforeAll(async () => {
  receiver = await startSmtpReceiver();
  parley = await startParley({
    PARLEY_MAIL_PORTS: "1024-65535",
    PARLEY_MAIL_RETRY_SCHEDULE: "0.2,0.2,1",
    PARLEY_MAIL_TIMEOUT_SECONDS: "1",
  });
  mailbox = await connect("Support@shop.example", receiver.port, { from_name: "Shop", signature: "The shop team" });
  await connect("sales@shop.example", receiver.port);
});
beforeEach(() => receiver.behave({}));
afterAll(async () => {
  await parley.close();
  await receiver.close();
});

const arrived = async (id: string) => {
  await until("the mail arrived", () => receiver.accepted.some((one) => one.id === id));
  return receiver.accepted.filter((one) => one.id === id);
};

describe("a public reply in a conversation with a mailbox", () => {
  it("is mail with the thread, the text, simple HTML and the signature, and is sent once", async () => {
    const asked = await stored(
      mail({ From: "Ada <ada@example.com>", Cc: "Carl <carl@example.com>, sales+x@SHOP.example" }),
    );
    const events = await parley.call("GET", "/events?order=desc&limit=1");
    const message = await replied(asked, {
      body: "Hello **Ada**,\n\n- one\n- see https://shop.example/a?b=1&c\n\n.dot <b>",
    });
    expect(message.delivery).toMatchObject({ state: "pending", attempts: 0, error: null });
    expect(message.email).toMatchObject({
      subject: "Re: My parcel",
      from: { name: "Shop", address: "Support@shop.example" },
      to: [{ name: "Ada", address: "ada@example.com" }],
      cc: [{ name: "Carl", address: "carl@example.com" }],
      in_reply_to: asked.email.message_id,
      references: [asked.email.message_id],
      automatic: false,
    });
    const [first, ...more] = await arrived(message.email.message_id);
    expect(more).toEqual([]);
    expect(first?.to).toEqual(["ada@example.com", "carl@example.com"]);
    const raw = first?.raw ?? "";
    expect(raw).toMatch(/^From: Shop <Support@shop\.example>\r$/m);
    expect(raw).toContain(`In-Reply-To: <${asked.email.message_id}>`);
    expect(raw).toContain("Hello **Ada**,");
    expect(raw).toContain("<p>Hello <strong>Ada</strong>,</p>");
    expect(raw).toContain("<li>one</li>");
    expect(raw).toContain(".dot <b>");
    expect(raw).toContain("&lt;b&gt;");
    expect(raw).toMatch(/^-- ?\r\nThe shop team/m);
    expect(raw.replace(/\r\n/g, "")).not.toMatch(/[\r\n]/);
    const sent = await settled(message, "sent");
    expect(sent.delivery).toMatchObject({
      attempts: 1,
      next_attempt_at: null,
      recipients: [
        { address: "ada@example.com", state: "sent", error: null },
        { address: "carl@example.com", state: "sent", error: null },
      ],
    });
    const stored_ = await (await fetch(sent.email.raw_url)).text();
    expect(stored_.trimEnd()).toBe(raw.trimEnd());
    const after = await parley.call("GET", `/events?cursor=${events.body.meta.next_cursor ?? ""}&limit=100`);
    const states = after.body.data
      .filter(
        (event: { type: string; data: { id: number } }) =>
          event.type === "message.delivery_changed" && event.data.id === message.id,
      )
      .map((event: { data: { delivery: { state: string } } }) => event.data.delivery.state);
    expect(states).toEqual(["sending", "sent"]);
  });

  it("comes back to the same conversation when it is replied to, at any mailbox", async () => {
    const asked = await stored(mail({ From: "eva@example.com" }));
    const message = await replied(asked, {});
    const next = await stored(mail({ From: "eva@example.com", "In-Reply-To": `<${message.email.message_id}>` }));
    expect(next.conversation_id).toBe(asked.conversation_id);
    expect(next.email.outside_sender).toBe(false);
    const second = await replied(next, {});
    expect(second.email.references).toEqual([message.email.message_id, next.email.message_id]);
  });

  it("goes to Reply-To, and not to automatic mail or outsiders", async () => {
    const asked = await stored(mail({ From: "f@example.com", "Reply-To": "Team <team@example.com>" }));
    await stored(
      mail({ From: "bot@example.com", "Auto-Submitted": "auto-replied", "In-Reply-To": `<${asked.email.message_id}>` }),
    );
    await stored(mail({ From: "outsider@example.net", "In-Reply-To": `<${asked.email.message_id}>` }));
    expect((await replied(asked, {})).email.to).toEqual([{ name: "Team", address: "team@example.com" }]);
  });

  it("goes to the named recipients; bcc is in no header; new addresses need contacts:write", async () => {
    const asked = await stored(mail({ From: "g@example.com" }));
    const email = {
      to: [{ address: "new@example.net", name: "New" }],
      bcc: [{ address: "hidden@example.net" }, { address: "support+1@shop.example" }],
      subject: "Something else",
    };
    const limited = await parley.createKey({ type: "limited", abilities: ["messages:write", "messages:read"] });
    const refused = await written(asked, { body: "a", email }, { key: limited.key });
    expect(refused.status, refused.text).toBe(403);
    const known = await written(
      asked,
      { body: "a", email: { to: [{ address: "G@example.com" }] } },
      { key: limited.key },
    );
    expect(known.status, known.text).toBe(201);
    const message = await replied(asked, { email });
    expect(message.email).toMatchObject({ to: [{ address: "new@example.net" }], cc: [], subject: "Something else" });
    const [one] = await arrived(message.email.message_id);
    expect(one?.to).toEqual(["new@example.net", "hidden@example.net"]);
    expect(one?.raw).not.toContain("hidden@example.net");
    expect(message.delivery.recipients.map(({ address }: { address: string }) => address)).toEqual(one?.to);
  });

  it("refuses wrong addresses, too many, nobody, and email where there is no mail", async () => {
    const asked = await stored(mail({ From: "h@example.com" }));
    const addresses = (count: number) => Array.from({ length: count }, (_, i) => ({ address: `a${i}@example.com` }));
    for (const email of [
      { to: [{ address: "no address" }] },
      { to: [{ address: "a@b.example>\r\nRCPT TO:<x@y.example" }] },
      { to: addresses(30), cc: addresses(30) },
      { to: [{ address: "support@shop.example" }] },
    ]) {
      const reply = await written(asked, { body: "a", email });
      expect([reply.status, Object.keys(reply.body.error.details)], reply.text).toEqual([422, ["email"]]);
    }
    const note = await written(asked, { body: "a", private: true, email: { subject: "x" } });
    expect(note.status).toBe(422);
    const other = await parley.call("POST", "/conversations", {
      body: { message: { body: "a", email: { subject: "x" } } },
    });
    expect(Object.keys(other.body.error.details)).toEqual(["message"]);
    const anonymous = await stored(mail({ From: "" }));
    expect((await written(anonymous, { body: "a" })).body.error.details.email).toHaveLength(1);
  });

  it("cannot be changed; a note stays a note", async () => {
    const asked = await stored(mail({ From: "i@example.com" }));
    const message = await replied(asked, {});
    const path = `/conversations/${asked.conversation_id}/messages`;
    expect((await parley.call("PATCH", `${path}/${message.id}`, { body: { body: "b" } })).status).toBe(409);
    const note = await replied(asked, { private: true });
    expect([note.email, note.delivery]).toEqual([null, null]);
    expect((await parley.call("PATCH", `${path}/${note.id}`, { body: { private: false } })).status).toBe(422);
  });

  it("carries its files, up to a limit that is said before", async () => {
    const asked = await stored(mail({ From: "j@example.com" }));
    const upload = async (bytes: number) =>
      (
        await parley.call("POST", "/files?name=r%C3%A4port.txt", {
          rawBody: Buffer.alloc(bytes, "x"),
          headers: { "content-type": "text/plain" },
        })
      ).body.data;
    const message = await replied(asked, {
      attachments: [{ file_id: (await upload(10)).id }, { url: "https://files.example.com/a.pdf", name: "a.pdf" }],
    });
    const [one] = await arrived(message.email.message_id);
    expect(one?.raw).toContain("Content-Disposition: attachment");
    expect(one?.raw).toContain(Buffer.alloc(10, "x").toString("base64"));
    expect(one?.raw).toContain("a.pdf: https://files.example.com/a.pdf");
    const large = [await upload(11 * 2 ** 20), await upload(11 * 2 ** 20)].map(({ id }) => ({ file_id: id }));
    const refused = await written(asked, { attachments: large });
    expect(refused.status).toBe(422);
    expect(refused.body.error.details.attachments[0]).toContain("20 MiB");
  });
});

describe("a file of a reply whose type is a mail or has parts", () => {
  it.each(["multipart/mixed", "message/rfc822"])("is a file for the recipient too (%s)", async (type) => {
    const bytes = Buffer.from("--x\r\n\r\nNot a part of this mail.\r\n--x--\r\n");
    const headers = { "content-type": type };
    const file = (await parley.call("POST", "/files?name=parts", { rawBody: bytes, headers })).body.data;
    const asked = await stored(mail({ From: "k@example.com" }));
    const message = await replied(asked, { attachments: [{ file_id: file.id }] });
    const [one] = await arrived(message.email.message_id);
    expect(one?.raw).toContain("Content-Type: application/octet-stream; name=parts");
    expect(one?.raw).toContain(bytes.toString("base64"));
  });
});

describe("a conversation that is opened by mail", () => {
  const open = (body: object) => parley.call("POST", "/conversations", { body: { mailbox_id: mailbox.uuid, ...body } });

  it("sends its first message to the contact", async () => {
    const opened = await open({
      subject: "Your order",
      contact: { email: "k@example.com", name: "K" },
      message: { body: "Hello" },
    });
    expect(opened.status, opened.text).toBe(201);
    expect(opened.body.data).toMatchObject({ channel: "email", mailbox_id: mailbox.id, subject: "Your order" });
    const { message } = opened.body.data;
    expect(message.email).toMatchObject({
      subject: "Your order",
      to: [{ name: "K", address: "k@example.com" }],
      references: [],
    });
    await arrived(message.email.message_id);
  });

  it("needs a contact with an address, and a mailbox of the workspace", async () => {
    const contact = (await parley.call("POST", "/contacts", { body: { name: "L" } })).body.data;
    const refused = await open({ contact_id: contact.id, message: { body: "Hello" } });
    expect([refused.status, Object.keys(refused.body.error.details)]).toEqual([422, ["contact_id"]]);
    const other = await open({ mailbox_id: 999_999 });
    expect(Object.keys(other.body.error.details)).toEqual(["mailbox_id"]);
    expect((await open({ channel: "api" })).status).toBe(422);
  });
});

describe("the state of a mail", () => {
  it("is each recipient's own: one sent, one failed, one tried again alone", async () => {
    let tries = 0;
    receiver.behave({
      rcpt: (address) => (address.startsWith("bad") ? 550 : address.startsWith("slow") && tries++ < 2 ? 450 : 250),
    });
    const asked = await stored(mail({ From: "good@example.com" }));
    const to = ["good", "bad", "slow"].map((name) => ({ address: `${name}@example.com` }));
    const message = await replied(asked, { email: { to } });
    await until("all have a final state", async () =>
      (await messageOf(message)).delivery.recipients.every(
        ({ state }: { state: string }) => state !== "pending" && state !== "sending",
      ),
    );
    const { delivery } = await messageOf(message);
    expect(delivery.state).toBe("sent");
    expect(delivery.recipients.map(({ state }: { state: string }) => state)).toEqual(["sent", "failed", "sent"]);
    expect(delivery.recipients[1].error).toContain("550");
    const copies = receiver.accepted.filter(({ id }) => id === message.email.message_id);
    expect(copies.map((one) => one.to)).toEqual([["good@example.com"], ["slow@example.com"]]);
    expect(copies[1]?.raw).toBe(copies[0]?.raw);
  });

  it("is failed after a 5xx, and a resend sends the same bytes", async () => {
    receiver.behave({ fault: () => ({ at: "dot", how: 554 }) });
    const asked = await stored(mail({ From: "m@example.com" }));
    const message = await replied(asked, {});
    expect((await settled(message, "failed")).delivery.error).toContain("554");
    receiver.behave({});
    const path = `/conversations/${asked.conversation_id}/messages/${message.id}/resend`;
    const resent = await parley.call("POST", path);
    expect([resent.status, resent.body.data.delivery.state]).toEqual([202, "pending"]);
    await settled(message, "sent");
    expect(await arrived(message.email.message_id)).toHaveLength(1);
    expect((await parley.call("POST", path)).status).toBe(409);
    const note = await replied(asked, { private: true });
    expect((await parley.call("POST", path.replace(String(message.id), note.id))).status).toBe(409);
  });

  it("is unknown when the connection is lost after the final dot, and is not repeated", async () => {
    receiver.behave({ fault: () => ({ at: "dot", how: "drop-accepted" }) });
    const asked = await stored(mail({ From: "n@example.com" }));
    const message = await replied(asked, {});
    const { delivery } = await settled(message, "unknown");
    expect(delivery.next_attempt_at).toBeNull();
    expect(await arrived(message.email.message_id)).toHaveLength(1);
  });

  it("is retried after a loss within the data, because the final dot was not sent", async () => {
    const faults: Fault[] = [{ at: "body", how: "drop" }];
    receiver.behave({ fault: () => faults.shift() ?? null });
    const asked = await stored(mail({ From: "o@example.com" }));
    const message = await replied(asked, { body: "x".repeat(60_000) });
    await settled(message, "sent");
    expect(await arrived(message.email.message_id)).toHaveLength(1);
  });

  it("waits while the mailbox is paused, and a deletion then cancels the mail", async () => {
    const asked = await stored(mail({ From: "p@example.com" }));
    expect((await parley.call("POST", `/mailboxes/${mailbox.id}/pause`)).status).toBe(200);
    const [kept, canceled] = [await replied(asked, {}), await replied(asked, {})];
    expect((await parley.call("DELETE", `/mailboxes/${mailbox.id}`)).status).toBe(409);
    const path = `/conversations/${asked.conversation_id}/messages/${canceled.id}`;
    expect((await parley.call("DELETE", path)).status).toBe(200);
    expect(receiver.accepted.some(({ id }) => id === kept.email.message_id)).toBe(false);
    await parley.call("POST", `/mailboxes/${mailbox.id}/resume`);
    await settled(kept, "sent");
    expect(receiver.accepted.some(({ id }) => id === canceled.email.message_id)).toBe(false);
  });

  it("is not delayed by the server of another mailbox that hangs", async () => {
    const hanging = await startSmtpReceiver();
    hanging.behave({ fault: () => ({ at: "connect", how: "hang" }) });
    const slow = await connect("slow@shop.example", hanging.port);
    const stuck = await stored(mail({ From: "q@example.com" }), slow.id);
    for (let i = 0; i < 5; i++) await replied(stuck, {});
    await until("it hangs", () => hanging.connections() > 0);
    const asked = await stored(mail({ From: "r@example.com" }));
    const startedAt = Date.now();
    await settled(await replied(asked, {}), "sent");
    expect(Date.now() - startedAt).toBeLessThan(atMost(3_000));
    await until("the mailbox shows the error", async () =>
      (await parley.call("GET", `/mailboxes/${slow.id}`)).body.data.status.error?.includes("did not respond"),
    );
    await hanging.close();
  });

  it("is failed where there is no mail server at all", async () => {
    const alone = await parley.call("POST", "/mailboxes", { body: { name: "b", address: "alone@shop.example" } });
    expect(alone.status, alone.text).toBe(201);
    const asked = await stored(mail({ From: "s@example.com" }), alone.body.data.id);
    expect((await settled(await replied(asked, {}), "failed")).delivery.error).toContain("PARLEY_SMTP_URL");
  });
});

describe("a delivery report", () => {
  const report = (sent: Any, { action = "failed", address = "", id = sent.email.message_id } = {}): string =>
    mail(
      {
        From: "Mailer <mailer-daemon@mx.example>",
        "Content-Type": 'multipart/report; report-type=delivery-status; boundary="b"',
      },
      [
        "--b\r\nContent-Type: text/plain\r\n\r\nIt did not arrive.",
        "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example",
        `\r\nFinal-Recipient: rfc822; ${address}\r\nAction: ${action}\r\nDiagnostic-Code: smtp; 550 no such\r\n user`,
        `--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <${id}>\r\nSubject: Re: x`,
        "--b--",
      ].join("\r\n"),
    );

  it("marks its recipient as bounced and reopens the conversation; delays and forgeries do nothing", async () => {
    const asked = await stored(mail({ From: "t@example.com" }));
    const message = await replied(asked, {
      email: { to: [{ address: "T@example.com" }, { address: "u@example.com" }] },
    });
    await settled(message, "sent");
    const conversation = `/conversations/${asked.conversation_id}`;
    await parley.call("PATCH", conversation, { body: { status: "resolved" } });
    const statusOf = async () => (await parley.call("GET", conversation)).body.data.status;

    const delayed = await stored(report(message, { action: "delayed", address: "t@example.com" }));
    expect(delayed.conversation_id).toBe(asked.conversation_id);
    const forged = message.email.message_id.replace(/[a-z2-7]{8}@/, "aaaaaaaa@");
    await stored(report(message, { address: "t@example.com", id: forged }));
    await stored(report(message, { address: "stranger@example.com" }));
    expect((await messageOf(message)).delivery.state).toBe("sent");
    await parley.call("PATCH", conversation, { body: { status: "resolved" } });

    const bounce = await stored(report(message, { address: "t@example.com" }));
    expect([bounce.conversation_id, bounce.email.automatic]).toEqual([asked.conversation_id, true]);
    const { delivery } = await messageOf(message);
    expect(delivery).toMatchObject({
      state: "bounced",
      error: "550 no such user",
      recipients: [{ state: "bounced" }, { state: "sent" }],
    });
    expect(await statusOf()).toBe("open");
    const resent = await parley.call("POST", `${conversation}/messages/${message.id}/resend`);
    expect(resent.status).toBe(202);
    await until("it was sent again", async () => (await arrived(message.email.message_id)).length === 2);
    const copies = await arrived(message.email.message_id);
    expect(copies.map(({ to }) => to)).toEqual([["T@example.com", "u@example.com"], ["T@example.com"]]);
  });
});
