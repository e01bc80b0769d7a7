import type { MailboxRecord, MailboxStatus } from "../../resources/mailbox.ts";

/** How a mailbox is read: `b` the mailbox, `s` its state. */
export const MAILBOX_COLUMNS = `b.id, b.uuid, b.name, b.address, b.from_name, b.inbound, b.outbound, b.dkim, b.authserv_id,
      b.signature, b.own_lists, b.paused, b.created_at, b.updated_at,
      s.is_connected, coalesce(s.error, s.sending_error) as error, s.last_synced_at, s.last_message_at, s.unseen_on_server,
      case when s.import is null then null
        else jsonb_build_object('total', s.import -> 'total', 'done', s.import -> 'done') end as import`;

export const MAILBOX_STATE_JOIN = "join mailbox_states s on s.workspace_id = b.workspace_id and s.mailbox_id = b.id";

export interface MailboxRow extends Omit<MailboxRecord, "status">, Omit<MailboxStatus, "state"> {
  paused: boolean;
  is_connected: boolean;
}

export function toMailbox({ paused, is_connected, ...row }: MailboxRow): MailboxRecord {
  const { error, last_synced_at, last_message_at, unseen_on_server, import: progress, ...settings } = row;
  const { created_at, updated_at, ...rest } = settings;
  const connects = row.inbound?.type === "imap" && !is_connected;
  const state = paused ? "paused" : error !== null ? "error" : connects ? "connecting" : "ok";
  const status = { state, error, last_synced_at, last_message_at, unseen_on_server, import: progress } as const;
  return { ...rest, status, created_at, updated_at };
}
