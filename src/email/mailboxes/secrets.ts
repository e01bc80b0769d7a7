import type { SecretBox } from "../../core/secret-box.ts";

/** How an account on a mail server is signed in to. */
export interface AccountSecrets {
  password?: string;
  oauth?: { client_secret: string | null; refresh_token: string };
}

export interface DkimSecret {
  private_key: string;
}

type Part = "inbound" | "outbound" | "dkim";

/** What a secret of a mailbox is sealed with. */
export const mailboxContext = (part: Part, uuid: string): string => `mailbox:${part}:${uuid}`;

/** The sealed secrets of a row. */
export interface SealedSecrets {
  inbound_sealed: string | null;
  outbound_sealed: string | null;
  dkim_sealed: string | null;
}

export interface MailboxSecrets {
  inbound: AccountSecrets | null;
  outbound: AccountSecrets | null;
  dkim: DkimSecret | null;
}

/** Null: there is none. */
export const openSecret = <P extends Part>(
  box: SecretBox,
  part: P,
  uuid: string,
  sealed: string | null,
): MailboxSecrets[P] => (sealed === null ? null : JSON.parse(box.open(sealed, mailboxContext(part, uuid))));

export const openSecrets = (box: SecretBox, uuid: string, sealed: SealedSecrets): MailboxSecrets => ({
  inbound: openSecret(box, "inbound", uuid, sealed.inbound_sealed),
  outbound: openSecret(box, "outbound", uuid, sealed.outbound_sealed),
  dkim: openSecret(box, "dkim", uuid, sealed.dkim_sealed),
});

export const sealSecret = (box: SecretBox, part: Part, uuid: string, secret: object | null): string | null =>
  secret && box.seal(JSON.stringify(secret), mailboxContext(part, uuid));

/** In the order of the columns: inbound, outbound, dkim. */
export const sealSecrets = (box: SecretBox, uuid: string, secrets: MailboxSecrets): (string | null)[] =>
  (["inbound", "outbound", "dkim"] as const).map((part) => sealSecret(box, part, uuid, secrets[part]));
