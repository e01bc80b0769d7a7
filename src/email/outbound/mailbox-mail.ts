import type { SecretBox } from "../../core/secret-box.ts";
import { sql, type Tx } from "../../db/database.ts";
import { storeWhole } from "../../files/store-whole.ts";
import type { UploadLimits } from "../../files/upload.ts";
import { openSecret } from "../mailboxes/secrets.ts";
import type { DkimKey } from "./dkim.ts";
import { buildMail, type OutgoingMail } from "./mime.ts";

/** What every mail of a mailbox is written with: replies, mail to visitors, tests. */
export interface ComposeOptions {
  secretBox: SecretBox;
  fileLimits: UploadLimits;
  /** A mail waits to be sent: called after the commit. */
  onQueued: () => void;
}

const findMailbox = sql(
  "mail_out_mailbox",
  `select id, uuid, name, address, from_name, signature, dkim, dkim_sealed
   from mailboxes
   where workspace_id = $1
     and id = $2
   for key share`,
);
export interface SendingMailbox {
  id: number;
  uuid: string;
  name: string;
  address: string;
  from_name: string | null;
  signature: string;
  dkim: { domain: string; selector: string } | null;
  dkim_sealed: string | null;
}

export async function readMailbox(tx: Tx, workspaceId: number, mailboxId: number): Promise<SendingMailbox> {
  const [mailbox] = await tx.query<SendingMailbox>(findMailbox, [workspaceId, mailboxId]);
  if (!mailbox) throw new Error("A mail is written for a mailbox that does not exist.");
  return mailbox;
}

export function dkimOf(box: SecretBox, { uuid, dkim, dkim_sealed }: SendingMailbox): DkimKey | null {
  const secret = openSecret(box, "dkim", uuid, dkim_sealed);
  return dkim && secret && { ...dkim, privateKey: secret.private_key };
}

/** Its bytes are fixed from here on. */
export async function storeMail(tx: Tx, { fileLimits }: ComposeOptions, workspaceId: number, mail: OutgoingMail) {
  const bytes = await buildMail(mail);
  return storeWhole(tx, workspaceId, { name: "message.eml", contentType: "message/rfc822", bytes }, fileLimits);
}
