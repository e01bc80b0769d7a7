import type { KeyOptions } from "../../../auth/keys.ts";
import type { SecretBox } from "../../../core/secret-box.ts";
import type { Database } from "../../../db/database.ts";
import type { Delivery } from "../../../delivery/index.ts";
import type { Outbox } from "../../../events/outbox.ts";
import type { VisitorSignals } from "../../../visitors/signals.ts";
import type { RouteSpec } from "../../pipeline/route.ts";
import { apiKeyRoutes } from "./api-keys.ts";
import { auditLogRoutes } from "./audit-logs.ts";
import { bulkRoutes } from "./bulk.ts";
import { type ConsumerRouteOptions, consumerRoutes } from "./consumers.ts";
import { contactSessionRoutes } from "./contact-sessions.ts";
import { contactRoutes } from "./contacts.ts";
import { conversationRoutes } from "./conversations.ts";
import { draftRoutes } from "./drafts.ts";
import { type EventRouteOptions, eventRoutes } from "./events.ts";
import { type FileRouteOptions, fileRoutes } from "./files.ts";
import { inboxRoutes } from "./inbox.ts";
import { type MailRouteOptions, mailRoutes } from "./mail.ts";
import { type MailboxRouteOptions, mailboxRoutes } from "./mailboxes.ts";
import { meRoutes } from "./me.ts";
import { type MessageRouteOptions, messageRoutes } from "./messages.ts";
import type { ReportOwnChange } from "./own-change.ts";
import { type ResendRouteOptions, resendRoutes } from "./resend.ts";
import { savedReplyRoutes } from "./saved-replies.ts";
import { searchRoutes } from "./search.ts";
import { transcriptRoutes } from "./transcript.ts";
import { viewRoutes } from "./views.ts";
import { webhookLogRoutes } from "./webhook-logs.ts";
import { previewRoute } from "./webhook-preview.ts";
import { type WebhookRouteOptions, webhookRoutes } from "./webhooks.ts";
import { widgetRoutes } from "./widgets.ts";

export interface RouteOptions {
  db: Database;
  outbox: Outbox;
  keys: KeyOptions;
  secretBox: SecretBox;
  delivery: Delivery;
  checkUrl: WebhookRouteOptions["checkUrl"];
  webhooksMax: WebhookRouteOptions["webhooksMax"];
  fileLimits: FileRouteOptions["fileLimits"];
  mailboxes: MailboxRouteOptions["mailboxes"];
  mail: MailRouteOptions["mail"];
  replyMailer: MessageRouteOptions["replyMailer"];
  mailQueued: ResendRouteOptions["mailQueued"];
  sequencer: EventRouteOptions["sequencer"];
  streams: EventRouteOptions["streams"];
  ownChanged: ReportOwnChange;
  waits: ConsumerRouteOptions["waits"];
  visitors: VisitorSignals;
}

/** Every route of the API. The tests walk this list, so a route that nobody listed cannot be reached unseen. */
export function apiRoutes(options: RouteOptions): RouteSpec[] {
  const { db, outbox, keys, ownChanged } = options;
  const sessionsChanged = (workspaceId: number) => options.visitors.sessionsChanged(workspaceId);
  const underHeadings: Record<string, RouteSpec[]> = {
    "API keys": [...meRoutes(db), ...apiKeyRoutes(db, keys)],
    Audit: auditLogRoutes(db),
    Contacts: [...contactRoutes(db, outbox, sessionsChanged), ...contactSessionRoutes(sessionsChanged)],
    Conversations: [
      ...transcriptRoutes(db),
      ...conversationRoutes(options),
      ...inboxRoutes(db, { ownChanged, onRead: (read) => options.visitors.readByAgent(read) }),
      ...bulkRoutes(outbox),
    ],
    Messages: [...messageRoutes(options), ...resendRoutes(options)],
    Drafts: draftRoutes(options),
    Files: fileRoutes(options),
    Search: searchRoutes(db),
    "Saved replies": savedReplyRoutes(db),
    Views: viewRoutes(db),
    Events: eventRoutes(options),
    Consumers: consumerRoutes(options),
    Webhooks: [previewRoute(options), ...webhookRoutes(options), ...webhookLogRoutes(options)],
    Mailboxes: [...mailboxRoutes(options), ...mailRoutes(options)],
    Widgets: widgetRoutes(options),
  };
  return Object.entries(underHeadings).flatMap(([tag, routes]) => routes.map((spec) => ({ ...spec, tag })));
}
