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

export function openSecrets(box: SecretBox, uuid: string, sealed: SealedSecrets): MailboxSecrets {
  const open = <T>(part: Part, text: string | null): T | null =>
    text === null ? null : (JSON.parse(box.open(text, mailboxContext(part, uuid))) as T);
  return {
    inbound: open<AccountSecrets>("inbound", sealed.inbound_sealed),
    outbound: open<AccountSecrets>("outbound", sealed.outbound_sealed),
    dkim: open<DkimSecret>("dkim", sealed.dkim_sealed),
  };
}

/** In the order of the columns: inbound, outbound, dkim. */
export function sealSecrets(box: SecretBox, uuid: string, secrets: MailboxSecrets): (string | null)[] {
  const seal = (part: Part) =>
    secrets[part] === null ? null : box.seal(JSON.stringify(secrets[part]), mailboxContext(part, uuid));
  return [seal("inbound"), seal("outbound"), seal("dkim")];
}
