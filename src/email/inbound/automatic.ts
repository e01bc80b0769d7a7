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
    headerValues(mail, "return-path").some((value) => /^\s*<\s*>\s*$/.test(value)) ||
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
  const [id = "", ...results] = resultsOf(newest);
  if (id.trim().split(/\s+/)[0]?.toLowerCase() !== authservId.toLowerCase()) return null;
  const verdicts = (method: string): string[] => {
    const pattern = new RegExp(`^\\s*${method}\\s*=\\s*([a-z]+)`, "i");
    return results.flatMap((result) => pattern.exec(result)?.[1]?.toLowerCase() ?? []);
  };
  // A mail has several signatures, and one that is right is enough. It has one policy.
  const any = (found: string[]) => (found.includes("pass") ? "pass" : (found[0] ?? null));
  const all = (found: string[]) => found.find((verdict) => verdict !== "pass") ?? found[0] ?? null;
  return { spf: any(verdicts("spf")), dkim: any(verdicts("dkim")), dmarc: all(verdicts("dmarc")) };
}

/**
 * The parts between semicolons, without comments and quoted text: both repeat what the sender chose, such as the address
 * "; dmarc=pass"@evil.example.
 */
function resultsOf(value: string): string[] {
  const parts: string[] = [];
  let part = "";
  let depth = 0;
  let isQuoted = false;
  for (let index = 0; index < value.length; index++) {
    const char = value[index];
    if (char === "\\") index++;
    else if (depth === 0 && char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && char === "(") depth++;
    else if (!isQuoted && char === ")") depth = Math.max(0, depth - 1);
    else if (depth === 0 && !isQuoted && char === ";") {
      parts.push(part);
      part = "";
    } else if (depth === 0 && !isQuoted) part += char;
  }
  return [...parts, part];
}
