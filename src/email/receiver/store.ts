import type { SMTPServerSession } from "smtp-server";
import type { Logger } from "../../core/logger.ts";
import { sql } from "../../db/database.ts";
import { type InboundOptions, ingestMail } from "../inbound/ingest.ts";
import { quotaSentence } from "../inbound/quota.ts";
import { createMailTurns } from "../inbound/turns.ts";
import type { Recipient } from "./recipients.ts";
import { traceHeaders } from "./trace.ts";

/** A response of SMTP other than acceptance. */
export class Refusal extends Error {
  readonly responseCode: number;
  constructor(responseCode: number, message: string) {
    super(message);
    this.responseCode = responseCode;
  }
}

/** Of one workspace, on one node. */
const MAILS_WAITING_MAX = 1_000;

const failStatement = sql(
  "mailbox_refuses",
  `update mailbox_states
   set error = $3,
     failing_since = coalesce(failing_since, now())
   where workspace_id = $1
     and mailbox_id = $2`,
);
const recoverStatement = sql(
  "mailbox_receives_again",
  `update mailbox_states
   set error = null,
     failing_since = null
   where workspace_id = $1
     and mailbox_id = $2
     and error is not null`,
);

export interface Addressed {
  mailbox: Recipient;
  /** As the envelope names them. */
  addresses: string[];
}

export type StoreForMailbox = (to: Addressed, raw: Buffer, session: SMTPServerSession) => Promise<Refusal | null>;

/** Stores a mail for one mailbox; it is accepted when this has returned null, which is after the commit. */
export function createStoreForMailbox(options: InboundOptions, logger: Logger): StoreForMailbox {
  const inTurn = createMailTurns(MAILS_WAITING_MAX);

  return async ({ mailbox, addresses }, raw, session) => {
    const key = [mailbox.workspaceId, mailbox.id];
    const received = { raw: Buffer.concat([traceHeaders(session, addresses), raw]), recipients: addresses };
    try {
      await inTurn(mailbox.workspaceId, raw.length, () =>
        ingestMail(options, mailbox, received, async (tx) => void (await tx.query(recoverStatement, key))),
      );
      return null;
    } catch (error) {
      const quota = quotaSentence(error);
      if (quota === null) {
        logger.warn(
          { err: (error as Error).message, mailbox: mailbox.id },
          "storing a mail failed, its sender retries",
        );
        return new Refusal(451, "4.3.0 The mail could not be stored. Try again later.");
      }
      await options.db.query(failStatement, [...key, `Mail is refused for now. ${quota}`]);
      return new Refusal(452, "4.2.2 The mailbox is full. Try again later.");
    }
  };
}
