import { setTimeout as sleep } from "node:timers/promises";
import { type Queryable, sql } from "../../db/database.ts";
import { readStoredFile } from "../../files/download.ts";
import type { RecipientRow } from "./delivery-record.ts";
import type { ClaimedMail } from "./queue.ts";
import { canNeverArrive, NEVER_ARRIVES } from "./recipients.ts";
import { type Handover, SmtpRefusal, type SmtpSession } from "./smtp.ts";
import { beginSending, type RecipientChange, type StateOptions, settleMail } from "./states.ts";

const SETTLES_MAX = 30;
const SETTLE_PAUSE_MS = 1_000;

const findFile = sql("mail_out_file", "select size_bytes from files where workspace_id = $1 and id = $2");

export type Recipient = Pick<RecipientRow, "position" | "address">;

interface Attempt {
  session: SmtpSession;
  from: string;
  /** Those who still wait for the mail. */
  recipients: readonly Recipient[];
}

/** Sends a claimed mail. False: its connection can be used for nothing more. */
export async function attemptMail(
  options: StateOptions,
  mail: ClaimedMail,
  { session, from, recipients }: Attempt,
): Promise<boolean> {
  const raw = await readRaw(options.db, mail);
  if (raw === null || recipients.length === 0) {
    const error = "The bytes of the mail are gone.";
    const failed = recipients.map(({ position }) => ({ position, state: "failed" as const, error }));
    await settleMail(options, mail, { changes: failed, error });
    return true;
  }
  const envelope = await openEnvelope(session, { from, recipients, raw });
  if (envelope.accepted.length === 0) {
    await settleMail(options, mail, { changes: envelope.refused, error: envelope.error });
    return envelope.isUsable && isReset(session);
  }
  const sending = envelope.accepted.map(({ position }) => ({ position, state: "sending" as const, error: null }));
  if (!(await beginSending(options, mail, [...envelope.refused, ...sending]))) return isReset(session);
  const handover = await session.data(raw);
  const changes = envelope.accepted.map(({ position }) => ({ position, ...resultOf(handover) }));
  const error = handover.outcome === "accepted" ? envelope.error : handover.error;
  await surely(() => settleMail(options, mail, { changes, error }));
  return handover.outcome === "accepted" || handover.outcome === "refused";
}

/**
 * What became of the bytes is known here and nowhere else: a database that is unavailable for a moment must not make it unknown.
 * Once another process has ended the claim, settling changes nothing.
 */
async function surely(settle: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await settle();
    } catch (error) {
      if (attempt >= SETTLES_MAX) throw error;
      // A process that stops does not wait for it: the claim expires.
      await sleep(SETTLE_PAUSE_MS, undefined, { ref: false });
    }
  }
}

async function readRaw(db: Queryable, { workspaceId, rawFileId }: ClaimedMail): Promise<Buffer | null> {
  const [file] = await db.query<{ size_bytes: number | null }>(findFile, [workspaceId, rawFileId]);
  if (!file?.size_bytes) return null;
  return readStoredFile(db, { workspace_id: workspaceId, id: rawFileId, size_bytes: file.size_bytes });
}

interface Envelope {
  accepted: Recipient[];
  refused: RecipientChange[];
  error: string | null;
  isUsable: boolean;
}

/** Tells the server the sender and the recipients. A lost connection here has sent nothing. */
async function openEnvelope(
  session: SmtpSession,
  { from, recipients, raw }: { from: string; recipients: readonly Recipient[]; raw: Buffer },
): Promise<Envelope> {
  const envelope: Envelope = { accepted: [], refused: [], error: null, isUsable: true };
  const isUtf8 = [from, ...recipients.map(({ address }) => address)].some((address) => /[^\0-\x7f]/.test(address));
  try {
    await session.mail(from, { bytes: raw.length, isUtf8 });
    for (const recipient of recipients) {
      const refusal = canNeverArrive(recipient.address)
        ? new SmtpRefusal({ code: 550, lines: [NEVER_ARRIVES] })
        : await session.recipient(recipient.address);
      if (refusal === null) envelope.accepted.push(recipient);
      else envelope.refused.push({ position: recipient.position, ...refusedAs(refusal.code, refusal.message) });
      envelope.error ??= refusal?.message ?? null;
    }
    return envelope;
  } catch (error) {
    // Those who were accepted already wait for the next attempt, with the others.
    const { message } = error as Error;
    const refused =
      error instanceof SmtpRefusal
        ? recipients.map(({ position }) => ({ position, ...refusedAs(error.code, message) }))
        : envelope.refused;
    return { accepted: [], refused, error: message, isUsable: error instanceof SmtpRefusal && error.code !== 421 };
  }
}

const refusedAs = (code: number, error: string): Omit<RecipientChange, "position"> => ({
  state: code >= 500 ? "failed" : "pending",
  error,
});

function resultOf(handover: Handover): Omit<RecipientChange, "position"> {
  if (handover.outcome === "accepted") return { state: "sent", error: null };
  const { error } = handover;
  if (handover.outcome === "refused") return refusedAs(handover.code, error);
  return { state: handover.outcome === "lost" ? "unknown" : "pending", error };
}

const isReset = (session: SmtpSession): Promise<boolean> =>
  session.reset().then(
    () => true,
    () => false,
  );
