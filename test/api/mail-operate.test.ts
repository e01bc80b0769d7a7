import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Browser, setUp } from "../support/browser.ts";
import type { Any } from "../support/conversations.ts";
import { mailWords } from "../support/mail-words.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { type SmtpReceiver, startSmtpReceiver } from "../support/smtp-receiver.ts";
import { until } from "../support/wait.ts";

let parley: TestParley;
let receiver: SmtpReceiver;
let owner: Browser;
let mailbox: Any;
const { connect, stored } = mailWords(
  () => parley,
  () => mailbox,
);

beforeAll(async () => {
  receiver = await startSmtpReceiver();
  parley = await startParley({
    PARLEY_MAIL_PORTS: "1024-65535",
    PARLEY_MAIL_RETRY_SCHEDULE: "0.2",
    PARLEY_MAIL_TIMEOUT_SECONDS: "1",
  });
  owner = await setUp(parley);
  mailbox = await connect("support@shop.example", receiver.port, { inbound: { type: "http" } });
});
beforeEach(() => receiver.behave({}));
afterAll(async () => {
  await parley.close();
  await receiver.close();
});

describe("a test mail of a mailbox to itself", () => {
  const path = () => `/mailboxes/${mailbox.id}/test`;
  const reading = async () => (await owner.call("GET", path())).body.data;

  it("is sent, and seen when it comes in, in a conversation that is resolved", async () => {
    expect(await reading()).toBeNull();
    const begun = await owner.call("POST", path(), {});
    expect(begun.status, begun.text).toBe(202);
    expect(begun.body.data).toMatchObject({ state: "pending", error: null, seen_at: null, conversation_id: null });
    const [mail] = await receiver.waitFor(1);
    await until("it is sent", async () => (await reading()).state === "sent");
    expect(mail?.to).toEqual(["support@shop.example"]);
    const message = await stored(mail?.raw ?? "");
    expect(message.email).toMatchObject({ automatic: true, subject: "Test of the mailbox a" });
    const seen = await reading();
    expect(seen).toMatchObject({ state: "sent", conversation_id: message.conversation_id });
    expect(seen.seen_at).not.toBeNull();
    const conversation = await parley.call("GET", `/conversations/${message.conversation_id}`);
    expect(conversation.body.data).toMatchObject({ status: "resolved", waiting_since: null });
  });

  it("is seen although the server on its way has replaced its Message-ID", async () => {
    const before = receiver.accepted.length;
    await owner.call("POST", path(), {});
    const mail = (await receiver.waitFor(before + 1)).at(-1);
    expect((await reading()).seen_at).toBeNull();
    await stored((mail?.raw ?? "").replace(/^Message-ID: .*$/im, "Message-ID: <other@server.example>"));
    expect((await reading()).seen_at).not.toBeNull();
  });

  it("says why it was refused, and is a 409 while the mailbox is paused", async () => {
    receiver.behave({ rcpt: () => 550 });
    await owner.call("POST", path(), {});
    await until("it has failed", async () => (await reading()).state === "failed");
    expect((await reading()).error).toContain("550");
    await parley.call("POST", `/mailboxes/${mailbox.id}/pause`);
    expect((await owner.call("POST", path(), {})).status).toBe(409);
    await parley.call("POST", `/mailboxes/${mailbox.id}/resume`);
  });
});
