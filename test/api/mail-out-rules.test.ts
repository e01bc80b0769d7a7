import { createHash, generateKeyPairSync, type KeyObject, verify } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Any } from "../support/conversations.ts";
import { mailWords } from "../support/mail-words.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { type SmtpReceiver, startSmtpReceiver } from "../support/smtp-receiver.ts";
import { until } from "../support/wait.ts";

let parley: TestParley;
let receiver: SmtpReceiver;
let mailbox: Any;
const { connect, stored, mail, written, replied, messageOf, settled } = mailWords(
  () => parley,
  () => mailbox,
);

beforeAll(async () => {
  receiver = await startSmtpReceiver();
  parley = await startParley({
    PARLEY_MAIL_PORTS: "1024-65535",
    PARLEY_MAIL_RETRY_SCHEDULE: "0.2,0.4,0.8",
    PARLEY_MAIL_TIMEOUT_SECONDS: "1",
    PARLEY_MAIL_PER_HOUR: "8",
  });
  mailbox = await connect("support@shop.example", receiver.port);
});
beforeEach(() => receiver.behave({}));
afterAll(async () => {
  await parley.close();
  await receiver.close();
});

const accepted = ({ email }: Any) => receiver.accepted.filter(({ id }) => id === email.message_id);

describe("the recipients of a reply", () => {
  it("are never a mailbox of ours, also one whose own address has a plus", async () => {
    const tagged = await connect("Team+eu@shop.example", receiver.port);
    const cc = "team+EU@shop.example, team+eu+x@shop.example, team@shop.example, SUPPORT+a@shop.example";
    const asked = await stored(mail({ From: "a@example.com", Cc: cc }), tagged.id);
    const message = await replied(asked, {});
    expect(message.delivery.recipients.map(({ address }: Any) => address)).toEqual([
      "a@example.com",
      "team@shop.example",
    ]);
  });

  it("are the sender alone where a mail has more than 50 of them", async () => {
    const list = (count: number) => Array.from({ length: count }, (_, i) => `c${i}@example.com`).join(", ");
    const few = await stored(mail({ From: "b@example.com", Cc: list(49) }));
    expect((await replied(few, {})).delivery.recipients).toHaveLength(50);
    const many = await stored(mail({ From: "b@example.com", Cc: list(50) }));
    expect((await replied(many, {})).delivery.recipients.map(({ address }: Any) => address)).toEqual(["b@example.com"]);
  });
});

describe("a DKIM signature", () => {
  const keys = {
    rsa: generateKeyPairSync("rsa", { modulusLength: 2048 }),
    ed25519: generateKeyPairSync("ed25519"),
  };
  const body = `Grüße, 日本語  mit  Leerzeichen \t \n.punkt\n\n${"lang ".repeat(400)}\n\n\n`;

  it.each(Object.keys(keys) as (keyof typeof keys)[])("by %s is valid for the bytes that arrive", async (kind) => {
    const { privateKey, publicKey } = keys[kind];
    const dkim = {
      domain: "shop.example",
      selector: "s1",
      private_key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    };
    const signing = await connect(`${kind}@shop.example`, receiver.port, { dkim, from_name: 'Größe & Söhne, "Köln"' });
    const asked = await stored(
      mail({ From: "Zoë <c@example.com>", Subject: "=?utf-8?Q?Gr=C3=BC=C3=9Fe?=" }),
      signing.id,
    );
    const message = await replied(asked, { body });
    await settled(message, "sent");
    const raw = accepted(message)[0]?.raw ?? "";
    expect(dkimVerdict(raw, publicKey)).toEqual({
      body: true,
      signature: true,
      domain: "shop.example",
      selector: "s1",
    });
    expect(dkimVerdict(raw.replace("lang", "kurz"), publicKey)).toMatchObject({ body: false });
    expect(dkimVerdict(raw.replace(/^Subject: /m, "Subject: x"), publicKey)).toMatchObject({ signature: false });
  });
});

/** Checks a signature as RFC 6376 says, with code of its own: only relaxed/relaxed. */
function dkimVerdict(raw: string, publicKey: KeyObject) {
  const bytes = Buffer.from(raw, "latin1");
  const end = bytes.indexOf("\r\n\r\n");
  const fields = bytes
    .subarray(0, end)
    .toString("latin1")
    .split(/\r\n(?![ \t])/);
  const field = fields.find((one) => /^dkim-signature:/i.test(one)) ?? "";
  const tags = new Map(
    field
      .slice(field.indexOf(":") + 1)
      .split(";")
      .map((tag) => tag.trim())
      .map((tag) => [tag.slice(0, tag.indexOf("=")), tag.slice(tag.indexOf("=") + 1).replace(/\s/g, "")]),
  );
  let text = bytes.subarray(end + 4).toString("latin1");
  text = text.replace(/[ \t]+\r\n/g, "\r\n").replace(/[ \t]+/g, " ");
  while (text.endsWith("\r\n\r\n")) text = text.slice(0, -2);
  if (text === "\r\n") text = "";
  const relaxed = (one: string) => {
    const [, name = "", value = ""] = /^([^:]*):(.*)$/s.exec(one) ?? [];
    return `${name.trim().toLowerCase()}:${value
      .replace(/\r\n/g, "")
      .replace(/[ \t]+/g, " ")
      .trim()}`;
  };
  const left = [...fields].reverse();
  const signed = (tags.get("h") ?? "").split(":").flatMap((name) => {
    const at = left.findIndex((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}:`));
    return at === -1 ? [] : [`${relaxed(left.splice(at, 1)[0] ?? "")}\r\n`];
  });
  const own = relaxed(field.replace(/([;\s]b=)[^;]*$/, "$1"));
  const data = Buffer.from(signed.join("") + own, "latin1");
  const signature = Buffer.from(tags.get("b") ?? "", "base64");
  const isEd25519 = publicKey.asymmetricKeyType === "ed25519";
  return {
    body: createHash("sha256").update(text, "latin1").digest("base64") === tags.get("bh"),
    signature: isEd25519
      ? verify(null, createHash("sha256").update(data).digest(), publicKey, signature)
      : verify("sha256", data, publicKey, signature),
    domain: tags.get("d"),
    selector: tags.get("s"),
  };
}

describe("a delivery report", () => {
  it("that is faster than the response to the final dot counts", async () => {
    const asked = await stored(mail({ From: "d@example.com" }));
    receiver.behave({ fault: () => ({ at: "dot", how: "hang" }) });
    const message = await replied(asked, {});
    await settled(message, "sending");
    await stored(
      mail(
        {
          From: "mailer-daemon@mx.example",
          "Content-Type": 'multipart/report; report-type=delivery-status; boundary="b"',
        },
        [
          "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example",
          "\r\nFinal-Recipient: rfc822; d@example.com\r\nAction: failed\r\nDiagnostic-Code: smtp; 550 no such user",
          `--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <${message.email.message_id}>`,
          "--b--",
        ].join("\r\n"),
      ),
    );
    await until("the attempt has ended", async () => {
      const rows = await parley.database.query("select 1 from outgoing_mails where claim_token is not null");
      return rows.length === 0;
    });
    expect((await messageOf(message)).delivery).toMatchObject({ state: "bounced", error: "550 no such user" });
  });
});

describe("a mail that is refused for now", () => {
  it("is tried by the schedule with the same bytes, and failed when it is too old", async () => {
    const times: number[] = [];
    receiver.behave({
      rcpt: () => {
        times.push(Date.now());
        return 451;
      },
    });
    const asked = await stored(mail({ From: "e@example.com" }));
    const message = await replied(asked, {});
    await until("it was tried five times", () => times.length >= 5);
    const waits = times.slice(1, 5).map((at, index) => at - (times[index] ?? 0));
    for (const [index, ms] of [200, 400, 800, 800].entries()) expect(waits[index]).toBeGreaterThanOrEqual(ms);
    const { delivery } = await messageOf(message);
    expect(delivery).toMatchObject({ state: "pending", error: expect.stringContaining("451") });
    expect(Date.parse(delivery.next_attempt_at)).toBeGreaterThan(Date.parse(message.created_at));
    await parley.database.query("update outgoing_mails set queued_at = now() - interval '48 hours 1 second'");
    const failed = await settled(message, "failed");
    expect(failed.delivery).toMatchObject({ next_attempt_at: null, error: expect.stringContaining("48 hours") });
  });
});

describe("a mail that the server accepted", () => {
  it("is sent although the database failed when that was to be written", async () => {
    await parley.database.query("create sequence failures");
    await parley.database.query(
      `create function fail_twice() returns trigger language plpgsql as $$
       begin
         if nextval('failures') <= 2 then raise exception 'the database is shutting down' using errcode = '57P01'; end if;
         return new;
       end $$`,
    );
    await parley.database.query(
      `create trigger fail_twice before update on outgoing_mails for each row
       when (old.claim_token is not null and new.claim_token is null) execute function fail_twice()`,
    );
    const asked = await stored(mail({ From: "h@example.com" }));
    const message = await replied(asked, {});
    await until("it has a final state", async () =>
      ["sent", "unknown"].includes((await messageOf(message)).delivery.state),
    );
    await parley.database.query("drop trigger fail_twice on outgoing_mails");
    expect((await messageOf(message)).delivery.state).toBe("sent");
    expect(accepted(message)).toHaveLength(1);
  });
});

describe("the limit per hour of a mailbox", () => {
  it("lets the mail above it wait, until an hour has passed", async () => {
    const limited = await connect("limited@shop.example", receiver.port);
    const asked = await stored(mail({ From: "f@example.com" }), limited.id);
    const messages: Any[] = [];
    for (let i = 0; i < 10; i++) messages.push(await replied(asked, { body: `reply ${i}` }));
    const states = async () =>
      Promise.all(messages.map(async (one) => (await messageOf(one)).delivery.state as string));
    const sent = async () => (await states()).filter((state) => state === "sent").length;
    await until("eight were sent", async () => (await sent()) === 8);
    // Longer than the sender takes to look again.
    const other = await stored(mail({ From: "f@example.com" }));
    await settled(await replied(other, {}), "sent");
    expect((await states()).filter((state) => state === "pending")).toHaveLength(2);
    await parley.database.query(
      `update outgoing_mails set begun_at = begun_at - interval '1 hour' where mailbox_id = ${limited.id}`,
    );
    await until("all were sent", async () => (await sent()) === 10);
  });
});

describe("mail of a bot", () => {
  const botKey = async () => (await parley.createKey({ type: "bot" })).key;

  it("says that a program wrote it, and goes to one address five times per hour, over all mailboxes", async () => {
    const key = await botKey();
    const second = await connect("second@shop.example", receiver.port);
    const messages: Any[] = [];
    for (let i = 0; i < 7; i++) {
      const asked = await stored(mail({ From: "Loop@example.com" }), i % 2 ? mailbox.id : second.id);
      messages.push(await replied(asked, { body: `bot ${i}` }, { key }));
    }
    const sent = async () =>
      (await Promise.all(messages.map(messageOf))).filter(({ delivery }) => delivery.state === "sent");
    await until("five were sent", async () => (await sent()).length >= 5);
    const person = await replied(await stored(mail({ From: "loop@example.com" }), second.id), {});
    await settled(person, "sent");
    const other = await replied(await stored(mail({ From: "other@example.com" }), second.id), {}, { key });
    await settled(other, "sent");
    expect(await sent()).toHaveLength(5);
    expect(messages[0].email.automatic).toBe(true);
    expect(accepted(messages[0])[0]?.raw).toMatch(/^Auto-Submitted: auto-/m);
    expect(person.email.automatic).toBe(false);
    expect(accepted(person)[0]?.raw).not.toMatch(/^Auto-Submitted/m);
    await parley.database.query("update outgoing_mails set begun_at = begun_at - interval '1 hour'");
    await until("all were sent", async () => (await sent()).length === 7);
  });

  it("does not reply to automatic mail; a person may, and so may a bot that names a recipient", async () => {
    const key = await botKey();
    const asked = await stored(mail({ From: "away@example.com" }));
    await replied(asked, {}, { key });
    const refers = { "In-Reply-To": `<${asked.email.message_id}>`, "Auto-Submitted": "auto-replied" };
    await stored(mail({ From: "away@example.com", ...refers }));
    const refused = await written(asked, { body: "a" }, { key });
    expect(refused.status, refused.text).toBe(409);
    const email = { to: [{ address: "away@example.com" }] };
    expect((await written(asked, { body: "a", email }, { key })).status).toBe(201);
    expect((await written(asked, { body: "a", private: true }, { key })).status).toBe(201);
    const reply = await replied(asked, {});
    expect(reply.email.to[0].address).toBe("away@example.com");
  });

  it("is continued by the next one where a conversation begins with it", async () => {
    const key = await botKey();
    const contact = (await parley.call("POST", "/contacts", { body: { email: "g@example.com" } })).body.data;
    const opened = await parley.call("POST", "/conversations", {
      key,
      body: { mailbox_id: mailbox.id, subject: "Hi", contact_id: contact.id, message: { body: "one" } },
    });
    expect(opened.status, opened.text).toBe(201);
    const { message } = opened.body.data;
    expect(message.email.automatic).toBe(true);
    const next = await replied(message, {});
    expect(next.email.in_reply_to).toBe(message.email.message_id);
  });
});
