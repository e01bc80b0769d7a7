import { setTimeout as sleep } from "node:timers/promises";
import { createFairQueue } from "../../core/fair-queue.ts";
import type { Logger } from "../../core/logger.ts";
import { startLoop } from "../../core/loop.ts";
import { sql } from "../../db/database.ts";
import { OauthFailure } from "../oauth.ts";
import { type Account, type AccountOptions, readAccount } from "./account.ts";
import { attemptMail, type Recipient } from "./attempt.ts";
import { openLoopback } from "./loopback.ts";
import {
  type ClaimedMail,
  claimMail,
  type DueMailbox,
  findDueMailboxes,
  findExpiredClaims,
  RENEW_MS,
  renewClaims,
} from "./queue.ts";
import { canNeverArrive, NEVER_ARRIVES } from "./recipients.ts";
import { openSession, SmtpRefusal, type SmtpSession, type SmtpTimes } from "./smtp.ts";
import { releaseExpired, type StateOptions, settleMail } from "./states.ts";

interface SenderOptions {
  states: StateOptions;
  accounts: AccountOptions;
  logger: Logger;
  perHour: number;
  times: SmtpTimes;
}

export interface MailSender {
  /** Something was queued. */
  wake(): void;
  close(): Promise<void>;
}

const POLL_MS = 1_000;
const EXPIRE_MS = 3_000;
/** Of one mailbox, on one node. */
const CONNECTIONS_PER_MAILBOX = 3;
/** Sockets are cheap: a mailbox whose server hangs keeps no other one waiting. */
const CONNECTIONS_MAX = 500;
/** A mail server that does not respond must not keep the process from stopping. What it had becomes unknown. */
const CLOSE_MS_MAX = 10_000;

const noteError = sql(
  "mailbox_sending_error",
  `update mailbox_states
   set sending_error = $3,
     sending_failing_since = case when $3::text is null then null else coalesce(sending_failing_since, now()) end
   where workspace_id = $1
     and mailbox_id = $2
     and sending_error is distinct from $3`,
);

/**
 * Sends the mail that waits. It may run on any number of nodes: each mail is claimed by one. Every mailbox has
 * connections of its own, so that a server that hangs delays no other mailbox.
 */
export function startMailSender(options: SenderOptions): MailSender {
  const { states, logger, perHour } = options;
  const { db } = states;
  const connections = createFairQueue({ concurrency: CONNECTIONS_MAX, perKey: CONNECTIONS_PER_MAILBOX });
  const jobs = new Set<Promise<void>>();
  const claims = new Set<string>();
  let closed = false;

  async function discover(): Promise<void> {
    for (const mailbox of await findDueMailboxes(db)) {
      const leave = closed ? null : connections.enterNow(`${mailbox.workspaceId}:${mailbox.mailboxId}`);
      if (!leave) continue;
      const job = drain(mailbox)
        .catch((error: Error) => logger.warn({ err: error.message, ...mailbox }, "sending mail failed, retrying"))
        .finally(() => {
          leave();
          jobs.delete(job);
        });
      jobs.add(job);
    }
  }

  /** Sends one mail after the other over one connection, until none is due. */
  async function drain(mailbox: DueMailbox): Promise<void> {
    let session: SmtpSession | null = null;
    let hasMore = false;
    try {
      while (!closed) {
        const mail = await claimMail(db, mailbox, perHour);
        if (!mail) break;
        // With more than one mail a second connection is worth it.
        if (hasMore) discovery.now();
        hasMore = true;
        claims.add(mail.token);
        session = await sendOne(options, mail, session).finally(() => claims.delete(mail.token));
        if (!session) break;
      }
    } finally {
      await session?.quit();
    }
  }

  async function releaseOthers(): Promise<void> {
    for (const mail of await findExpiredClaims(db)) {
      if (claims.has(mail.token)) continue;
      await releaseExpired(states, mail);
      logger.warn({ mail: mail.id }, "a mail was being sent by a process that has ended");
    }
  }

  const onError = (what: string) => (error: Error) => logger.warn({ err: error.message }, `${what} failed, retrying`);
  const discovery = startLoop({ work: discover, pauseMs: POLL_MS, onError: onError("looking for mail to send") });
  const loops = [
    discovery,
    startLoop({ work: releaseOthers, pauseMs: EXPIRE_MS, onError: onError("looking for lost mail") }),
    startLoop({
      work: async () => void (claims.size > 0 && (await renewClaims(db, [...claims]))),
      pauseMs: RENEW_MS,
      onError: onError("renewing the claims of mail"),
    }),
  ];
  return {
    wake: discovery.now,
    async close() {
      closed = true;
      await loops[0]?.close();
      await loops[1]?.close();
      await Promise.race([Promise.all(jobs), sleep(CLOSE_MS_MAX, undefined, { ref: false })]);
      await loops[2]?.close();
    },
  };
}

/** Returns the connection if another mail can be sent over it. */
async function sendOne(
  options: SenderOptions,
  mail: ClaimedMail,
  open: SmtpSession | null,
): Promise<SmtpSession | null> {
  const { states, accounts, times } = options;
  const account = await readAccount(accounts, mail);
  const pending = await states.db.query<Recipient>(findPending, [mail.workspaceId, mail.id]);
  const isFutile = pending.every(({ address }) => canNeverArrive(address));
  if ("error" in account || isFutile) {
    const error = "error" in account ? account.error : NEVER_ARRIVES;
    const changes = pending.map(({ position }) => ({ position, state: "failed" as const, error }));
    await settleMail(states, mail, { changes, error });
    return open;
  }
  let session: SmtpSession;
  try {
    session = open ?? (await connect(account, times));
    await note(options, mail, null);
  } catch (error) {
    // Nothing was sent, and nothing was said about the mail: it waits for its next attempt.
    const sentence = explain(error as Error, account);
    await note(options, mail, sentence);
    await settleMail(states, mail, { changes: [], error: sentence });
    return null;
  }
  try {
    const isUsable = await attemptMail(states, mail, { session, from: account.address, recipients: pending });
    if (isUsable) return session;
  } catch (error) {
    session.destroy();
    throw error;
  }
  session.destroy();
  return null;
}

type Usable = Exclude<Account, { error: string }>;

async function connect(account: Usable, times: SmtpTimes): Promise<SmtpSession> {
  if ("isLoopback" in account) return openLoopback();
  const login = await account.login();
  try {
    return await openSession(account.server, login, times);
  } catch (error) {
    if (error instanceof SmtpRefusal) account.refused?.();
    throw error;
  }
}

/** For the person who has to change something. */
function explain(error: Error, account: Usable): string {
  if ("isLoopback" in account || error instanceof OauthFailure) return error.message;
  const { host, port } = account.server;
  if (error instanceof SmtpRefusal && REFUSED_LOGIN.includes(error.code))
    return `${host} refused the user name or the password (it said: ${error.message}).`;
  return `${host} on port ${port}: ${error.message}.`;
}

const REFUSED_LOGIN = [530, 534, 535, 538];

const findPending = sql(
  "mail_out_pending",
  `select position, address
   from outgoing_recipients
   where workspace_id = $1
     and mail_id = $2
     and state = 'pending'
   order by position`,
);

/** Shown as the error of the mailbox until a connection works again. */
const note = ({ states }: SenderOptions, { workspaceId, mailboxId }: ClaimedMail, error: string | null) =>
  states.db.query(noteError, [workspaceId, mailboxId, error]);
