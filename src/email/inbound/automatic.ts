import { headerValues, type ParsedMail } from "../parse/mail.ts";

/** Headers are compared with this, so that neither a list nor a program makes a person wait for a reply. */
interface Known {
  /** List-Ids of groups through which this mailbox gets its mail. */
  ownLists: readonly string[];
  /** It carries a token of ours and comes from an address of ours. */
  isOwnMail: boolean;
}

const BULK = /^\s*(bulk|junk|list|auto_reply)\b/i;
const PROGRAM = /^(mailer-daemon|postmaster)@/i;

/** Whether a program sent the mail: no person waits for a reply to it. */
export function isAutomatic(mail: ParsedMail, { ownLists, isOwnMail }: Known): boolean {
  const first = (name: string): string | undefined => headerValues(mail, name)[0];
  const listIds = headerValues(mail, "list-id").map((value) =>
    (/<([^<>]+)>/.exec(value)?.[1] ?? value).trim().toLowerCase(),
  );
  const isOwnList = listIds.length > 0 && listIds.every((id) => ownLists.some((own) => own.toLowerCase() === id));
  const isList = mail.headers.some(({ name }) => /^list-/i.test(name));
  const submitted = first("auto-submitted")?.split(";")[0]?.trim().toLowerCase();
  return (
    isOwnMail ||
    (submitted !== undefined && submitted !== "" && submitted !== "no") ||
    (!isOwnList && (isList || BULK.test(first("precedence") ?? ""))) ||
    first("x-auto-response-suppress") !== undefined ||
    headerValues(mail, "return-path").some((value) => value.trim() === "<>") ||
    /^\s*multipart\/report\b/i.test(first("content-type") ?? "") ||
    PROGRAM.test(mail.from?.address ?? "")
  );
}

type Verdicts = { spf: string | null; dkim: string | null; dmarc: string | null };

/**
 * What the server that the mailbox trusts found out about the sender. Only the first such header counts: a server writes
 * its own above all others, and a sender can write any below.
 */
export function verdictsOf(mail: ParsedMail, authservId: string | null): Verdicts | null {
  const [newest] = headerValues(mail, "authentication-results");
  if (authservId === null || newest === undefined) return null;
  const [id = "", ...results] = newest.replace(/\([^()]*\)/g, " ").split(";");
  if (id.trim().split(/\s+/)[0]?.toLowerCase() !== authservId.toLowerCase()) return null;
  const verdict = (method: string): string | null => {
    const pattern = new RegExp(`^\\s*${method}\\s*=\\s*([a-z]+)`, "i");
    const found = results.flatMap((result) => pattern.exec(result)?.[1]?.toLowerCase() ?? []);
    return found.includes("pass") ? "pass" : (found[0] ?? null);
  };
  return { spf: verdict("spf"), dkim: verdict("dkim"), dmarc: verdict("dmarc") };
}
