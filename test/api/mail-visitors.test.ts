import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Any } from "../support/conversations.ts";
import { mailWords } from "../support/mail-words.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { type SmtpReceiver, startSmtpReceiver } from "../support/smtp-receiver.ts";
import { createWidget, openVisitor, type TestVisitor, type TestWidget } from "../support/visitor.ts";
import { until } from "../support/wait.ts";

const SETTINGS = {
  PARLEY_MAIL_PORTS: "1024-65535",
  PARLEY_MAIL_RETRY_SCHEDULE: "0.2",
  PARLEY_WIDGET_MAIL_MINUTES: "30",
};

let parley: TestParley;
let second: TestParley;
let receiver: SmtpReceiver;
let mailbox: Any;
let widget: TestWidget;
const { connect, mail, stored } = mailWords(
  () => parley,
  () => mailbox,
);

beforeAll(async () => {
  receiver = await startSmtpReceiver();
  parley = await startParley(SETTINGS);
  second = await startParley(SETTINGS, parley.database);
  mailbox = await connect("chat@shop.example", receiver.port, { from_name: "Shop", signature: "The shop team" });
  widget = await createWidget(parley, { mailbox_id: mailbox.uuid });
});
afterAll(async () => {
  await second.close();
  await parley.close();
  await receiver.close();
});

const asked = async (visitor: TestVisitor, email?: string): Promise<Any> => {
  const sent = await visitor.send("Where is my parcel?", email === undefined ? {} : { email });
  expect(sent.status, sent.text).toBe(201);
  return (await parley.call("GET", `/conversations/${sent.body.data.conversation.id}`)).body.data;
};
const reply = async ({ id }: { id: number }, body: string, more: object = {}): Promise<Any> => {
  const written = await parley.call("POST", `/conversations/${id}/messages`, { body: { body, ...more } });
  expect(written.status, written.text).toBe(201);
  return written.body.data;
};
/** Half an hour and more passes. */
const wait = ({ id }: { id: number }) =>
  parley.database.query(
    `with messages_aged as (
       update messages set created_at = created_at - interval '31 minutes' where conversation_id = ${id})

     update conversations set last_message_at = last_message_at - interval '31 minutes' where id = ${id}`,
  );
const to = (address: string) => receiver.accepted.filter((one) => one.to.includes(address));
const arrived = async (address: string, count: number): Promise<string> => {
  const what = () => `${count} mails for ${address} (have ${to(address).length})`;
  await until(what(), () => to(address).length >= count, { timeoutMs: 60_000 });
  expect(to(address)).toHaveLength(count);
  return to(address).at(-1)?.raw ?? "";
};

describe("a widget", () => {
  it("names its mailbox by id or uuid, and loses it when the mailbox is deleted", async () => {
    expect((await parley.call("GET", `/widgets/${widget.id}`)).body.data.mailbox_id).toBe(mailbox.id);
    const { id } = await connect("other@shop.example", receiver.port);
    const path = `/widgets/${(await createWidget(parley)).id}`;
    expect((await parley.call("PATCH", path, { body: { mailbox_id: id } })).body.data.mailbox_id).toBe(id);
    expect((await parley.call("DELETE", `/mailboxes/${id}`)).status).toBe(200);
    expect((await parley.call("GET", path)).body.data.mailbox_id).toBeNull();
    const refused = await parley.call("PATCH", path, { body: { mailbox_id: id } });
    expect(refused.body.error.details.mailbox_id).toEqual(["mailbox_id must be the id or uuid of a mailbox, or null."]);
  });
});

describe("a reply that the visitor of a widget has not seen", () => {
  it("goes to their address once, several in one mail, and mail that comes back continues the conversation", async () => {
    const visitor = openVisitor(parley, widget);
    const conversation = await asked(visitor, "Ada@visitor.example");
    await reply(conversation, "It left yesterday.");
    await reply(conversation, "Do not tell the customer.", { private: true });
    await reply(conversation, "It arrives today.");
    await wait(conversation);
    const first = await arrived("Ada@visitor.example", 1);
    expect(first).toMatch(/^From: Shop <chat@shop\.example>\r$/m);
    expect(first).toContain("It left yesterday.");
    expect(first).toContain("It arrives today.");
    expect(first).toContain("> Where is my parcel?");
    expect(first).toMatch(/^-- ?\r\nThe shop team/m);
    expect(first).not.toContain("Do not tell");
    await reply(conversation, "It was delivered.");
    await wait(conversation);
    const next = await arrived("Ada@visitor.example", 2);
    expect(next).toContain("It was delivered.");
    expect(next).not.toContain("It arrives today.");
    const [previous, newest] = to("Ada@visitor.example").map(({ id }) => id);
    expect(next.replace(/\r\n[ \t]+/g, " ")).toContain(`In-Reply-To: <${previous}>`);
    const returned = await stored(
      mail({ From: "ada@VISITOR.example", "In-Reply-To": `<${newest}>`, To: "chat@shop.example" }, "Thank you."),
    );
    expect(returned).toMatchObject({ conversation_id: conversation.id, body: "Thank you." });
    expect(returned.email.outside_sender).toBe(false);
    expect(returned.sender).toMatchObject({ type: "contact", id: conversation.contact.id });
    const seen = await visitor.call("GET", `conversations/${conversation.uuid}/messages`);
    expect(seen.body.data.map(({ body }: { body: string }) => body)).toContain("Thank you.");
  });

  it("is not mailed to those who have seen it, have no address or are blocked", async () => {
    const reader = openVisitor(parley, widget);
    const blocked = openVisitor(parley, widget);
    const read = await asked(reader, "reader@visitor.example");
    const nobody = await asked(openVisitor(parley, widget));
    await reply(nobody, "Nobody gets this.");
    const blockedOne = await asked(blocked, "blocked@visitor.example");
    const { seq } = await reply(read, "You see this.");
    await reader.call("POST", `conversations/${read.uuid}/read`, { body: { seq } });
    await parley.call("PATCH", `/contacts/${blockedOne.contact.id}`, { body: { blocked: true } });
    await reply(blockedOne, "You do not get this.");
    const last = await asked(openVisitor(parley, widget), "last@visitor.example");
    await reply(last, "You get this.");
    for (const one of [read, nobody, blockedOne, last]) await wait(one);
    await arrived("last@visitor.example", 1);
    expect(to("reader@visitor.example")).toEqual([]);
    expect(to("blocked@visitor.example")).toEqual([]);
    expect(receiver.accepted.some(({ raw }) => raw.includes("Nobody gets this."))).toBe(false);
  });
});
