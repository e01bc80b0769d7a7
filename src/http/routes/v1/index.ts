import { createContactWriter } from "../../../conversations/contacts.ts";
import { createConversationWriter } from "../../../conversations/conversation-writer.ts";
import { createMessageWriter } from "../../../conversations/message-writer.ts";
import { type RouteSpec, withServices } from "../../pipeline/route.ts";
import { apiKeyRoutes } from "./api-keys.ts";
import { auditLogRoutes } from "./audit-logs.ts";
import { bulkRoutes } from "./bulk.ts";
import { consumerRoutes } from "./consumers.ts";
import { contactSessionRoutes } from "./contact-sessions.ts";
import { contactRoutes } from "./contacts.ts";
import { conversationRoutes } from "./conversations.ts";
import { draftRoutes } from "./drafts.ts";
import { eventRoutes } from "./events.ts";
import { fileRoutes } from "./files.ts";
import { inboxRoutes } from "./inbox.ts";
import { mailRoutes } from "./mail.ts";
import { mailboxRoutes } from "./mailboxes.ts";
import { meRoutes } from "./me.ts";
import { messageRoutes } from "./messages.ts";
import { resendRoutes } from "./resend.ts";
import { savedReplyRoutes } from "./saved-replies.ts";
import { searchRoutes } from "./search.ts";
import type { Services } from "./services.ts";
import { transcriptRoutes } from "./transcript.ts";
import { viewRoutes } from "./views.ts";
import { webhookLogRoutes } from "./webhook-logs.ts";
import { previewRoute } from "./webhook-preview.ts";
import { webhookRoutes } from "./webhooks.ts";
import { widgetRoutes } from "./widgets.ts";

export type RouteOptions = Omit<Services, "writers">;

/** Every route of the API. The tests walk this list, so a route that nobody listed cannot be reached unseen. */
export function apiRoutes(options: RouteOptions): RouteSpec[] {
  const { db, outbox } = options;
  const writers = {
    contacts: createContactWriter(db, outbox),
    conversations: createConversationWriter(db, outbox),
    messages: createMessageWriter(db, outbox),
  };
  const underHeadings = {
    "API keys": [...meRoutes, ...apiKeyRoutes],
    Audit: auditLogRoutes,
    Contacts: [...contactRoutes, ...contactSessionRoutes],
    Conversations: [...transcriptRoutes, ...conversationRoutes, ...inboxRoutes, ...bulkRoutes],
    Messages: [...messageRoutes, ...resendRoutes],
    Drafts: draftRoutes,
    Files: fileRoutes(),
    Search: searchRoutes,
    "Saved replies": savedReplyRoutes,
    Views: viewRoutes,
    Events: eventRoutes,
    Consumers: consumerRoutes,
    Webhooks: [previewRoute, ...webhookRoutes, ...webhookLogRoutes],
    Mailboxes: [...mailboxRoutes, ...mailRoutes()],
    Widgets: widgetRoutes,
  };
  const routes = Object.entries(underHeadings).flatMap(([tag, specs]) => specs.map((spec) => ({ ...spec, tag })));
  return withServices(routes, { ...options, writers });
}
