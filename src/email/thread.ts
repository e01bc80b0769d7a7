import { createHash } from "node:crypto";
import type { SecretBox } from "../core/secret-box.ts";
import { type Queryable, sql, type Tx } from "../db/database.ts";
import { headerValues, type ParsedMail } from "./parse/mail.ts";
import { readTokens } from "./token.ts";

const REFERENCES_MAX = 100;

const findByUuid = sql(
  "mail_conversation_by_uuid",
  `select conversation.id
   from unnest($2::uuid[]) with ordinality as wanted (uuid, position)
   join conversations conversation
     on conversation.workspace_id = $1
     and conversation.uuid = wanted.uuid
   order by wanted.position
   limit 1`,
);
const findById = sql(
  "mail_conversation_by_id",
  `select message.conversation_id as id
   from unnest($3::bytea[]) with ordinality as wanted (digest, position)
   join mail_ids known
     on known.workspace_id = $1
     and known.mailbox_id = $2
     and known.id_digest = wanted.digest
   join messages message
     on message.workspace_id = known.workspace_id
     and message.id = known.message_id
   order by wanted.position, known.message_id desc
   limit 1`,
);
const rememberId = sql(
  "mail_id_insert",
  `insert into mail_ids (workspace_id, mailbox_id, id_digest, message_id)
   values ($1, $2, $3, $4)
   on conflict do nothing`,
);
const rememberAddresses = sql(
  "conversation_addresses_insert",
  `insert into conversation_addresses (workspace_id, conversation_id, address)
   select $1, $2, address
   from unnest($3::text[]) as address
   order by address
   on conflict do nothing`,
);
const findAddress = sql(
  "conversation_address_find",
  `select 1
   from conversation_addresses
   where workspace_id = $1
     and conversation_id = $2
     and address = $3`,
);

interface MailboxOf {
  workspaceId: number;
  mailboxId: number;
}

/**
 * The conversation that a mail belongs to; null: a new one. A valid token of ours decides first, then the mails of this
 * mailbox that it refers to, newest first. The subject never does.
 */
export async function findThread(
  db: Queryable,
  box: SecretBox,
  { workspaceId, mailboxId }: MailboxOf,
  { mail, recipients }: { mail: ParsedMail; recipients: readonly string[] },
): Promise<number | null> {
  const ids = referencesOf(mail);
  const tokens = readTokens(box, workspaceId, [...ids, ...recipients].join("\n"));
  const [byToken] = tokens.length > 0 ? await db.query<{ id: number }>(findByUuid, [workspaceId, tokens]) : [];
  if (byToken) return byToken.id;
  if (ids.length === 0) return null;
  const [byId] = await db.query<{ id: number }>(findById, [workspaceId, mailboxId, ids.map(idDigest)]);
  return byId?.id ?? null;
}

/** Newest first: the mail that is replied to, then the thread from its end. */
export const referencesOf = ({ inReplyTo, references }: ParsedMail): string[] =>
  [...new Set([...inReplyTo, ...references.toReversed()])].slice(0, REFERENCES_MAX);

/** Ids may be long; the digest of one is not. */
export const idDigest = (id: string): Buffer => createHash("sha256").update(id).digest().subarray(0, 16);

/** So that a reply to this mail is found, in or out. */
export async function rememberMessageId(
  tx: Tx,
  { workspaceId, mailboxId }: MailboxOf,
  { headerId, messageId }: { headerId: string | null; messageId: number },
): Promise<void> {
  if (headerId !== null) await tx.query(rememberId, [workspaceId, mailboxId, idDigest(headerId), messageId]);
}

/** From, To and Cc of a mail take part in its conversation from now on. */
export async function rememberParticipants(
  tx: Tx,
  { workspaceId, conversationId }: { workspaceId: number; conversationId: number },
  addresses: readonly string[],
): Promise<void> {
  const folded = [...new Set(addresses.map((address) => address.toLowerCase()))];
  if (folded.length > 0) await tx.query(rememberAddresses, [workspaceId, conversationId, folded]);
}

export async function isParticipant(
  tx: Tx,
  { workspaceId, conversationId }: { workspaceId: number; conversationId: number },
  address: string,
): Promise<boolean> {
  return (await tx.query(findAddress, [workspaceId, conversationId, address.toLowerCase()])).length > 0;
}

/** Everyone whom the mail was delivered to, as far as it says: plus-addresses may carry a token. */
export const recipientsOf = (mail: ParsedMail): string[] => [
  ...[...mail.to, ...mail.cc].map(({ address }) => address),
  ...["delivered-to", "x-original-to", "envelope-to", "x-delivered-to"].flatMap((name) => headerValues(mail, name)),
];
