import { createPrivateKey } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { SecretBox } from "../../core/secret-box.ts";
import { type Database, sql } from "../../db/database.ts";
import type { MailboxRecord } from "../../resources/mailbox.ts";
import { type DnsRecords, OutboundFailure } from "../../url-guard/index.ts";
import { type ConnectOptions, connectImap } from "../imap/connect.ts";
import { explainFailure } from "../imap/failure.ts";
import { openSecret, type SealedSecrets } from "../mailboxes/secrets.ts";
import { type AccountOptions, readAccount } from "../outbound/account.ts";
import { openSession, SmtpRefusal } from "../outbound/smtp.ts";
import { checkRecords, type DnsFindings } from "./records.ts";

/** In their order; what is listed has succeeded. */
type Step = "found" | "connected" | "signed_in" | "opened";

interface Finding {
  ok: boolean;
  error: string | null;
  steps: Step[];
}

export interface CheckResult {
  inbound: Finding;
  outbound: Finding;
  dns: DnsFindings;
}

interface CheckOptions {
  db: Database;
  secretBox: SecretBox;
  connect: ConnectOptions;
  accounts: AccountOptions;
  dns: DnsRecords;
  /** Whether mail for mailboxes of type smtp is received. */
  receives: boolean;
  ownHost: string;
}

const CHECK_MS_MAX = 14_000;
const RESPONSE_MS_MAX = 10_000;

const sealedStatement = sql(
  "mailbox_check",
  "select inbound_sealed, dkim_sealed from mailboxes where workspace_id = $1 and id = $2",
);

/** Connects and signs in both ways, and looks the domain up. Sends nothing. */
export async function checkConnections(
  options: CheckOptions,
  workspaceId: number,
  mailbox: MailboxRecord,
): Promise<CheckResult> {
  const [sealed] = await options.db.query<Omit<SealedSecrets, "outbound_sealed">>(sealedStatement, [
    workspaceId,
    mailbox.id,
  ]);
  const { inbound_sealed = null, dkim_sealed = null } = sealed ?? {};
  const { private_key: privateKey = null } = openSecret(options.secretBox, "dkim", mailbox.uuid, dkim_sealed) ?? {};
  const [inbound, outbound, dns] = await Promise.all([
    inTime((steps) => checkInbound(options, workspaceId, { ...mailbox, inbound_sealed }, steps)),
    inTime((steps) => checkOutbound(options, { workspaceId, mailboxId: mailbox.id }, steps)),
    checkRecords(options.dns, { mailbox, privateKey: privateKey && readable(privateKey), ownHost: options.ownHost }),
  ]);
  return { inbound, outbound, dns };
}

/** `work` returns what is wrong; null: nothing. */
async function inTime(work: (steps: Step[]) => Promise<string | null>): Promise<Finding> {
  const steps: Step[] = [];
  const late = sleep(CHECK_MS_MAX, "The server did not respond in time.", { ref: false });
  const error = await Promise.race([work(steps), late]);
  return { ok: error === null, error, steps: [...steps] };
}

async function checkInbound(
  options: CheckOptions,
  workspaceId: number,
  mailbox: MailboxRecord & { inbound_sealed: string | null },
  steps: Step[],
): Promise<string | null> {
  const { inbound, uuid, inbound_sealed } = mailbox;
  if (inbound?.type === "smtp" && !options.receives)
    return "Nothing receives mail here: PARLEY_SMTP_PORT and PARLEY_LMTP_PORT are not set.";
  if (inbound?.type !== "imap") return null;
  const { host = "", port = 0, folder = "INBOX" } = inbound;
  const account = { workspaceId, mailboxId: mailbox.id, uuid, inbound, inbound_sealed };
  try {
    const client = await connectImap(options.connect, account, () => steps.push("found"));
    try {
      steps.push("connected", "signed_in");
      await client.mailboxOpen(folder, { readOnly: true });
      steps.push("opened");
      return null;
    } finally {
      client.close();
    }
  } catch (error) {
    if ((error as { authenticationFailed?: boolean }).authenticationFailed) steps.push("connected");
    return explainFailure(error, { host, port, folder }).sentence;
  }
}

async function checkOutbound(
  { accounts }: CheckOptions,
  mailbox: { workspaceId: number; mailboxId: number },
  steps: Step[],
): Promise<string | null> {
  const account = await readAccount(accounts, mailbox);
  if ("error" in account) return account.error;
  if ("isLoopback" in account) return null;
  const { host, port } = account.server;
  try {
    const times = { responseMs: RESPONSE_MS_MAX, acceptMs: RESPONSE_MS_MAX };
    const session = await openSession(account.server, await account.login(), times);
    steps.push("found", "connected", "signed_in");
    await session.quit().catch(() => {});
    session.destroy();
    return null;
  } catch (error) {
    if (error instanceof SmtpRefusal) {
      steps.push("found", "connected");
      account.refused?.();
      return `${host} said: ${error.message}`;
    }
    const isUnknown = error instanceof OutboundFailure && ["dns", "refused_address"].includes(error.detail.code);
    if (!isUnknown) steps.push("found");
    return explainFailure(error, { host, port, folder: "" }).sentence;
  }
}

/** A key that cannot be read was sealed before it was checked. */
function readable(privateKey: string): string | null {
  try {
    createPrivateKey(privateKey);
    return privateKey;
  } catch {
    return null;
  }
}
