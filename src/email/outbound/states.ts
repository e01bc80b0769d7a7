import { MESSAGE_COLUMNS, type MessageRow, toMessage } from "../../conversations/message-record.ts";
import { SYSTEM } from "../../core/caller.ts";
import { type Database, sql, type Tx } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import type { MessageRecord } from "../../resources/conversations.ts";
import type { MailCounts } from "../counts.ts";
import { type DeliveryState, deliveryOf, type MailRow, type RecipientRow } from "./delivery-record.ts";
import type { ClaimedMail } from "./queue.ts";

/** What a step found out about one recipient. */
export type RecipientChange = Omit<RecipientRow, "address">;

/** How long a mail waits, and when it is no longer tried. */
interface RetryRules {
  scheduleSeconds: readonly number[];
  giveUpHours: number;
}

export interface StateOptions {
  db: Database;
  outbox: Outbox;
  counts: MailCounts;
  retry: RetryRules;
}

export interface MailRef {
  workspaceId: number;
  id: number;
  messageId: number | null;
}

// The conversation, the message and the mail are locked in this order everywhere, as by a deletion of the message.
const lockConversation = sql(
  "mail_out_lock_conversation",
  `select conversation.id
   from conversations conversation
   where conversation.workspace_id = $1
     and conversation.id = (
       select message.conversation_id
       from messages message
       where message.workspace_id = $1
         and message.id = $2)
   for no key update`,
);
const lockMessage = sql(
  "mail_out_lock_message",
  `select id
   from messages
   where workspace_id = $1
     and id = $2
   for update`,
);
const lockMail = sql(
  "mail_out_lock",
  `select attempts, next_attempt_at, error, claim_token,
     queued_at < now() - make_interval(hours => $3) as "isTooOld"
   from outgoing_mails
   where workspace_id = $1
     and id = $2
   for update`,
);
const readRecipients = sql(
  "mail_out_recipients",
  `select position, address, state, error
   from outgoing_recipients
   where workspace_id = $1
     and mail_id = $2
   order by position`,
);
const changeRecipients = sql(
  "mail_out_change_recipients",
  `update outgoing_recipients recipient
   set state = changed.state,
     error = changed.error,
     updated_at = now()
   from unnest($3::integer[], $4::text[], $5::text[]) as changed (position, state, error)
   where recipient.workspace_id = $1
     and recipient.mail_id = $2
     and recipient.position = changed.position`,
);
const markBegun = sql(
  "mail_out_begun",
  `update outgoing_mails
   set begun_at = now(),
     updated_at = now()
   where workspace_id = $1
     and id = $2`,
);
const settleStatement = sql(
  "mail_out_settle",
  `update outgoing_mails
   set claim_token = null,
     claimed_at = null,
     next_attempt_at = now() + make_interval(secs => $3),
     error = $4,
     updated_at = now()
   where workspace_id = $1
     and id = $2
   returning attempts, next_attempt_at, error`,
);
const requeueStatement = sql(
  "mail_out_requeue",
  `update outgoing_mails
   set next_attempt_at = now(),
     queued_at = now(),
     updated_at = now()
   where workspace_id = $1
     and id = $2
   returning attempts, next_attempt_at, error`,
);
const showDelivery = sql(
  "mail_out_show",
  `update messages m
   set delivery = $3
   where m.workspace_id = $1
     and m.id = $2
   returning ${MESSAGE_COLUMNS}`,
);

type LockedMail = MailRow & { claim_token: string | null; isTooOld: boolean; recipients: RecipientRow[] };

/** Null: deleted since. */
async function lockWhole(tx: Tx, mail: MailRef, giveUpHours: number): Promise<LockedMail | null> {
  const { workspaceId, id, messageId } = mail;
  if (messageId !== null) {
    await tx.query(lockConversation, [workspaceId, messageId]);
    await tx.query(lockMessage, [workspaceId, messageId]);
  }
  const [locked] = await tx.query<Omit<LockedMail, "recipients">>(lockMail, [workspaceId, id, giveUpHours]);
  if (!locked) return null;
  return { ...locked, recipients: await tx.query<RecipientRow>(readRecipients, [workspaceId, id]) };
}

/**
 * Commits that the bytes are about to be handed over for some recipients, and what the server said about the others.
 * False: the mail was deleted, or the claim was lost; nothing may be sent then.
 */
export const beginSending = (options: StateOptions, mail: ClaimedMail, changes: readonly RecipientChange[]) =>
  options.db.transaction(async (tx) => {
    const locked = await lockWhole(tx, mail, options.retry.giveUpHours);
    if (locked?.claim_token !== mail.token) return false;
    await tx.query(markBegun, [mail.workspaceId, mail.id]);
    await applyChanges(tx, options.outbox, mail, { locked, changes, row: locked });
    return true;
  });

/** Writes what an attempt has led to, and ends the claim. What still waits gets its next attempt, or fails when it is too old. */
export const settleMail = (
  options: StateOptions,
  mail: ClaimedMail,
  { changes, error }: { changes: readonly RecipientChange[]; error: string | null },
): Promise<void> =>
  options.db.transaction(async (tx) => {
    const { retry, outbox, counts } = options;
    const locked = await lockWhole(tx, mail, retry.giveUpHours);
    if (locked?.claim_token !== mail.token) return;
    // A delivery report was faster.
    const isBounced = ({ position }: RecipientChange) =>
      locked.recipients.some((recipient) => recipient.position === position && recipient.state === "bounced");
    const found = changes.filter((change) => !isBounced(change));
    const after = merged(locked.recipients, found);
    const waiting = after.filter(({ state }) => state === "pending");
    const givenUp = locked.isTooOld ? waiting.map((recipient) => gaveUp(recipient, { error, retry })) : [];
    const all = [...found.filter(({ position }) => !givenUp.some((given) => given.position === position)), ...givenUp];
    const wait = waiting.length > givenUp.length ? waitSeconds(retry, locked.attempts) : null;
    const [row] = await tx.query<MailRow>(settleStatement, [mail.workspaceId, mail.id, wait, error]);
    await applyChanges(tx, outbox, mail, { locked, changes: all, row: row as MailRow });
    tx.afterCommit(() => {
      for (const { state } of all) if (state in counts.out) counts.out[state as keyof MailCounts["out"]]++;
    });
  });

/** A crashed process had it: what was being handed over is unknown, the rest waits for its next attempt. */
export const releaseExpired = (options: StateOptions, mail: ClaimedMail): Promise<void> =>
  options.db.transaction(async (tx) => {
    const locked = await lockWhole(tx, mail, options.retry.giveUpHours);
    if (locked?.claim_token !== mail.token) return;
    const changes = locked.recipients
      .filter(({ state }) => state === "sending")
      .map(({ position }) => ({ position, state: "unknown" as const, error: LOST }));
    const waits = locked.recipients.some(({ state }) => state === "pending");
    const values = [mail.workspaceId, mail.id, waits ? 0 : null, locked.error];
    const [row] = await tx.query<MailRow>(settleStatement, values);
    await applyChanges(tx, options.outbox, mail, { locked, changes, row: row as MailRow });
  });

const LOST = "The process that was sending it ended before the mail server responded. Whether it arrived is not known.";

/** Puts recipients back into the queue, by explicit choice. Null: nobody is left to send to. */
export async function requeue(
  tx: Tx,
  outbox: Outbox,
  mail: MailRef,
  states: readonly DeliveryState[],
): Promise<MessageRecord | null> {
  const locked = await lockWhole(tx, mail, 0);
  const changes = (locked?.recipients ?? [])
    .filter(({ state }) => states.includes(state))
    .map(({ position }) => ({ position, state: "pending" as const, error: null }));
  if (!locked || changes.length === 0) return null;
  const [row] = await tx.query<MailRow>(requeueStatement, [mail.workspaceId, mail.id]);
  return applyChanges(tx, outbox, mail, { locked, changes, row: row as MailRow });
}

/** Of a mail that is not being sent: what a delivery report says. */
export async function changeStates(
  tx: Tx,
  outbox: Outbox,
  mail: MailRef,
  change: (recipient: RecipientRow) => RecipientChange | null,
): Promise<MessageRecord | null> {
  const locked = await lockWhole(tx, mail, 0);
  const changes = (locked?.recipients ?? []).flatMap((recipient) => change(recipient) ?? []);
  return locked && changes.length > 0 ? applyChanges(tx, outbox, mail, { locked, changes, row: locked }) : null;
}

const waitSeconds = ({ scheduleSeconds }: RetryRules, attempts: number): number =>
  scheduleSeconds[Math.min(attempts, scheduleSeconds.length) - 1] ?? 0;

const gaveUp = (
  { position, error: own }: RecipientRow,
  { error, retry }: { error: string | null; retry: RetryRules },
): RecipientChange => ({
  position,
  state: "failed",
  error: `Not delivered within ${retry.giveUpHours} hours. ${own ?? error ?? ""}`.trim(),
});

function merged(recipients: readonly RecipientRow[], changes: readonly RecipientChange[]): RecipientRow[] {
  return recipients.map((recipient) => ({
    ...recipient,
    ...changes.find(({ position }) => position === recipient.position),
  }));
}

interface Applied {
  locked: LockedMail;
  changes: readonly RecipientChange[];
  row: MailRow;
}

/** Writes the states and shows them on the message, with an event where one of them is new. */
async function applyChanges(
  tx: Tx,
  outbox: Outbox,
  { workspaceId, id, messageId }: MailRef,
  { locked, changes, row }: Applied,
): Promise<MessageRecord | null> {
  if (changes.length > 0)
    await tx.query(changeRecipients, [
      ...[workspaceId, id, changes.map(({ position }) => position)],
      changes.map(({ state }) => state),
      changes.map(({ error }) => error),
    ]);
  if (messageId === null) return null;
  const after = merged(locked.recipients, changes);
  const delivery = JSON.stringify(deliveryOf(row, after));
  const [shown] = await tx.query<MessageRow>(showDelivery, [workspaceId, messageId, delivery]);
  if (!shown) return null;
  const data = toMessage(shown);
  const isNew = after.some(({ state }, index) => state !== locked.recipients[index]?.state);
  if (isNew) await outbox.append(tx, { workspaceId, type: "message.delivery_changed", data, actor: SYSTEM.actor });
  return data;
}
