import { domainToASCII } from "node:url";
import { type Queryable, sql } from "../../db/database.ts";
import type { ReceivingMailbox } from "../inbound/ingest.ts";
import { mailboxNames } from "../sender.ts";

// Over all workspaces: the receiver knows only the address, which is unique in the installation.
const findByAddress = sql(
  "mailbox_of_recipient",
  `select workspace_id as "workspaceId", id, authserv_id as "authservId", own_lists as "ownLists", paused
   from mailboxes
   where lower(address) = any($1)
     and inbound ->> 'type' = 'smtp'
   order by length(address) desc
   limit 1`,
);

export interface Recipient extends ReceivingMailbox {
  paused: boolean;
}

/** The mailbox that an address of an envelope belongs to, with or without plus-tags. */
export async function findRecipient(db: Queryable, given: string): Promise<Recipient | null> {
  const [mailbox] = await db.query<Recipient>(findByAddress, [mailboxNames(foldAddress(given))]);
  return mailbox ?? null;
}

/** In lower case, with the domain as DNS writes it. */
function foldAddress(address: string): string {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1);
  return `${address.slice(0, at + 1)}${domainToASCII(domain) || domain}`.toLowerCase();
}
