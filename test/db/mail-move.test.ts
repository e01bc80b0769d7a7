import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { moveWorkspace } from "../../src/cells/move.ts";
import { createLogger } from "../../src/core/logger.ts";
import { setUp } from "../support/browser.ts";
import { ensureBuilt } from "../support/cli.ts";
import type { Any } from "../support/conversations.ts";
import { type Dovecot, dovecotProgram, startDovecot, withDovecot } from "../support/dovecot.ts";
import { mailWords } from "../support/mail-words.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { type SmtpReceiver, startSmtpReceiver } from "../support/smtp-receiver.ts";
import { until } from "../support/wait.ts";

const WORKSPACE = 1;
const SETTINGS = {
  PARLEY_MAIL_PORTS: "1024-65535",
  PARLEY_MAIL_RETRY_SCHEDULE: "1",
  PARLEY_MAIL_TIMEOUT_SECONDS: "60",
};

let source: TestParley;
let target: TestParley;
let receiver: SmtpReceiver;
let dovecot: Dovecot;
let mailbox: Any;
let inUse: () => TestParley = () => source;
const { mail, stored, replied, messageOf, settled } = mailWords(
  () => inUse(),
  () => mailbox,
);

beforeAll(async () => {
  if (!dovecotProgram) return;
  await ensureBuilt();
  receiver = await startSmtpReceiver();
  dovecot = await startDovecot();
  source = await startParley({ ...SETTINGS, PARLEY_CELL: "0" });
  const key = "another-bootstrap-key-of-more-than-32-characters";
  target = await startParley({ ...SETTINGS, PARLEY_CELL: "7", PARLEY_BOOTSTRAP_API_KEY: key });
  await setUp(source, { workspace_name: "Shop" });
  await setUp(target, { workspace_name: "Elsewhere" });
});
afterAll(async () => {
  await source?.close();
  await target?.close();
  await dovecot?.close();
  await receiver?.close();
});

const options = (report: (line: string) => void = () => {}) => ({
  workspaceId: WORKSPACE,
  source: { connectionString: source.database.url },
  target: { connectionString: target.database.url },
  db: source.app.store.db,
  logger: createLogger("silent"),
  waitMs: 20_000,
  report,
});

const accepted = ({ email }: Any) => receiver.accepted.filter(({ id }) => id === email.message_id).length;
const bodiesIn = async (parley: TestParley) =>
  (await parley.database.query<{ body: string }>("select body from messages where direction = 'in' order by id")).map(
    ({ body }) => body,
  );

describe.skipIf(!dovecotProgram)(withDovecot("the mail of a workspace that moves to another cell"), () => {
  it("is sent once and fetched once: each mail by the cell that has it at that moment", async () => {
    const body = {
      name: "a",
      address: "a@shop.example",
      inbound: {
        ...{ type: "imap", host: "127.0.0.1", port: dovecot.port, security: "none" },
        ...{ user: "a", password: dovecot.password },
      },
      outbound: { host: "127.0.0.1", port: receiver.port, security: "none", user: "a", password: "secret" },
    };
    const made = await source.call("POST", "/mailboxes", { body });
    expect(made.status, made.text).toBe(201);
    mailbox = made.body.data;
    const isConnected = async (parley: TestParley) =>
      (await parley.call("GET", `/mailboxes/${mailbox.uuid}`)).body.data.status.state === "ok";
    await until("the source reads the folder", () => isConnected(source), { timeoutMs: 45_000 });
    dovecot.deliver("a", mail({ From: "b@example.com" }, "before the move"));
    await until("it fetched", async () => (await bodiesIn(source)).length === 1, { timeoutMs: 45_000 });

    const asked = await stored(mail({ From: "c@example.com" }, "by HTTP"));
    const sent = await replied(asked, {});
    await settled(sent, "sent");
    receiver.behave({ fault: () => ({ at: "dot", how: 554 }) });
    const failed = await replied(asked, {});
    await settled(failed, "failed");
    receiver.behave({ fault: () => ({ at: "mail", how: 451 }) });
    const pending = await replied(asked, {});
    await until("one attempt failed", async () => (await messageOf(pending)).delivery.attempts >= 1);
    // One whose bytes the server has, and that it accepts only while the workspace is about to move.
    const release = receiver.hold();
    receiver.behave({});
    const inFlight = await replied(asked, {});
    await settled(inFlight, "sending");
    receiver.behave({ fault: () => ({ at: "mail", how: 451 }) });
    const lines: string[] = [];
    const moving = moveWorkspace(options((line) => void lines.push(line)));
    await until("the move waits", () => lines.some((line) => line.startsWith("Waiting")));
    release();
    await moving;

    expect([accepted(sent), accepted(failed), accepted(inFlight)]).toEqual([1, 0, 1]);
    dovecot.deliver("a", mail({ From: "b@example.com" }, "after the move"));
    receiver.behave({});
    const atHome = source;
    inUse = () => target;
    await settled(pending, "sent", 45_000);
    await until("the target fetched", async () => (await bodiesIn(target)).includes("after the move"), {
      timeoutMs: 60_000,
    });
    expect((await messageOf(inFlight)).delivery.state).toBe("sent");
    expect((await messageOf(failed)).delivery.state).toBe("failed");
    expect([sent, inFlight, pending, failed].map(accepted)).toEqual([1, 1, 1, 0]);
    expect(await bodiesIn(target)).toEqual(["before the move", "by HTTP", "after the move"]);
    expect(await bodiesIn(atHome)).toEqual(["before the move", "by HTTP"]);
    const resent = await target.call("POST", `/conversations/${asked.conversation_id}/messages/${failed.id}/resend`);
    expect(resent.status, resent.text).toBe(202);
    await settled(failed, "sent");
    expect(accepted(failed)).toBe(1);
  }, 240_000);
});
