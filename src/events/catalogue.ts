import { type TSchema, Type } from "typebox";
import { ApiKeyRecord } from "../resources/api-key.ts";
import { Id } from "../resources/common.ts";
import { ContactRecord, ConversationRecord, DraftRecord, Mention, MessageRecord } from "../resources/conversations.ts";
import { WebhookRecord } from "../resources/webhook.ts";
import * as example from "./examples.ts";

interface CatalogueEntry {
  about: string;
  /** Schema of `data`. */
  data: TSchema;
  example: object;
}

const entry = (about: string, data: TSchema, exampleData: object): CatalogueEntry => ({
  about,
  data,
  example: exampleData,
});

const TestData = Type.Object({ webhook_id: Id, message: Type.String() }, { title: "WebhookTest" });

/** Every event there is: served at /api/v1/event-types, printed in docs/events.md, and tested against both. */
export const EVENT_CATALOGUE = {
  "conversation.created": entry("A conversation was opened.", ConversationRecord, {
    ...example.conversation,
    assignee: null,
  }),
  "conversation.updated": entry(
    "Subject, priority, channel, labels, attributes or the end of a snooze changed.",
    ConversationRecord,
    { ...example.conversation, labels: ["orders", "vip"], updated_at: example.later },
  ),
  "conversation.assigned": entry("A conversation was assigned to a member, or to nobody.", ConversationRecord, {
    ...example.conversation,
    updated_at: example.later,
  }),
  "conversation.status_changed": entry(
    "A conversation became open, pending, snoozed or resolved.",
    ConversationRecord,
    { ...example.conversation, status: "resolved", updated_at: example.later },
  ),
  "conversation.mentioned": entry(
    "A note mentions members other than its author; `data` has the `conversation`, the `message` and the `members`.",
    Mention,
    example.mention,
  ),
  "conversation.deleted": entry(
    "A conversation was deleted, with its messages; `data` is its last state.",
    ConversationRecord,
    example.conversation,
  ),
  "message.created": entry("A message or private note was written.", MessageRecord, example.message),
  "message.updated": entry("A message was changed.", MessageRecord, {
    ...example.message,
    body: "Hello, my parcel has not arrived yet.",
    updated_at: example.later,
  }),
  "message.deleted": entry("A message was deleted; `data` is its last state.", MessageRecord, example.message),
  "message.delivery_changed": entry(
    "A mail that goes out got another state, as a whole or for one of its recipients.",
    MessageRecord,
    example.sentMail,
  ),
  "draft.created": entry("A key suggested a reply.", DraftRecord, example.draft),
  "draft.updated": entry("A suggested reply was changed.", DraftRecord, {
    ...example.draft,
    body: "It arrives tomorrow before noon.",
    updated_at: example.later,
  }),
  "draft.deleted": entry(
    "A suggested reply was discarded or sent; `data` is its last state.",
    DraftRecord,
    example.draft,
  ),
  "contact.created": entry("A contact was created.", ContactRecord, example.contact),
  "contact.updated": entry("A contact was changed.", ContactRecord, {
    ...example.contact,
    attributes: { plan: "enterprise" },
    updated_at: example.later,
  }),
  "contact.deleted": entry("A contact was deleted; `data` is its last state.", ContactRecord, example.contact),
  "api_key.created": entry("An API key was created. The secret is not in it.", ApiKeyRecord, example.apiKey),
  "api_key.rotated": entry(
    "An API key got a new secret. The secret is not in it.",
    ApiKeyRecord,
    example.rotatedApiKey,
  ),
  "api_key.revoked": entry("An API key was revoked permanently.", ApiKeyRecord, example.revokedApiKey),
  "webhook.disabled": entry(
    "A webhook was disabled: by a person, by 410 Gone, or after five days of nothing but failure.",
    WebhookRecord,
    example.webhook,
  ),
  "webhook.test": entry("Sent by the test operation, to one webhook alone.", TestData, example.test),
} as const satisfies Record<string, CatalogueEntry>;

export type EventType = keyof typeof EVENT_CATALOGUE;
export const EVENT_TYPES = Object.keys(EVENT_CATALOGUE) as EventType[];

/** The names under which a webhook may have subscribed to this event: itself, its group, everything. */
export const subscriptionsTo = (type: EventType): string[] => [type, `${type.split(".")[0]}.*`, "*"];

/** The event types that a list of subscribed names covers. */
export const coveredTypes = (names: readonly string[]): EventType[] =>
  EVENT_TYPES.filter((type) => subscriptionsTo(type).some((name) => names.includes(name)));

const API_KEY_EVENTS = "api_key.";

/** Events about API keys require `api-keys:manage` wherever they are read, subscribed to or sent again. */
export const isApiKeyEvent = (name: string): boolean => name.startsWith(API_KEY_EVENTS);

/** The same of a column. */
export const isApiKeyEventSql = (column: string): string => `starts_with(${column}, '${API_KEY_EVENTS}')`;

/**
 * The conversation that an event is about, from its type and its body; null for other events. A pattern finds the id at a
 * tenth of the cost of parsing the body, and every event pays for it. No text of a user can match instead: quotes inside a
 * JSON string are escaped, and both ids come before the first object whose keys a user may choose.
 */
export const conversationIdSql = (type: string, payload: string): string =>
  `case
         when starts_with(${type}, 'conversation.')
           then substring(${payload} from '"data": ?[{] ?"id" ?: ?([0-9]+)')::bigint
         when starts_with(${type}, 'message.') or starts_with(${type}, 'draft.')
           then substring(${payload} from '"conversation_id" ?: ?([0-9]+)')::bigint
       end`;
