import type { KeyDeps } from "../../../auth/keys.ts";
import type { SecretBox } from "../../../core/secret-box.ts";
import type { Database } from "../../../db/database.ts";
import type { Delivery } from "../../../delivery/index.ts";
import type { Outbox } from "../../../events/outbox.ts";
import type { VisitorSignals } from "../../../visitors/signals.ts";
import type { RouteSpec } from "../../pipeline/route.ts";
import { apiKeyRoutes } from "./api-keys.ts";
import { auditLogRoutes } from "./audit-logs.ts";
import { bulkRoutes } from "./bulk.ts";
import { type ConsumerRouteDeps, consumerRoutes } from "./consumers.ts";
import { contactSessionRoutes } from "./contact-sessions.ts";
import { contactRoutes } from "./contacts.ts";
import { conversationRoutes } from "./conversations.ts";
import { draftRoutes } from "./drafts.ts";
import { type EventRouteDeps, eventRoutes } from "./events.ts";
import { type FileRouteDeps, fileRoutes } from "./files.ts";
import { inboxRoutes } from "./inbox.ts";
import { type MailRouteDeps, mailRoutes } from "./mail.ts";
import { type MailboxRouteDeps, mailboxRoutes } from "./mailboxes.ts";
import { meRoutes } from "./me.ts";
import { type MessageRouteDeps, messageRoutes } from "./messages.ts";
import type { ReportOwnChange } from "./own-change.ts";
import { type ResendRouteDeps, resendRoutes } from "./resend.ts";
import { savedReplyRoutes } from "./saved-replies.ts";
import { searchRoutes } from "./search.ts";
import { transcriptRoutes } from "./transcript.ts";
import { viewRoutes } from "./views.ts";
import { webhookLogRoutes } from "./webhook-logs.ts";
import { previewRoute } from "./webhook-preview.ts";
import { type WebhookRouteDeps, webhookRoutes } from "./webhooks.ts";
import { widgetRoutes } from "./widgets.ts";

export interface RouteDeps {
  db: Database;
  outbox: Outbox;
  keys: KeyDeps;
  secretBox: SecretBox;
  delivery: Delivery;
  checkUrl: WebhookRouteDeps["checkUrl"];
  webhooksMax: WebhookRouteDeps["webhooksMax"];
  fileLimits: FileRouteDeps["fileLimits"];
  mailboxes: MailboxRouteDeps["mailboxes"];
  mail: MailRouteDeps["mail"];
  replyMailer: MessageRouteDeps["replyMailer"];
  mailQueued: ResendRouteDeps["mailQueued"];
  sequencer: EventRouteDeps["sequencer"];
  streams: EventRouteDeps["streams"];
  ownChanged: ReportOwnChange;
  waits: ConsumerRouteDeps["waits"];
  visitors: VisitorSignals;
}

/** Every route of the API. The tests walk this list, so a route that nobody listed cannot be reached unseen. */
export function apiRoutes(deps: RouteDeps): RouteSpec[] {
  const { db, outbox, keys, ownChanged } = deps;
  const sessionsChanged = (workspaceId: number) => deps.visitors.sessionsChanged(workspaceId);
  return [
    ...meRoutes(db),
    ...apiKeyRoutes(db, keys),
    ...auditLogRoutes(db),
    ...contactRoutes(db, outbox, sessionsChanged),
    ...contactSessionRoutes(sessionsChanged),
    ...transcriptRoutes(db),
    ...conversationRoutes(deps),
    ...inboxRoutes(db, { ownChanged, onRead: (read) => deps.visitors.readByAgent(read) }),
    ...bulkRoutes(outbox),
    ...messageRoutes(deps),
    ...resendRoutes(deps),
    ...draftRoutes(deps),
    ...fileRoutes(deps),
    ...searchRoutes(db),
    ...savedReplyRoutes(db),
    ...viewRoutes(db),
    ...eventRoutes(deps),
    ...consumerRoutes(deps),
    previewRoute(deps),
    ...webhookRoutes(deps),
    ...webhookLogRoutes(deps),
    ...mailboxRoutes(deps),
    ...widgetRoutes(deps),
    ...mailRoutes(deps),
  ];
}
