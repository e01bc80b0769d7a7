import { setImmediate as nextTurn } from "node:timers/promises";
import { sha256 } from "../../core/sha256.ts";

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

/** A megabyte may have hundreds of thousands of lines before its text. */
const LINES_PER_TURN = 1_000;

/** What makes two mails of a mailbox the same: their bytes without the headers of the way. */
export async function mailDigest(raw: Buffer): Promise<Buffer> {
  const kept = Buffer.allocUnsafeSlow(raw.length);
  let length = 0;
  let position = 0;
  let skipping = false;
  for (let lines = 1; position < raw.length; lines++) {
    const newline = raw.indexOf(NEWLINE, position);
    const end = newline === -1 ? raw.length : newline + 1;
    const first = raw[position];
    if (first === NEWLINE || first === CARRIAGE_RETURN) break;
    const isContinued = first === 32 || first === 9;
    if (!isContinued) skipping = isTrace(raw.subarray(position, Math.min(end, position + 64)).toString("latin1"));
    if (!skipping) length += raw.copy(kept, length, position, end);
    position = end;
    if (lines % LINES_PER_TURN === 0) await nextTurn();
  }
  length += raw.copy(kept, length, position);
  return sha256(kept.subarray(0, length));
}

function isTrace(line: string): boolean {
  // A pipe may put the separator of mbox files before the mail.
  if (line.startsWith("From ") || line.startsWith(">From ")) return true;
  const name = line.slice(0, line.indexOf(":")).trim().toLowerCase();
  return TRACE.has(name) || TRACE_PREFIXES.some((prefix) => name.startsWith(prefix));
}
