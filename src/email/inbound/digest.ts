import { createHash } from "node:crypto";

/** Headers that the way adds: the same mail has others when it is fetched again, or comes by another way. */
const TRACE = new Set([
  "received",
  "return-path",
  "delivered-to",
  "x-delivered-to",
  "x-original-to",
  "envelope-to",
  "x-envelope-to",
  "x-envelope-from",
  "authentication-results",
  "x-authentication-results",
  "arc-seal",
  "arc-message-signature",
  "arc-authentication-results",
  "received-spf",
  "x-received",
  "x-google-smtp-source",
  "x-gm-message-state",
  "x-uid",
  "x-uidl",
  "status",
  "x-status",
  "x-keywords",
]);
const TRACE_PREFIXES = ["x-spam-", "x-virus-", "x-rspamd-", "x-mozilla-"];
const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

/** What makes two mails of a mailbox the same: their bytes without the headers of the way. */
export function mailDigest(raw: Buffer): Buffer {
  const hash = createHash("sha256");
  let position = 0;
  let skipping = false;
  while (position < raw.length) {
    const newline = raw.indexOf(NEWLINE, position);
    const end = newline === -1 ? raw.length : newline + 1;
    const first = raw[position];
    if (first === NEWLINE || first === CARRIAGE_RETURN) break;
    const isContinued = first === 32 || first === 9;
    if (!isContinued) skipping = isTrace(raw.subarray(position, Math.min(end, position + 64)).toString("latin1"));
    if (!skipping) hash.update(raw.subarray(position, end));
    position = end;
  }
  return hash.update(raw.subarray(position)).digest();
}

function isTrace(line: string): boolean {
  // A pipe may put the separator of mbox files before the mail.
  if (line.startsWith("From ") || line.startsWith(">From ")) return true;
  const name = line.slice(0, line.indexOf(":")).trim().toLowerCase();
  return TRACE.has(name) || TRACE_PREFIXES.some((prefix) => name.startsWith(prefix));
}
