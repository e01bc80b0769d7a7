import { domainToASCII } from "node:url";
import { type Queryable, sql } from "../../db/database.ts";
import { mailboxNames } from "../sender.ts";

// Over all workspaces: the receiver knows only the address, which is unique in the installation.
const findByAddress = sql(
  "mailbox_of_recipient",
  `select workspace_id, id, authserv_id, own_lists, paused
   from mailboxes
   where lower(address) = any($1)
     and inbound ->> 'type' = 'smtp'
   order by length(address) desc
   limit 1`,
);

export interface Recipient {
  workspaceId: number;
  id: number;
  authservId: string | null;
  ownLists: readonly string[];
  paused: boolean;
}

interface Row {
  workspace_id: number;
  id: number;
  authserv_id: string | null;
  own_lists: string[];
  paused: boolean;
}

/** The mailbox that an address of an envelope belongs to, with or without plus-tags. */
export async function findRecipient(db: Queryable, given: string): Promise<Recipient | null> {
  const [row] = await db.query<Row>(findByAddress, [mailboxNames(foldAddress(given))]);
  if (!row) return null;
  const { workspace_id: workspaceId, id, authserv_id: authservId, own_lists: ownLists, paused } = row;
  return { workspaceId, id, authservId, ownLists, paused };
}

/** In lower case, with the domain as DNS writes it. */
function foldAddress(address: string): string {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1);
  return `${address.slice(0, at + 1)}${domainToASCII(domain) || domain}`.toLowerCase();
}
