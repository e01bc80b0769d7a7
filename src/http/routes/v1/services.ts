import type { Static } from "typebox";
import type { KeyOptions } from "../../../auth/keys.ts";
import type { ContactWriter } from "../../../conversations/contacts.ts";
import type { createConversationWriter } from "../../../conversations/conversation-writer.ts";
import type { MessageWriter } from "../../../conversations/message-writer.ts";
import type { ReplyMailer } from "../../../conversations/reply-mail.ts";
import type { SecretBox } from "../../../core/secret-box.ts";
import type { Database } from "../../../db/database.ts";
import type { Delivery } from "../../../delivery/index.ts";
import type { CheckResult } from "../../../email/check/check.ts";
import type { InboundOptions } from "../../../email/inbound/ingest.ts";
import type { MailboxOptions } from "../../../email/mailboxes/mailboxes.ts";
import type { Outbox } from "../../../events/outbox.ts";
import type { Sequencer } from "../../../events/sequencer.ts";
import type { UploadLimits } from "../../../files/upload.ts";
import type { Limiter } from "../../../rate-limit/limiter.ts";
import type { MailboxRecord } from "../../../resources/mailbox.ts";
import type { VisitorSignals } from "../../../visitors/signals.ts";
import { routeWith } from "../../pipeline/route.ts";
import type { EventStreams } from "../../streams/event-stream.ts";
import type { EventWaits } from "../../streams/event-waits.ts";
import type { ReportOwnChange } from "./own-change.ts";

/** What the routes of the API work with. */
export interface Services {
  db: Database;
  outbox: Outbox;
  keys: KeyOptions;
  secretBox: SecretBox;
  delivery: Delivery;
  /** Whether the product may connect there at all; the sentence says why not. */
  checkUrl: (url: string, workspaceId: number) => Promise<{ ok: true } | { ok: false; message: string }>;
  /** Webhooks of one workspace. */
  webhooksMax: number;
  fileLimits: UploadLimits;
  mailboxes: MailboxOptions & {
    check: (workspaceId: number, mailbox: Static<typeof MailboxRecord>) => Promise<CheckResult>;
    /** Checks per minute and mailbox, over all nodes. */
    checks: Limiter;
  };
  mail: Omit<InboundOptions, "links"> & { mailBytesMax: number };
  replyMailer: ReplyMailer;
  /** Mail waits to be sent. */
  mailQueued: () => void;
  sequencer: Sequencer;
  streams: EventStreams;
  ownChanged: ReportOwnChange;
  waits: EventWaits;
  visitors: VisitorSignals;
  writers: {
    contacts: ContactWriter;
    conversations: ReturnType<typeof createConversationWriter>;
    messages: MessageWriter;
  };
}

export const route = routeWith<Services>();
