import { t } from "../../../lib/texts.ts";

/** What the server says about each event, in the language of the page. One that is not here is shown as it says it. */
export const EVENT_TEXTS: Readonly<Record<string, string>> = {
  "conversation.created": t("A conversation was opened."),
  "conversation.updated": t("Subject, priority, channel, labels, attributes or the end of a snooze changed."),
  "conversation.assigned": t("A conversation was assigned to a member, or to nobody."),
  "conversation.status_changed": t("A conversation became open, pending, snoozed or resolved."),
  "conversation.mentioned": t(
    "A note mentions members other than its author; `data` has the `conversation`, the `message` and the `members`.",
  ),
  "conversation.deleted": t("A conversation was deleted, with its messages; `data` is its last state."),
  "message.created": t("A message or private note was written."),
  "message.updated": t("A message was changed."),
  "message.deleted": t("A message was deleted; `data` is its last state."),
  "message.delivery_changed": t("A mail that goes out got another state, as a whole or for one of its recipients."),
  "draft.created": t("A key suggested a reply."),
  "draft.updated": t("A suggested reply was changed."),
  "draft.deleted": t("A suggested reply was discarded or sent; `data` is its last state."),
  "contact.created": t("A contact was created."),
  "contact.updated": t("A contact was changed."),
  "contact.deleted": t("A contact was deleted; `data` is its last state."),
  "api_key.created": t("An API key was created. The secret is not in it."),
  "api_key.rotated": t("An API key got a new secret. The secret is not in it."),
  "api_key.revoked": t("An API key was revoked permanently."),
  "webhook.disabled": t("A webhook was disabled: by a person, by 410 Gone, or after five days of nothing but failure."),
};
