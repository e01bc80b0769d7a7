import { t } from "../../lib/texts.ts";

/** What the server says about each scope, in the language of the page. One that is not here is shown as it says it. */
export const SCOPE_TEXTS: Readonly<Record<string, string>> = {
  "api-keys:manage": t("List, create, change, rotate and revoke API keys."),
  "webhooks:manage": t("Create, change, test and replay webhooks, and read their logs."),
  "widgets:manage": t("Create, change and delete chat widgets, and read their identity secrets."),
  "conversations:read": t("Read conversations."),
  "conversations:write": t("Create, change, assign and delete conversations."),
  "messages:read": t("Read messages."),
  "messages:write": t("Write, change and delete messages."),
  "drafts:read": t("Read drafts of replies."),
  "drafts:write": t("Suggest replies, and change and delete suggestions."),
  "contacts:read": t("Read contacts."),
  "contacts:write": t("Create, change and delete contacts."),
  "mailboxes:manage": t("Connect, change, check, pause and delete mailboxes."),
  "mailboxes:ingest": t("Hand mail over to mailboxes."),
  "events:read": t("Read and stream the events of the workspace."),
  "consumers:manage": t("Create, change, reset and delete consumers of events."),
  "audit:read": t("Read the audit log."),
};
