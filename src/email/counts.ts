import { type Queryable, sql } from "../db/database.ts";

/** What this process has done since it started. */
export interface MailCounts {
  /** Mails that came in and were stored; those that were stored already. */
  in: { stored: number; known: number };
  /** Recipients by what an attempt led to; `pending`: it is tried again. */
  out: { sent: number; failed: number; unknown: number; pending: number };
}

export const createMailCounts = (): MailCounts => ({
  in: { stored: 0, known: 0 },
  out: { sent: 0, failed: 0, unknown: 0, pending: 0 },
});

export interface MailNumbers {
  pending: number;
  oldestPendingSeconds: number;
  mailboxes: Record<"ok" | "connecting" | "error" | "paused", number>;
  /** Since when a folder was last read to its end, by mailbox. */
  behind: { mailbox: number; seconds: number }[];
}

const PENDING_MAX = 100_000;
/** Each is a time series. */
const MAILBOXES_MAX = 1_000;

const pendingStatement = sql(
  "mail_numbers_pending",
  `select count(*)::float8 as pending,
     coalesce(extract(epoch from now() - min(queued_at)), 0)::float8 as "oldestPendingSeconds"
   from (
     select mail.queued_at
     from outgoing_mails mail
     where mail.next_attempt_at is not null
     limit ${PENDING_MAX}) counted`,
);
const mailboxesStatement = sql(
  "mail_numbers_mailboxes",
  `select mailbox.id,
     case
       when mailbox.paused then 'paused'
       when coalesce(state.error, state.sending_error) is not null then 'error'
       when mailbox.inbound ->> 'type' = 'imap' and not state.is_connected then 'connecting'
       else 'ok'
     end as state,
     case when mailbox.inbound ->> 'type' = 'imap' and not mailbox.paused then
       extract(epoch from now() - coalesce(state.last_synced_at, state.started_at))::float8
     end as behind
   from mailboxes mailbox
   join mailbox_states state
     on state.workspace_id = mailbox.workspace_id
     and state.mailbox_id = mailbox.id
   join workspaces workspace
     on workspace.id = mailbox.workspace_id
     and not workspace.is_demo
     and workspace.move_state is distinct from 'moved'`,
);

interface MailboxState {
  id: number;
  state: keyof MailNumbers["mailboxes"];
  behind: number | null;
}

/** Of all workspaces, for the operator. */
export async function readMailNumbers(db: Queryable): Promise<MailNumbers> {
  const [waiting] = await db.query<Pick<MailNumbers, "pending" | "oldestPendingSeconds">>(pendingStatement);
  const found = await db.query<MailboxState>(mailboxesStatement);
  const mailboxes = { ok: 0, connecting: 0, error: 0, paused: 0 };
  for (const { state } of found) mailboxes[state]++;
  const behind = found
    .flatMap(({ id, behind: seconds }) => (seconds === null ? [] : [{ mailbox: id, seconds }]))
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, MAILBOXES_MAX);
  return {
    pending: waiting?.pending ?? 0,
    oldestPendingSeconds: waiting?.oldestPendingSeconds ?? 0,
    mailboxes,
    behind,
  };
}
