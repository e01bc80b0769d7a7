// Generated from openapi.json by `npm run generate`; not edited by hand.
import type { List } from "./paging.ts";
import type { RequestOptions } from "./transport.ts";

export interface ApiKey {
  /** Numeric identifier. */
  id: number;
  uuid: string;
  name: string;
  description: string;
  type: "full" | "limited" | "webhook" | "bot";
  /** `*` means every scope that the type may hold. */
  abilities: string[];
  rate_limit_tier: string;
  /** False when paused, expired or revoked. */
  is_active: boolean;
  last_used_at: string | null;
  /** UTC, second precision. */
  created_at: string;
  rotated_at: string | null;
  expires_at: string | null;
  /** CIDRs; empty: from anywhere. */
  allowed_ips: string[];
  revoked_at: string | null;
  /** The beginning of the current secret; null if it does not have our own format. */
  secret_prefix: string | null;
  /** The last four characters of the current secret. */
  last_four: string | null;
  /** Until then the secret before the last rotation is accepted too; null when there is none. */
  old_secret_expires_at: string | null;
  /** Who created it; null if unknown. */
  created_by: {
    type: "user" | "api_key" | "bot" | "system";
    id: number | null;
    name: string | null;
  } | null;
}

export interface Me {
  api_key?: ApiKey;
  /** Instead of `api_key`, for a user who is signed in to the dashboard. */
  user?: {
    /** Numeric identifier. */
    id: number;
    uuid: string;
    name: string;
    email: string;
    role: "owner" | "admin" | "agent";
  };
  /** The scopes that follow from the key's abilities or the user's role. */
  scopes: ("api-keys:manage" | "webhooks:manage" | "widgets:manage" | "conversations:read" | "conversations:write" | "messages:read" | "messages:write" | "drafts:read" | "drafts:write" | "contacts:read" | "contacts:write" | "mailboxes:manage" | "mailboxes:ingest" | "events:read" | "consumers:manage" | "audit:read")[];
  workspace: {
    /** Numeric identifier. */
    id: number;
    uuid: string;
    name: string;
  };
}

export interface Warning {
  /** The unknown field or query parameter; a dotted path where it is inside another. */
  field: string;
  /** What is wrong with it, with the nearest known name. */
  message: string;
}

export interface PageMeta {
  pagination: {
    total: number;
    /** There may be more than `total` records: those of a filtered list are counted up to 1000. */
    total_is_lower_bound?: true;
    per_page: number;
    current_page: number;
    last_page: number;
    /** Number of the first record on this page; 0 when there is none. */
    from: number;
    to: number;
  };
}

export interface ListCursorMeta {
  /** Where to continue; null at the end. */
  next_cursor: string | null;
  has_more: boolean;
}

export interface PageLinks {
  first: string;
  /** Null where the total is a lower bound or the last page is too deep. */
  last: string | null;
  prev: string | null;
  next: string | null;
}

export interface ApiKeyWithSecret {
  /** Numeric identifier. */
  id: number;
  uuid: string;
  name: string;
  description: string;
  type: "full" | "limited" | "webhook" | "bot";
  /** `*` means every scope that the type may hold. */
  abilities: string[];
  rate_limit_tier: string;
  /** False when paused, expired or revoked. */
  is_active: boolean;
  last_used_at: string | null;
  /** UTC, second precision. */
  created_at: string;
  rotated_at: string | null;
  expires_at: string | null;
  /** CIDRs; empty: from anywhere. */
  allowed_ips: string[];
  revoked_at: string | null;
  /** The beginning of the current secret; null if it does not have our own format. */
  secret_prefix: string | null;
  /** The last four characters of the current secret. */
  last_four: string | null;
  /** Until then the secret before the last rotation is accepted too; null when there is none. */
  old_secret_expires_at: string | null;
  /** Who created it; null if unknown. */
  created_by: {
    type: "user" | "api_key" | "bot" | "system";
    id: number | null;
    name: string | null;
  } | null;
  /** The secret. It is shown only once. */
  key: string;
}

export interface AuditLog {
  /** Numeric identifier. */
  id: number;
  uuid: string;
  action: "api_key.created" | "api_key.updated" | "api_key.paused" | "api_key.resumed" | "api_key.rotated" | "api_key.old_secret_revoked" | "api_key.revoked" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.enabled" | "webhook.disabled" | "webhook.secret_read" | "webhook.secret_rotated" | "mailbox.created" | "mailbox.updated" | "mailbox.deleted" | "mailbox.paused" | "mailbox.resumed" | "widget.created" | "widget.updated" | "widget.deleted" | "widget.secret_read" | "widget.secret_rotated" | "consumer.created" | "consumer.updated" | "consumer.reset" | "consumer.deleted" | "view.created" | "view.updated" | "view.deleted" | "contact.blocked" | "contact.unblocked" | "contact.sessions_ended" | "member.added" | "member.role_changed" | "member.removed" | "invitation.created" | "invitation.revoked" | "invitation.accepted" | "user.signed_in" | "user.sign_in_failed" | "user.signed_out" | "user.renamed" | "user.password_changed" | "user.password_check_failed" | "user.password_reset_requested" | "user.password_reset" | "user.two_factor_enabled" | "user.two_factor_disabled" | "user.recovery_codes_replaced" | "user.passkey_added" | "user.passkey_removed" | "user.sso_linked" | "user.sso_unlinked" | "user.notifications_changed" | "user.push_enabled" | "user.push_disabled" | "workspace.alert_settings_changed" | "workspace.created" | "workspace.inbox_settings_changed" | "workspace.renamed" | "workspace.updated";
  actor: {
    type: string;
    id: number | null;
    name: string | null;
  };
  resource: {
    type: string;
    /** Numeric identifier. */
    id: number;
  };
  ip: string | null;
  request_id: string | null;
  changes: Record<string, unknown>;
  /** UTC, second precision. */
  created_at: string;
}

export interface Contact {
  /** Numeric identifier. */
  id: number;
  uuid: string;
  external_id: string | null;
  name: string | null;
  email: string | null;
  phone: string | null;
  /** An address that a visitor typed in a widget. Read-only; it never joins contacts. */
  unverified_email: string | null;
  /** Their sessions have ended, and they cannot write through a widget. */
  blocked: boolean;
  /** Any JSON object. */
  attributes: Record<string, unknown>;
  /** UTC, second precision. */
  created_at: string;
  /** UTC, second precision. */
  updated_at: string;
}

export interface ConversationContact {
  /** Numeric identifier. */
  id: number;
  uuid: string;
  external_id?: string | null;
  name?: string | null;
  email?: string | null;
  phone?: string | null;
  /** An address that a visitor typed in a widget. Read-only; it never joins contacts. */
  unverified_email?: string | null;
  /** Their sessions have ended, and they cannot write through a widget. */
  blocked?: boolean;
  /** Any JSON object. */
  attributes?: Record<string, unknown>;
  /** UTC, second precision. */
  created_at?: string;
  /** UTC, second precision. */
  updated_at?: string;
}

export interface Conversation {
  /** Numeric identifier. */
  id: number;
  uuid: string;
  subject: string | null;
  status: "open" | "pending" | "snoozed" | "resolved";
  /** When a snoozed conversation opens by itself; null: when the contact writes. */
  snoozed_until: string | null;
  priority: "low" | "medium" | "high" | "urgent" | null;
  channel: "api" | "widget" | "email";
  /** The widget that it began in. */
  widget_id: number | null;
  /** Where the visitor of a widget wrote the first message, if the widget collects it. */
  page: {
    /** Without query and fragment. */
    url: string;
    browser: string | null;
  } | null;
  /** The mailbox through which mail of this conversation comes and goes; null without one. */
  mailbox_id: number | null;
  contact: ConversationContact;
  assignee: {
    /** Numeric identifier. */
    id: number;
    uuid: string;
    name: string;
  } | null;
  labels: string[];
  /** Any JSON object. */
  attributes: Record<string, unknown>;
  /** Time of the oldest message from the contact that no public reply has followed. */
  waiting_since: string | null;
  /** Up to which message the visitor of a widget has read. It changes without an event. */
  contact_read_seq: number;
  last_message_at: string | null;
  /** Null also for a caller without `messages:read`. */
  last_message: {
    /** Numeric identifier. */
    id: number;
    seq: number;
    direction: "in" | "out";
    private: boolean;
    sender: {
      type: "contact" | "user" | "api_key" | "bot" | "system";
      id: number | null;
      name: string | null;
    };
    /** Cut to 200 characters. */
    body: string;
    /** UTC, second precision. */
    created_at: string;
  } | null;
  /** Messages from the contact that the signed-in person has not read, at most 100. Not for API keys. */
  unread_count?: number;
  /** UTC, second precision. */
  created_at: string;
  /** UTC, second precision. */
  updated_at: string;
}

export interface Attachment {
  /** The uploaded file; absent for a file that is hosted elsewhere. */
  file_id?: number;
  /** Where the file is; http or https. The link to an uploaded file expires: read the message again for a fresh one. */
  url: string;
  name: string | null;
  content_type: string | null;
  size_bytes: number | null;
  /** True: a picture inside the HTML of a mail, not a file that was attached to it. */
  inline?: boolean;
}

export interface MailAddress {
  name: string | null;
  address: string;
}

export interface Message {
  /** Numeric identifier. */
  id: number;
  uuid: string;
  /** Numeric identifier. */
  conversation_id: number;
  /** 1, 2, 3 … within the conversation. */
  seq: number;
  direction: "in" | "out";
  sender: {
    type: "contact" | "user" | "api_key" | "bot" | "system";
    id: number | null;
    name: string | null;
  };
  /** An internal note, hidden from the contact. */
  private: boolean;
  body: string;
  attachments: Attachment[];
  /** The draft that was sent as this message, if any. */
  draft?: {
    /** Numeric identifier. */
    id: number;
    author: {
      type: "contact" | "user" | "api_key" | "bot" | "system";
      id: number | null;
      name: string | null;
    };
  };
  /** Ids of the members whom a note mentions. */
  mentions: number[];
  /** The mail that this message is; null for other messages. */
  email: {
    message_id: string | null;
    subject: string | null;
    from: {
      name: string | null;
      address: string;
    } | null;
    to: MailAddress[];
    cc: MailAddress[];
    reply_to: MailAddress[];
    date: string | null;
    in_reply_to: string | null;
    references: string[];
    /** Sent by a program: a list, a vacation notice, a delivery report. */
    automatic: boolean;
    /** True: the sender had not been From, To or Cc of an earlier mail of this conversation. */
    outside_sender: boolean;
    /** What the server that the mailbox names as `authserv_id` reported; null where it reported nothing. */
    authentication: {
      spf: string | null;
      dkim: string | null;
      dmarc: string | null;
    } | null;
    has_html: boolean;
    /** Why the mail could not be read; its bytes are at `raw_url` anyway. */
    parse_error: string | null;
    /** True: only a part is shown here; the whole is at `…/email`. */
    truncated: boolean;
    /** Where the bytes of the mail can be read without a key, for a time. */
    raw_url: string;
  } | null;
  /** The quoted history and the signature of a mail, which are not part of `body`; null where there are none. */
  quoted: string | null;
  /** How a mail that goes out is doing; null for other messages. */
  delivery: {
    state: "pending" | "sending" | "sent" | "failed" | "unknown" | "bounced";
    attempts: number;
    next_attempt_at: string | null;
    error: string | null;
    recipients: {
      address: string;
      state: "pending" | "sending" | "sent" | "failed" | "unknown" | "bounced";
      error: string | null;
    }[];
    /** UTC, second precision. */
    updated_at: string;
  } | null;
  /** UTC, second precision. */
  created_at: string;
  /** UTC, second precision. */
  updated_at: string;
}

export interface OpenedConversation {
  /** Numeric identifier. */
  id: number;
  uuid: string;
  subject: string | null;
  status: "open" | "pending" | "snoozed" | "resolved";
  /** When a snoozed conversation opens by itself; null: when the contact writes. */
  snoozed_until: string | null;
  priority: "low" | "medium" | "high" | "urgent" | null;
  channel: "api" | "widget" | "email";
  /** The widget that it began in. */
  widget_id: number | null;
  /** Where the visitor of a widget wrote the first message, if the widget collects it. */
  page: {
    /** Without query and fragment. */
    url: string;
    browser: string | null;
  } | null;
  /** The mailbox through which mail of this conversation comes and goes; null without one. */
  mailbox_id: number | null;
  contact: ConversationContact;
  assignee: {
    /** Numeric identifier. */
    id: number;
    uuid: string;
    name: string;
  } | null;
  labels: string[];
  /** Any JSON object. */
  attributes: Record<string, unknown>;
  /** Time of the oldest message from the contact that no public reply has followed. */
  waiting_since: string | null;
  /** Up to which message the visitor of a widget has read. It changes without an event. */
  contact_read_seq: number;
  last_message_at: string | null;
  /** Null also for a caller without `messages:read`. */
  last_message: {
    /** Numeric identifier. */
    id: number;
    seq: number;
    direction: "in" | "out";
    private: boolean;
    sender: {
      type: "contact" | "user" | "api_key" | "bot" | "system";
      id: number | null;
      name: string | null;
    };
    /** Cut to 200 characters. */
    body: string;
    /** UTC, second precision. */
    created_at: string;
  } | null;
  /** Messages from the contact that the signed-in person has not read, at most 100. Not for API keys. */
  unread_count?: number;
  /** UTC, second precision. */
  created_at: string;
  /** UTC, second precision. */
  updated_at: string;
  message?: Message;
}

export interface ConversationCounts {
  by_status: {
    /** All open. */
    open: number;
    /** All pending. */
    pending: number;
    /** All snoozed. */
    snoozed: number;
    /** All resolved. */
    resolved: number;
  };
  /** Open and assigned to the signed-in person. People only. */
  mine?: number;
  /** Open and assigned to nobody. */
  unassigned: number;
  /** Open, and the contact waits for a reply. */
  waiting: number;
  /** Open with messages that the signed-in person has not read, among the newest 1,000. People only. */
  unread?: number;
  /** With unread notes that mention the signed-in person, among the newest 100 such notes. People only. */
  mentioned?: number;
}

export interface Label {
  name: string;
  /** Conversations that have it. */
  count: number;
}

export interface Member {
  /** Numeric identifier. */
  id: number;
  uuid: string;
  name: string;
  role: string;
  /** For signed-in people only. */
  email?: string;
}

export interface BulkResult {
  /** The ids of the conversations that now have the requested values. */
  updated: number[];
  failed: {
    /** As it was given. */
    id: number | string;
    code: string;
    message: string;
  }[];
}

export interface Draft {
  /** Numeric identifier. */
  id: number;
  uuid: string;
  /** Numeric identifier. */
  conversation_id: number;
  author: {
    type: "contact" | "user" | "api_key" | "bot" | "system";
    id: number | null;
    name: string | null;
  };
  body: string;
  /** Sent as an internal note, hidden from the contact. */
  private: boolean;
  attachments: Attachment[];
  /** UTC, second precision. */
  created_at: string;
  /** UTC, second precision. */
  updated_at: string;
}

export interface UploadedFile {
  /** Numeric identifier. */
  id: number;
  uuid: string;
  name: string;
  content_type: string;
  size_bytes: number;
  /** Of the bytes, in hexadecimal. */
  sha256: string;
  /** Where the bytes can be read without a key, until `expires_at`. */
  url: string;
  /** When `url` stops working. */
  expires_at: string;
}

export interface SearchHit {
  type: "conversation" | "message" | "contact";
  /** Numeric identifier. */
  id: number;
  /** Of a message. */
  conversation_id?: number;
  /** Of a conversation. */
  contact_id?: number;
  title: string;
  /** Plain text around the first match. */
  excerpt: string;
  /** Where the matches are in the excerpt: start and end, in UTF-16 units, the end exclusive. */
  highlights: number[][];
  /** UTC, second precision. */
  created_at: string;
}

export interface SavedReply {
  /** Numeric identifier. */
  id: number;
  uuid: string;
  name: string;
  shortcut: string | null;
  /** May hold variables such as `{{contact.name}}`. */
  body: string;
  /** UTC, second precision. */
  created_at: string;
  /** UTC, second precision. */
  updated_at: string;
}

export interface ViewOwner {
  type: "user" | "api_key" | "bot";
  /** Numeric identifier. */
  id: number;
  name: string | null;
}

export interface View {
  /** Numeric identifier. */
  id: number;
  uuid: string;
  name: string;
  /** False: only its owner sees it. Views of API keys are always shared. */
  shared: boolean;
  owner: ViewOwner;
  /** The query filters of `GET /conversations`, as they were given. */
  filters: ViewFilters;
  sort: "created" | "last_activity";
  /** Views are listed by it, then by id. */
  position: number;
  /** UTC, second precision. */
  created_at: string;
  /** UTC, second precision. */
  updated_at: string;
}

export interface ViewFilters {
  /** One or several: comma separated, or an array. */
  status?: string | string[] | null;
  /** Id or uuid of a contact. */
  contact_id?: string | number | null;
  /** Id or uuid of a member, `me` for the reader of the view, `none` or 0 for no assignee. */
  assignee_id?: string | number | null;
  /** Any ISO 8601 form. */
  updated_since?: string | null;
  channel?: "api" | "widget" | "email" | null;
  priority?: "low" | "medium" | "high" | "urgent" | "none" | null;
  /** Has this label. */
  label?: string | null;
  /** `true`: the contact waits for a reply. */
  waiting?: boolean | null;
  /** Has messages that the signed-in person has not read. People only. */
  unread?: boolean | null;
  /** `me`: has a note that mentions the signed-in person, among the newest 1,000. People only. */
  mentioned?: "me" | null;
  /** Words and beginnings of words in the subject, the contact, a label or a message, in any case and without accents; or the number of a conversation. */
  text?: string | null;
  /** Part of the text, case-insensitive; `%` and `_` are plain characters. */
  search?: string | null;
}

export interface EventActor {
  type: "contact" | "user" | "api_key" | "bot" | "system";
  id: number | null;
  name: string | null;
}

export type Event = ConversationCreatedEvent | ConversationUpdatedEvent | ConversationAssignedEvent | ConversationStatusChangedEvent | ConversationMentionedEvent | ConversationDeletedEvent | MessageCreatedEvent | MessageUpdatedEvent | MessageDeletedEvent | MessageDeliveryChangedEvent | DraftCreatedEvent | DraftUpdatedEvent | DraftDeletedEvent | ContactCreatedEvent | ContactUpdatedEvent | ContactDeletedEvent | ApiKeyCreatedEvent | ApiKeyRotatedEvent | ApiKeyRevokedEvent | WebhookDisabledEvent | WebhookTestEvent;

export interface CursorMeta {
  /** Where to continue; also set when there is nothing more yet. */
  next_cursor: string;
  /** True: there is more to read now, even if this page is empty. */
  has_more: boolean;
}

export interface EventAttempt {
  /** The `id` of the delivery log. */
  id: number;
  attempt: number;
  status: "success" | "failed";
  /** 0 when there was no HTTP response. */
  response_code: number;
  response_time_ms: number;
  error_message: string | null;
  /** UTC, second precision. */
  created_at: string;
}

export interface EventDelivery {
  /** Numeric identifier. */
  webhook_id: number;
  /** Null for a deleted webhook. */
  webhook_name: string | null;
  /** `pending`: an attempt or a retry will follow. `failed`: the last attempt failed. `canceled`: the webhook was disabled or deleted before the next attempt; `recover` sends it. */
  status: "pending" | "delivered" | "failed" | "canceled";
  attempts: number;
  last_attempt_at: string | null;
  last_response_code: number | null;
  last_error: string | null;
  next_attempt_at: string | null;
  /** Its attempts, newest first, at most 50. */
  log: EventAttempt[];
}

export interface EventWithDeliveries {
  /** Equal to the `webhook-id` of its deliveries. */
  id: string;
  type: "conversation.created" | "conversation.updated" | "conversation.assigned" | "conversation.status_changed" | "conversation.mentioned" | "conversation.deleted" | "message.created" | "message.updated" | "message.deleted" | "message.delivery_changed" | "draft.created" | "draft.updated" | "draft.deleted" | "contact.created" | "contact.updated" | "contact.deleted" | "api_key.created" | "api_key.rotated" | "api_key.revoked" | "webhook.disabled" | "webhook.test";
  /** UTC, second precision. */
  timestamp: string;
  /** The resource as of the change. */
  data: Record<string, unknown>;
  actor: EventActor;
  deliveries: EventDelivery[];
}

export interface EventType {
  name: "conversation.created" | "conversation.updated" | "conversation.assigned" | "conversation.status_changed" | "conversation.mentioned" | "conversation.deleted" | "message.created" | "message.updated" | "message.deleted" | "message.delivery_changed" | "draft.created" | "draft.updated" | "draft.deleted" | "contact.created" | "contact.updated" | "contact.deleted" | "api_key.created" | "api_key.rotated" | "api_key.revoked" | "webhook.disabled" | "webhook.test";
  description: string;
  /** JSON Schema of the event's `data`. */
  schema: Record<string, unknown>;
  example: Event;
}

export interface ConsumerLag {
  /** Matching events among the next 10,000. */
  events: number;
  /** False when there are more than were looked at. */
  complete: boolean;
  oldest_at: string | null;
}

export interface Consumer {
  name: string;
  /** Event names and groups; null: every event that its creator may see. */
  types: EventPattern[] | null;
  /** Which of them; null: all. */
  filter: EventFilter | null;
  /** The acknowledged position, as `GET /events` writes it. */
  cursor: string;
  lag: ConsumerLag;
  /** Whether events that it had not acknowledged were deleted by retention, until it is reset. */
  missed: boolean;
  last_read_at: string | null;
  /** UTC, second precision. */
  created_at: string;
  /** UTC, second precision. */
  updated_at: string;
}

export interface EventFilter {
  "$and"?: EventFilter[];
  "$or"?: EventFilter[];
  "$not"?: EventFilter;
  "$eq"?: string | number | boolean | null;
  "$gt"?: string | number;
  "$gte"?: string | number;
  "$lt"?: string | number;
  "$lte"?: string | number;
  "$startsWith"?: string;
  "$ne"?: string | number | boolean | null;
  "$in"?: (string | number | boolean | null)[];
  "$nin"?: (string | number | boolean | null)[];
  "$exists"?: boolean;
  [member: string]: string | number | boolean | null | (string | number | boolean | null)[] | EventFilter | EventFilter[] | undefined;
}

export interface WebhookPreview {
  /** How many of them would have been sent. */
  matched: number;
  /** Events of the given types that were looked at, newest first, at most 10,000. */
  examined: number;
  /** False when there were more. */
  complete: boolean;
  examples: {
    event: Event;
    /** The JSON value that would be sent. */
    body: unknown;
    /** Only where nothing could be sent, because the body is too large; `body` is null then. */
    error?: string;
  }[];
}

export interface Webhook {
  /** Numeric identifier. */
  id: number;
  uuid: string;
  name: string;
  url: string;
  events: EventPattern[];
  headers: {
    key: string;
    value: string;
  }[];
  retry_count: number;
  timeout_seconds: number;
  /** Leave out events caused by the key that created the webhook. Messages from contacts are always sent. */
  skip_own_events: boolean;
  /** Send the events of one conversation in their order: the next one when the one before it has succeeded or will not be retried. */
  ordered: boolean;
  /** Which of the events it gets: an object that mirrors the event. Null: all of them. */
  filter: EventFilter | null;
  /** The JSON value that is sent instead of the event, with `{{ placeholders }}`. Null: the event itself. */
  template: unknown;
  /** Deliveries per second over all nodes; what is above waits. Null: no limit. */
  rate_limit: number | null;
  is_active: boolean;
  disabled_reason: string | null;
  /** UTC, second precision. */
  created_at: string;
  /** UTC, second precision. */
  updated_at: string;
}

export interface WebhookWithSecret {
  /** Numeric identifier. */
  id: number;
  uuid: string;
  name: string;
  url: string;
  events: EventPattern[];
  headers: {
    key: string;
    value: string;
  }[];
  retry_count: number;
  timeout_seconds: number;
  /** Leave out events caused by the key that created the webhook. Messages from contacts are always sent. */
  skip_own_events: boolean;
  /** Send the events of one conversation in their order: the next one when the one before it has succeeded or will not be retried. */
  ordered: boolean;
  /** Which of the events it gets: an object that mirrors the event. Null: all of them. */
  filter: EventFilter | null;
  /** The JSON value that is sent instead of the event, with `{{ placeholders }}`. Null: the event itself. */
  template: unknown;
  /** Deliveries per second over all nodes; what is above waits. Null: no limit. */
  rate_limit: number | null;
  is_active: boolean;
  disabled_reason: string | null;
  /** UTC, second precision. */
  created_at: string;
  /** UTC, second precision. */
  updated_at: string;
  /** Signing secret: `whsec_` and base64. */
  secret: string;
}

export interface WebhookHealth {
  /** Deliveries that are not finished; 10,000 means 10,000 or more. */
  pending: number;
  oldest_pending_at: string | null;
  /** `open`: the destination does not respond, and nothing is sent until `breaker_until`. */
  breaker: "closed" | "open" | "half_open";
  breaker_until: string | null;
  failing_since: string | null;
  attempts_24h: number;
  delivered_24h: number;
  failed_24h: number;
}

export interface WebhookWithHealth {
  /** Numeric identifier. */
  id: number;
  uuid: string;
  name: string;
  url: string;
  events: EventPattern[];
  headers: {
    key: string;
    value: string;
  }[];
  retry_count: number;
  timeout_seconds: number;
  /** Leave out events caused by the key that created the webhook. Messages from contacts are always sent. */
  skip_own_events: boolean;
  /** Send the events of one conversation in their order: the next one when the one before it has succeeded or will not be retried. */
  ordered: boolean;
  /** Which of the events it gets: an object that mirrors the event. Null: all of them. */
  filter: EventFilter | null;
  /** The JSON value that is sent instead of the event, with `{{ placeholders }}`. Null: the event itself. */
  template: unknown;
  /** Deliveries per second over all nodes; what is above waits. Null: no limit. */
  rate_limit: number | null;
  is_active: boolean;
  disabled_reason: string | null;
  /** UTC, second precision. */
  created_at: string;
  /** UTC, second precision. */
  updated_at: string;
  health: WebhookHealth;
}

export interface WebhookTestResult {
  success: boolean;
  /** 0 when there was no HTTP response. */
  status_code: number;
  response_time_ms: number;
  error: string | null;
}

export interface DeliveryLog {
  /** Numeric identifier. */
  id: number;
  uuid: string;
  /** The event's id, equal to the `webhook-id` header. */
  event_id: string;
  event_type: string;
  status: "success" | "failed";
  /** 0 when there was no HTTP response. */
  response_code: number;
  response_time_ms: number;
  attempt: number;
  error_message: string | null;
  /** Numeric identifier. */
  delivery_id: number;
  next_attempt_at: string | null;
  /** UTC, second precision. */
  created_at: string;
}

export interface DeliveryLogDetail {
  /** Numeric identifier. */
  id: number;
  uuid: string;
  /** The event's id, equal to the `webhook-id` header. */
  event_id: string;
  event_type: string;
  status: "success" | "failed";
  /** 0 when there was no HTTP response. */
  response_code: number;
  response_time_ms: number;
  attempt: number;
  error_message: string | null;
  /** Numeric identifier. */
  delivery_id: number;
  next_attempt_at: string | null;
  /** UTC, second precision. */
  created_at: string;
  request: {
    method: string;
    url: string;
    headers: {
      key: string;
      value: string;
    }[];
    /** Null once the event is past retention, and for api_key events where the key lacks api-keys:manage. */
    body: string | null;
  };
  response: {
    headers: {
      key: string;
      value: string;
    }[];
    /** The first 16 KiB. */
    body: string;
    body_truncated: boolean;
  };
  /** The address connected to. */
  address: string | null;
  /** Milliseconds; null for steps that a reused connection did not need. */
  timings: {
    dns_ms: number | null;
    connect_ms: number | null;
    tls_ms: number | null;
    first_byte_ms: number | null;
    total_ms: number | null;
  };
}

export interface MailboxOauth {
  token_url: string;
  client_id: string;
  scope: string | null;
}

export interface MailboxStatus {
  state: "ok" | "connecting" | "error" | "paused";
  error: string | null;
  last_synced_at: string | null;
  last_message_at: string | null;
  unseen_on_server: number | null;
  /** How many of the older mails have been looked at; null: no import is in progress. */
  import: {
    total: number;
    done: number;
  } | null;
}

export interface Mailbox {
  /** Numeric identifier. */
  id: number;
  uuid: string;
  name: string;
  address: string;
  from_name: string | null;
  /** How mail comes in. Passwords and tokens are never shown. */
  inbound: {
    type: "imap" | "smtp" | "http";
    host?: string;
    port?: number;
    security?: "tls" | "starttls" | "none";
    oauth?: MailboxOauth;
    user?: string;
    folder?: string;
    /** Mail from when on is imported at the first connection; null: only what arrives from then on. */
    since?: string | null;
    /** What happens to a mail on the server once it is stored: null (nothing), `seen`, or moved to a folder. */
    after_import?: string | {
      move_to?: string;
    } | null;
  } | null;
  /** How mail goes out; null: through the mail server of the installation. */
  outbound: {
    host: string;
    port: number;
    security: "tls" | "starttls" | "none";
    oauth?: MailboxOauth;
    user: string | null;
  } | null;
  /** The private key is never shown. */
  dkim: {
    domain: string;
    selector: string;
  } | null;
  authserv_id: string | null;
  signature: string;
  own_lists: string[];
  status: MailboxStatus;
  /** UTC, second precision. */
  created_at: string;
  /** UTC, second precision. */
  updated_at: string;
}

export interface MailboxCheck {
  inbound: {
    ok: boolean;
    /** What is wrong, in a sentence. */
    error: string | null;
    /** What has succeeded, in order: `found`, `connected`, `signed_in`, `opened` (the folder). */
    steps: string[];
  };
  outbound: {
    ok: boolean;
    /** What is wrong, in a sentence. */
    error: string | null;
    /** What has succeeded, in order: `found`, `connected`, `signed_in`, `opened` (the folder). */
    steps: string[];
  };
  dns: {
    spf: {
      ok: boolean;
      found: string | null;
      /** The record that would be right; null where any is. */
      expected: string | null;
    };
    dkim: {
      ok: boolean;
      found: string | null;
      /** The record that would be right; null where any is. */
      expected: string | null;
    };
    dmarc: {
      ok: boolean;
      found: string | null;
      /** The record that would be right; null where any is. */
      expected: string | null;
    };
    mx: {
      ok: boolean;
      found: string | null;
      /** The record that would be right; null where any is. */
      expected: string | null;
    };
  };
}

export interface WholeMail {
  message_id: string | null;
  subject: string | null;
  from: {
    name: string | null;
    address: string;
  } | null;
  to: MailAddress[];
  cc: MailAddress[];
  reply_to: MailAddress[];
  date: string | null;
  in_reply_to: string | null;
  references: string[];
  /** Sent by a program: a list, a vacation notice, a delivery report. */
  automatic: boolean;
  /** True: the sender had not been From, To or Cc of an earlier mail of this conversation. */
  outside_sender: boolean;
  /** What the server that the mailbox names as `authserv_id` reported; null where it reported nothing. */
  authentication: {
    spf: string | null;
    dkim: string | null;
    dmarc: string | null;
  } | null;
  has_html: boolean;
  /** Why the mail could not be read; its bytes are at `raw_url` anyway. */
  parse_error: string | null;
  /** True: only a part is shown here; the whole is at `…/email`. */
  truncated: boolean;
  /** Where the bytes of the mail can be read without a key, for a time. */
  raw_url: string;
  headers: {
    name: string;
    value: string;
  }[];
  /** The whole text, nothing folded. */
  text: string;
  /** Sanitised: nothing in it runs, and nothing is loaded from elsewhere. */
  html: string | null;
}

export interface WidgetTexts {
  title?: string;
  greeting?: string;
  launcher?: string;
  placeholder?: string;
}

export interface Widget {
  /** Numeric identifier. */
  id: number;
  uuid: string;
  /** `wid_` and 24 characters. Stands in the page and is not a secret. */
  public_id: string;
  name: string;
  /** False: the page shows nothing, and messages are refused. */
  is_active: boolean;
  /** Origins of the pages that may show the widget. */
  allowed_origins: string[];
  /** Whether a message needs a valid identity token. */
  require_identity: boolean;
  color: string;
  position: "left" | "right";
  /** Own texts by language tag. What is missing is the built-in text of the language, then of English. */
  texts: Record<string, WidgetTexts>;
  /** `required` is asked before the first message is sent, `optional` after it. */
  ask_name: "no" | "optional" | "required";
  /** `required` is asked before the first message is sent, `optional` after it. */
  ask_email: "no" | "optional" | "required";
  /** Whether a conversation shows the page of its first message. */
  collect_page: boolean;
  /** The mailbox that sends replies which the visitor has not seen. */
  mailbox_id: number | null;
  /** UTC, second precision. */
  created_at: string;
  /** UTC, second precision. */
  updated_at: string;
}

export interface WidgetWithSecret {
  /** Numeric identifier. */
  id: number;
  uuid: string;
  /** `wid_` and 24 characters. Stands in the page and is not a secret. */
  public_id: string;
  name: string;
  /** False: the page shows nothing, and messages are refused. */
  is_active: boolean;
  /** Origins of the pages that may show the widget. */
  allowed_origins: string[];
  /** Whether a message needs a valid identity token. */
  require_identity: boolean;
  color: string;
  position: "left" | "right";
  /** Own texts by language tag. What is missing is the built-in text of the language, then of English. */
  texts: Record<string, WidgetTexts>;
  /** `required` is asked before the first message is sent, `optional` after it. */
  ask_name: "no" | "optional" | "required";
  /** `required` is asked before the first message is sent, `optional` after it. */
  ask_email: "no" | "optional" | "required";
  /** Whether a conversation shows the page of its first message. */
  collect_page: boolean;
  /** The mailbox that sends replies which the visitor has not seen. */
  mailbox_id: number | null;
  /** UTC, second precision. */
  created_at: string;
  /** UTC, second precision. */
  updated_at: string;
  /** Signs identity tokens: `wis_` and base64 of 32 bytes. */
  secret: string;
}

export interface Error {
  success: false;
  error: {
    code: string;
    message: string;
    /** The invalid fields, each with what is wrong. */
    details?: Record<string, string[]>;
    /** Seconds. */
    retry_after?: number;
    request_id?: string;
  };
}

export interface ConversationCreatedEvent {
  /** Equal to the `webhook-id` of its deliveries. */
  id: string;
  type: "conversation.created";
  /** UTC, second precision. */
  timestamp: string;
  data: Conversation;
  actor: EventActor;
}

export interface ConversationUpdatedEvent {
  /** Equal to the `webhook-id` of its deliveries. */
  id: string;
  type: "conversation.updated";
  /** UTC, second precision. */
  timestamp: string;
  data: Conversation;
  actor: EventActor;
}

export interface ConversationAssignedEvent {
  /** Equal to the `webhook-id` of its deliveries. */
  id: string;
  type: "conversation.assigned";
  /** UTC, second precision. */
  timestamp: string;
  data: Conversation;
  actor: EventActor;
}

export interface ConversationStatusChangedEvent {
  /** Equal to the `webhook-id` of its deliveries. */
  id: string;
  type: "conversation.status_changed";
  /** UTC, second precision. */
  timestamp: string;
  data: Conversation;
  actor: EventActor;
}

export interface Assignee {
  /** Numeric identifier. */
  id: number;
  uuid: string;
  name: string;
}

export interface Mention {
  /** Numeric identifier. */
  id: number;
  conversation: Conversation;
  message: Message;
  /** Those who are meant, without the author of the note. */
  members: Assignee[];
}

export interface ConversationMentionedEvent {
  /** Equal to the `webhook-id` of its deliveries. */
  id: string;
  type: "conversation.mentioned";
  /** UTC, second precision. */
  timestamp: string;
  data: Mention;
  actor: EventActor;
}

export interface ConversationDeletedEvent {
  /** Equal to the `webhook-id` of its deliveries. */
  id: string;
  type: "conversation.deleted";
  /** UTC, second precision. */
  timestamp: string;
  data: Conversation;
  actor: EventActor;
}

export interface MessageCreatedEvent {
  /** Equal to the `webhook-id` of its deliveries. */
  id: string;
  type: "message.created";
  /** UTC, second precision. */
  timestamp: string;
  data: Message;
  actor: EventActor;
}

export interface MessageUpdatedEvent {
  /** Equal to the `webhook-id` of its deliveries. */
  id: string;
  type: "message.updated";
  /** UTC, second precision. */
  timestamp: string;
  data: Message;
  actor: EventActor;
}

export interface MessageDeletedEvent {
  /** Equal to the `webhook-id` of its deliveries. */
  id: string;
  type: "message.deleted";
  /** UTC, second precision. */
  timestamp: string;
  data: Message;
  actor: EventActor;
}

export interface MessageDeliveryChangedEvent {
  /** Equal to the `webhook-id` of its deliveries. */
  id: string;
  type: "message.delivery_changed";
  /** UTC, second precision. */
  timestamp: string;
  data: Message;
  actor: EventActor;
}

export interface DraftCreatedEvent {
  /** Equal to the `webhook-id` of its deliveries. */
  id: string;
  type: "draft.created";
  /** UTC, second precision. */
  timestamp: string;
  data: Draft;
  actor: EventActor;
}

export interface DraftUpdatedEvent {
  /** Equal to the `webhook-id` of its deliveries. */
  id: string;
  type: "draft.updated";
  /** UTC, second precision. */
  timestamp: string;
  data: Draft;
  actor: EventActor;
}

export interface DraftDeletedEvent {
  /** Equal to the `webhook-id` of its deliveries. */
  id: string;
  type: "draft.deleted";
  /** UTC, second precision. */
  timestamp: string;
  data: Draft;
  actor: EventActor;
}

export interface ContactCreatedEvent {
  /** Equal to the `webhook-id` of its deliveries. */
  id: string;
  type: "contact.created";
  /** UTC, second precision. */
  timestamp: string;
  data: Contact;
  actor: EventActor;
}

export interface ContactUpdatedEvent {
  /** Equal to the `webhook-id` of its deliveries. */
  id: string;
  type: "contact.updated";
  /** UTC, second precision. */
  timestamp: string;
  data: Contact;
  actor: EventActor;
}

export interface ContactDeletedEvent {
  /** Equal to the `webhook-id` of its deliveries. */
  id: string;
  type: "contact.deleted";
  /** UTC, second precision. */
  timestamp: string;
  data: Contact;
  actor: EventActor;
}

export interface ApiKeyCreatedEvent {
  /** Equal to the `webhook-id` of its deliveries. */
  id: string;
  type: "api_key.created";
  /** UTC, second precision. */
  timestamp: string;
  data: ApiKey;
  actor: EventActor;
}

export interface ApiKeyRotatedEvent {
  /** Equal to the `webhook-id` of its deliveries. */
  id: string;
  type: "api_key.rotated";
  /** UTC, second precision. */
  timestamp: string;
  data: ApiKey;
  actor: EventActor;
}

export interface ApiKeyRevokedEvent {
  /** Equal to the `webhook-id` of its deliveries. */
  id: string;
  type: "api_key.revoked";
  /** UTC, second precision. */
  timestamp: string;
  data: ApiKey;
  actor: EventActor;
}

export interface WebhookDisabledEvent {
  /** Equal to the `webhook-id` of its deliveries. */
  id: string;
  type: "webhook.disabled";
  /** UTC, second precision. */
  timestamp: string;
  data: Webhook;
  actor: EventActor;
}

export interface WebhookTest {
  /** Numeric identifier. */
  webhook_id: number;
  message: string;
}

export interface WebhookTestEvent {
  /** Equal to the `webhook-id` of its deliveries. */
  id: string;
  type: "webhook.test";
  /** UTC, second precision. */
  timestamp: string;
  data: WebhookTest;
  actor: EventActor;
}

export interface ListApiKeysQuery {
  type?: "full" | "limited" | "webhook" | "bot";
  /** `true`, `false`, `1` or `0`. */
  is_active?: boolean;
  /** Part of the name, case-insensitive; `%` and `_` are plain characters. */
  search?: string;
  /** Page number, from 1. */
  page?: number;
  /** Records per page; 25 by default. */
  per_page?: number;
  /** Excludes records with a higher id. The links carry it, so that pages do not shift while records are added. */
  up_to_id?: number;
  /** Reads by cursor instead of page number: at most this many records, no totals and no links. */
  limit?: number;
  /** Continues after this position: a `next_cursor` of the same list. */
  cursor?: string;
}

export interface CreateApiKeyBody {
  name: string;
  description?: string;
  /** `full` by default. */
  type?: "full" | "limited" | "webhook" | "bot";
  /** Scopes; `*` is every scope that the type may hold, `webhooks:*` a group. A `limited` key must name each scope. */
  abilities?: string[];
  /** `low`, `standard`, `high`, `unlimited`, or a tier that the operator configured. */
  rate_limit_tier?: string;
  /** The key is refused after this time. */
  expires_at?: string;
  /** Addresses or CIDR ranges from which the key may be used; empty: from anywhere. */
  allowed_ips?: string[];
}

export interface UpdateApiKeyBody {
  name?: string;
  description?: string;
  /** Cannot be changed; only its present value is accepted. */
  type?: "full" | "limited" | "webhook" | "bot";
  /** Scopes; `*` is every scope that the type may hold, `webhooks:*` a group. A `limited` key must name each scope. */
  abilities?: string[];
  /** `low`, `standard`, `high`, `unlimited`, or a tier that the operator configured. */
  rate_limit_tier?: string;
  /** False pauses the key, true resumes it. */
  is_active?: boolean;
  /** An ISO 8601 timestamp; an empty string: never. */
  expires_at?: string;
  /** Addresses or CIDR ranges from which the key may be used; empty: from anywhere. */
  allowed_ips?: string[];
}

export interface RotateApiKeyBody {
  /** 0 by default. */
  overlap_seconds?: number;
}

export interface ListAuditLogsQuery {
  action?: "api_key.created" | "api_key.updated" | "api_key.paused" | "api_key.resumed" | "api_key.rotated" | "api_key.old_secret_revoked" | "api_key.revoked" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.enabled" | "webhook.disabled" | "webhook.secret_read" | "webhook.secret_rotated" | "mailbox.created" | "mailbox.updated" | "mailbox.deleted" | "mailbox.paused" | "mailbox.resumed" | "widget.created" | "widget.updated" | "widget.deleted" | "widget.secret_read" | "widget.secret_rotated" | "consumer.created" | "consumer.updated" | "consumer.reset" | "consumer.deleted" | "view.created" | "view.updated" | "view.deleted" | "contact.blocked" | "contact.unblocked" | "contact.sessions_ended" | "member.added" | "member.role_changed" | "member.removed" | "invitation.created" | "invitation.revoked" | "invitation.accepted" | "user.signed_in" | "user.sign_in_failed" | "user.signed_out" | "user.renamed" | "user.password_changed" | "user.password_check_failed" | "user.password_reset_requested" | "user.password_reset" | "user.two_factor_enabled" | "user.two_factor_disabled" | "user.recovery_codes_replaced" | "user.passkey_added" | "user.passkey_removed" | "user.sso_linked" | "user.sso_unlinked" | "user.notifications_changed" | "user.push_enabled" | "user.push_disabled" | "workspace.alert_settings_changed" | "workspace.created" | "workspace.inbox_settings_changed" | "workspace.renamed" | "workspace.updated";
  resource_type?: "api_key" | "webhook" | "widget" | "consumer" | "contact" | "user" | "invitation" | "workspace" | "mailbox" | "view";
  resource_id?: number;
  /** The user or key that acted. */
  actor_id?: number;
  /** At this time or later; any ISO 8601 form. */
  created_after?: string;
  /** Before this time. */
  created_before?: string;
  /** Page number, from 1. */
  page?: number;
  /** Records per page; 25 by default. */
  per_page?: number;
  /** Excludes records with a higher id. The links carry it, so that pages do not shift while records are added. */
  up_to_id?: number;
  /** Reads by cursor instead of page number: at most this many records, no totals and no links. */
  limit?: number;
  /** Continues after this position: a `next_cursor` of the same list. */
  cursor?: string;
}

export interface ListContactsQuery {
  /** Exact match. */
  external_id?: string;
  /** Exact match, case-insensitive. */
  email?: string;
  /** Part of the text, case-insensitive; `%` and `_` are plain characters. */
  search?: string;
  /** Changed at this time or later; any ISO 8601 form. */
  updated_since?: string;
  /** Page number, from 1. */
  page?: number;
  /** Records per page; 25 by default. */
  per_page?: number;
  /** Excludes records with a higher id. The links carry it, so that pages do not shift while records are added. */
  up_to_id?: number;
  /** Reads by cursor instead of page number: at most this many records, no totals and no links. */
  limit?: number;
  /** Continues after this position: a `next_cursor` of the same list. */
  cursor?: string;
}

export interface CreateContactBody {
  /** The contact's id in your own system; unique in the workspace. */
  external_id?: string;
  /** What to call the contact. */
  name?: string;
  /** An e-mail address. */
  email?: string;
  /** A phone number, in any form. */
  phone?: string;
  /** Free JSON object of your own, at most 16384 bytes; replaces the one before. */
  attributes?: Record<string, unknown>;
}

export interface UpdateContactBody {
  /** The contact's id in your own system; unique in the workspace. */
  external_id?: string;
  /** What to call the contact. */
  name?: string;
  /** An e-mail address. */
  email?: string;
  /** A phone number, in any form. */
  phone?: string;
  /** Free JSON object of your own, at most 16384 bytes; replaces the one before. */
  attributes?: Record<string, unknown>;
  /** True: the sessions of their browsers in widgets end, and they cannot write there. Null: false. */
  blocked?: boolean | null;
}

export interface GetTranscriptQuery {
  /** True: with the private notes. */
  notes?: boolean;
  /** Name of the time zone of its times; `UTC` by default. */
  time_zone?: string;
}

export interface ListConversationsQuery {
  /** One or several, comma separated, of open, pending, snoozed, resolved. */
  status?: string;
  /** Id or uuid of a saved view, whose filters and order apply; other filters narrow it further. */
  view?: string;
  /** `created`, the default: newest first. `last_activity`: latest message first. */
  sort?: "created" | "last_activity";
  channel?: "api" | "widget" | "email";
  priority?: "low" | "medium" | "high" | "urgent" | "none";
  /** Id or uuid of a contact. */
  contact_id?: string;
  /** Id or uuid of a member, `me` for the signed-in user, `none` or 0 for no assignee. */
  assignee_id?: string;
  /** Has this label. */
  label?: string;
  /** `true`: the contact waits for a reply. */
  waiting?: boolean;
  /** Has messages that the signed-in person has not read. People only. */
  unread?: boolean;
  /** `me`: has a note that mentions the signed-in person, among the newest 1,000. People only. */
  mentioned?: "me";
  /** Words and beginnings of words in the subject, the contact, a label or a message, in any case and without accents; or the number of a conversation. */
  text?: string;
  /** Part of the text, case-insensitive; `%` and `_` are plain characters. */
  search?: string;
  /** Changed at this time or later; any ISO 8601 form. */
  updated_since?: string;
  /** Page number, from 1. */
  page?: number;
  /** Records per page; 25 by default. */
  per_page?: number;
  /** Excludes records with a higher id. The links carry it, so that pages do not shift while records are added. */
  up_to_id?: number;
  /** Reads by cursor instead of page number: at most this many records, no totals and no links. */
  limit?: number;
  /** Continues after this position: a `next_cursor` of the same list. */
  cursor?: string;
}

export interface CreateConversationBody {
  /** Empty: none. */
  subject?: string;
  /** Defaults to `open`. */
  status?: "open" | "pending" | "snoozed" | "resolved";
  /** With status `snoozed`: when the conversation opens by itself, at most one year from now. Without it the conversation is snoozed until the contact writes. */
  snoozed_until?: string;
  /** Empty: none. */
  priority?: "low" | "medium" | "high" | "urgent" | "";
  /** Where it takes place. Defaults to `api`. */
  channel?: "api" | "widget" | "email";
  /** Id or uuid of a member of the workspace; 0 removes the assignee. */
  assignee_id?: number | string;
  /** Trimmed, without duplicates; replaces the present labels. */
  labels?: string[];
  /** Free JSON object of your own, at most 16384 bytes; replaces the one before. */
  attributes?: Record<string, unknown>;
  /** Id or uuid of the contact. Without it and without `contact` an anonymous one is created. */
  contact_id?: number | string;
  /** Id or uuid of the mailbox through which its mail goes: the conversation is one by e-mail, and a first `message` of direction `out` is sent to the contact. */
  mailbox_id?: number | string;
  /** A new contact, which requires `contacts:write`. If a contact with the same `external_id` exists, that one is used unchanged. */
  contact?: {
    /** The contact's id in your own system; unique in the workspace. */
    external_id?: string | null;
    /** What to call the contact. */
    name?: string | null;
    /** An e-mail address. */
    email?: string | null;
    /** A phone number, in any form. */
    phone?: string | null;
    /** Free JSON object of your own, at most 16384 bytes; replaces the one before. */
    attributes?: Record<string, unknown> | null;
  };
  /** The first message. Also requires `messages:write`. */
  message?: {
    /** The text. It may be empty only if the message has attachments. */
    body?: string | null;
    /** An internal note, hidden from the contact. Defaults to false; requires direction `out`. */
    private?: boolean | null;
    /** Each has either `file_id` or `url`. */
    attachments?: {
      /** Id or uuid of an uploaded file that no message holds yet. Excludes every other field. */
      file_id?: number | string | null;
      /** Where the file is; http or https. */
      url?: string | null;
      name?: string | null;
      content_type?: string | null;
      size_bytes?: number | null;
    }[] | null;
    /** `in`: from the contact; `out` (the default): to the contact. */
    direction?: "in" | "out" | null;
    /** For a public message of direction `out` in a conversation with a mailbox, which is sent by mail. Together at most 50 recipients; addresses of your own mailboxes are left out. An address that is new to the conversation requires `contacts:write`. */
    email?: {
      /** By default the sender of the last mail, or the contact. */
      to?: {
        address: string;
        name?: string | null;
      }[] | null;
      /** By default those who had a copy of that mail; nobody if `to` is given. */
      cc?: {
        address: string;
        name?: string | null;
      }[] | null;
      /** Nobody by default. */
      bcc?: {
        address: string;
        name?: string | null;
      }[] | null;
      /** By default that of the thread. */
      subject?: string | null;
    } | null;
  };
}

export interface UpdateConversationBody {
  /** Empty: none. */
  subject?: string;
  /** Defaults to `open`. */
  status?: "open" | "pending" | "snoozed" | "resolved";
  /** With status `snoozed`: when the conversation opens by itself, at most one year from now. Without it the conversation is snoozed until the contact writes. */
  snoozed_until?: string;
  /** Empty: none. */
  priority?: "low" | "medium" | "high" | "urgent" | "";
  /** Where it takes place. Defaults to `api`. */
  channel?: "api" | "widget" | "email";
  /** Id or uuid of a member of the workspace; 0 removes the assignee. */
  assignee_id?: number | string;
  /** Trimmed, without duplicates; replaces the present labels. */
  labels?: string[];
  /** Free JSON object of your own, at most 16384 bytes; replaces the one before. */
  attributes?: Record<string, unknown>;
  /** Cannot be changed: any other contact than the conversation's own is a 422. */
  contact_id?: number | string;
}

export interface ListLabelsQuery {
  /** Page number, from 1. */
  page?: number;
  /** Records per page; 25 by default. */
  per_page?: number;
  /** Reads by cursor instead of page number: at most this many records, no totals and no links. */
  limit?: number;
  /** Continues after this position: a `next_cursor` of the same list. */
  cursor?: string;
}

export interface ListMembersQuery {
  /** Page number, from 1. */
  page?: number;
  /** Records per page; 25 by default. */
  per_page?: number;
  /** Reads by cursor instead of page number: at most this many records, no totals and no links. */
  limit?: number;
  /** Continues after this position: a `next_cursor` of the same list. */
  cursor?: string;
}

export interface ReadConversationBody {
  seq?: number;
}

export interface BulkConversationsBody {
  ids: (number | string)[];
  /** What to change, as in a PATCH of each one; at least one field. */
  set: {
    /** Defaults to `open`. */
    status?: "open" | "pending" | "snoozed" | "resolved" | null;
    /** With status `snoozed`: when the conversation opens by itself, at most one year from now. Without it the conversation is snoozed until the contact writes. */
    snoozed_until?: string | null;
    /** Empty: none. */
    priority?: "low" | "medium" | "high" | "urgent" | "" | null;
    /** Trimmed, without duplicates; replaces the present labels. */
    add_labels?: string[] | null;
    /** Trimmed, without duplicates; replaces the present labels. */
    remove_labels?: string[] | null;
    /** Id or uuid of a member of the workspace; 0 removes the assignee. */
    assignee_id?: number | string | null;
  };
}

export interface ListMessagesQuery {
  direction?: "in" | "out";
  /** `true`, `false`, `1` or `0`. */
  private?: boolean;
  /** Part of the text, case-insensitive; `%` and `_` are plain characters. */
  search?: string;
  /** Changed at this time or later; any ISO 8601 form. */
  updated_since?: string;
  /** Page number, from 1. */
  page?: number;
  /** Records per page; 25 by default. */
  per_page?: number;
  /** Excludes records with a higher id. The links carry it, so that pages do not shift while records are added. */
  up_to_id?: number;
  /** Reads by cursor instead of page number: at most this many records, no totals and no links. */
  limit?: number;
  /** Continues after this position: a `next_cursor` of the same list. */
  cursor?: string;
}

export interface CreateMessageFields {
  /** The text. It may be empty only if the message has attachments. */
  body?: string;
  /** An internal note, hidden from the contact. Defaults to false; requires direction `out`. */
  private?: boolean;
  /** Each has either `file_id` or `url`. */
  attachments?: {
    /** Id or uuid of an uploaded file that no message holds yet. Excludes every other field. */
    file_id?: number | string | null;
    /** Where the file is; http or https. */
    url?: string | null;
    name?: string | null;
    content_type?: string | null;
    size_bytes?: number | null;
  }[];
  /** `in`: from the contact; `out` (the default): to the contact. */
  direction?: "in" | "out";
  /** For a public message of direction `out` in a conversation with a mailbox, which is sent by mail. Together at most 50 recipients; addresses of your own mailboxes are left out. An address that is new to the conversation requires `contacts:write`. */
  email?: {
    /** By default the sender of the last mail, or the contact. */
    to?: {
      address: string;
      name?: string | null;
    }[] | null;
    /** By default those who had a copy of that mail; nobody if `to` is given. */
    cc?: {
      address: string;
      name?: string | null;
    }[] | null;
    /** Nobody by default. */
    bcc?: {
      address: string;
      name?: string | null;
    }[] | null;
    /** By default that of the thread. */
    subject?: string | null;
  };
  /** Ids or uuids of the members whom a note mentions. A note that a person writes also mentions those whose name follows an `@` in its body. */
  mentions?: (number | string)[];
}

export type CreateMessageBody = CreateMessageFields & (Required<Pick<CreateMessageFields, "body">> | Required<Pick<CreateMessageFields, "attachments">>);

export interface UpdateMessageBody {
  /** The text. It may be empty only if the message has attachments. */
  body?: string;
  /** An internal note, hidden from the contact. Defaults to false; requires direction `out`. */
  private?: boolean;
  /** Each has either `file_id` or `url`. */
  attachments?: {
    /** Id or uuid of an uploaded file that no message holds yet. Excludes every other field. */
    file_id?: number | string | null;
    /** Where the file is; http or https. */
    url?: string | null;
    name?: string | null;
    content_type?: string | null;
    size_bytes?: number | null;
  }[];
  /** `in`: from the contact; `out` (the default): to the contact. */
  direction?: "in" | "out";
  /** Must be the current conversation. */
  conversation_id?: number | string;
}

export interface ListDraftsQuery {
  /** Page number, from 1. */
  page?: number;
  /** Records per page; 25 by default. */
  per_page?: number;
  /** Reads by cursor instead of page number: at most this many records, no totals and no links. */
  limit?: number;
  /** Continues after this position: a `next_cursor` of the same list. */
  cursor?: string;
}

export interface CreateDraftFields {
  /** The text. It may be empty only if the message has attachments. */
  body?: string;
  /** An internal note, hidden from the contact. Defaults to false; requires direction `out`. */
  private?: boolean;
  /** Each has either `file_id` or `url`. */
  attachments?: {
    /** Id or uuid of an uploaded file that no message holds yet. Excludes every other field. */
    file_id?: number | string | null;
    /** Where the file is; http or https. */
    url?: string | null;
    name?: string | null;
    content_type?: string | null;
    size_bytes?: number | null;
  }[];
}

export type CreateDraftBody = CreateDraftFields & (Required<Pick<CreateDraftFields, "body">> | Required<Pick<CreateDraftFields, "attachments">>);

export interface UpdateDraftBody {
  /** The text. It may be empty only if the message has attachments. */
  body?: string;
  /** An internal note, hidden from the contact. Defaults to false; requires direction `out`. */
  private?: boolean;
  /** Each has either `file_id` or `url`. */
  attachments?: {
    /** Id or uuid of an uploaded file that no message holds yet. Excludes every other field. */
    file_id?: number | string | null;
    /** Where the file is; http or https. */
    url?: string | null;
    name?: string | null;
    content_type?: string | null;
    size_bytes?: number | null;
  }[];
  /** Must be the current conversation. */
  conversation_id?: number | string;
}

export interface UploadFileQuery {
  /** The name of the file. Required unless the part of a form has a filename. */
  name?: string;
}

export interface SearchQuery {
  /** The words; all of them must match. */
  q: string;
  /** One or several, comma separated, of conversation, message, contact. */
  type?: string;
  /** Hits at most; 25 by default. */
  limit?: number;
}

export interface ListSavedRepliesQuery {
  /** Part of the text. */
  search?: string;
  /** Page number, from 1. */
  page?: number;
  /** Records per page; 25 by default. */
  per_page?: number;
  /** Reads by cursor instead of page number: at most this many records, no totals and no links. */
  limit?: number;
  /** Continues after this position: a `next_cursor` of the same list. */
  cursor?: string;
}

export interface CreateSavedReplyBody {
  /** The name that people search for. */
  name: string;
  /** What people type to insert it, without spaces; unique in the workspace. Empty: none. */
  shortcut?: string;
  /** The text. `{{contact.name}}`, `{{contact.email}}`, `{{agent.name}}` and `{{conversation.id}}` are replaced when it is inserted. */
  body: string;
}

export interface UpdateSavedReplyBody {
  /** The name that people search for. */
  name?: string;
  /** What people type to insert it, without spaces; unique in the workspace. Empty: none. */
  shortcut?: string;
  /** The text. `{{contact.name}}`, `{{contact.email}}`, `{{agent.name}}` and `{{conversation.id}}` are replaced when it is inserted. */
  body?: string;
}

export interface ListViewsQuery {
  /** Page number, from 1. */
  page?: number;
  /** Records per page; 25 by default. */
  per_page?: number;
  /** Reads by cursor instead of page number: at most this many records, no totals and no links. */
  limit?: number;
  /** Continues after this position: a `next_cursor` of the same list. */
  cursor?: string;
}

export interface CreateViewBody {
  name: string;
  /** Whether everybody sees it. False by default for people; views of API keys are always shared. */
  shared?: boolean | null;
  /** The query filters of `GET /conversations`; `{}` by default. */
  filters?: ViewFilters | null;
  /** As of `GET /conversations`; `created` by default. */
  sort?: "created" | "last_activity" | null;
  /** Views are listed by it, then by id; after the others by default. */
  position?: number | null;
}

export interface UpdateViewBody {
  name?: string;
  /** Whether everybody sees it. False by default for people; views of API keys are always shared. */
  shared?: boolean | null;
  /** The query filters of `GET /conversations`; `{}` by default. */
  filters?: ViewFilters | null;
  /** As of `GET /conversations`; `created` by default. */
  sort?: "created" | "last_activity" | null;
  /** Views are listed by it, then by id; after the others by default. */
  position?: number | null;
}

export interface ListEventsQuery {
  /** Event names, comma separated; `message.*` is a group, `*` is all. */
  type?: string;
  /** The same as `type`. */
  event_type?: string;
  /** Continue after this position: a `next_cursor`, or the `id` of a streamed event. */
  cursor?: string;
  /** `asc`, the default: oldest first. */
  order?: "asc" | "desc";
  /** Events per page; 25 by default. */
  limit?: number;
  /** The same as `limit`, which takes precedence. */
  per_page?: number;
  /** At this time or later; any ISO 8601 form. */
  created_after?: string;
  /** Before this time. */
  created_before?: string;
  /** Events about this conversation, its messages and its drafts. */
  conversation_id?: number;
  /** Who caused it. */
  actor_type?: "contact" | "user" | "api_key" | "bot" | "system";
  /** Goes with `actor_type`. */
  actor_id?: number;
  /** `pending`: a delivery is not finished. `failed`: one ended without a success. Needs `webhooks:manage`. */
  delivery_state?: "pending" | "failed";
}

export interface StreamEventsQuery {
  /** Event names, comma separated; `message.*` is a group, `*` is all. */
  type?: string;
  /** The same as `type`. */
  event_type?: string;
  /** Continue after this position: a `next_cursor`, or the `id` of a streamed event. */
  cursor?: string;
}

export interface ListConsumersQuery {
  /** Page number, from 1. */
  page?: number;
  /** Records per page; 25 by default. */
  per_page?: number;
  /** Reads by cursor instead of page number: at most this many records, no totals and no links. */
  limit?: number;
  /** Continues after this position: a `next_cursor` of the same list. */
  cursor?: string;
}

export interface PutConsumerBody {
  /** Event names, groups such as `message.*`, or `*`; null or absent: every event that the key may see. */
  types?: EventPattern[] | null;
  /** Which of them, as for webhooks; null or absent: all. */
  filter?: EventFilter | null;
  /** `now`, `beginning` (the oldest event that is stored) or a cursor of `GET /events`. */
  start?: string;
}

export interface ResetConsumerBody {
  /** `now`, `beginning` (the oldest event that is stored) or a cursor of `GET /events`. */
  start: string;
}

export interface ReadConsumerEventsQuery {
  /** 100 by default. */
  limit?: number;
  /** Seconds to wait for the first event, if there is none; 0 by default. */
  wait?: number;
}

export interface AcknowledgeConsumerEventsBody {
  /** The `next_cursor` of a read. */
  cursor: string;
}

export interface PreviewWebhookBody {
  /** Event names, groups such as `message.*`, or `*`. */
  events: EventPattern[];
  /** An object that mirrors the event; every member must match: `{ "data": { "direction": "in" } }`. Null: all events. */
  filter?: EventFilter | null;
  /** The JSON value to send instead of the event: `{ "content": "{{ data.body }}" }`. Null: the event itself. */
  template?: unknown;
  /** Only events since then; all that are stored by default. */
  since?: string;
  /** Examples; 5 by default. */
  limit?: number;
}

export interface ListWebhooksQuery {
  is_active?: boolean;
  /** Part of the name or url, case-insensitive. */
  search?: string;
  /** Page number, from 1. */
  page?: number;
  /** Records per page; 25 by default. */
  per_page?: number;
  /** Excludes records with a higher id. The links carry it, so that pages do not shift while records are added. */
  up_to_id?: number;
  /** Reads by cursor instead of page number: at most this many records, no totals and no links. */
  limit?: number;
  /** Continues after this position: a `next_cursor` of the same list. */
  cursor?: string;
}

export interface CreateWebhookBody {
  name: string;
  /** http or https, at most 2,048 characters; private addresses are refused. */
  url: string;
  /** Event names, groups such as `message.*`, or `*`. */
  events: EventPattern[];
  /** Custom headers: `[{ "key": "X-Team", "value": "a" }]`. Also accepted: `name` for `key`, `[{ "X-Team": "a" }]`, `[["X-Team", "a"]]` and `{ "X-Team": "a" }`. */
  headers?: {
    key: string;
    value: string;
  }[] | {
    name: string;
    value: string;
  }[] | string[][] | (Record<string, string>)[] | Record<string, string>;
  /** Attempts after the first; 10 by default. */
  retry_count?: number;
  /** For the whole attempt; 15 by default. */
  timeout_seconds?: number;
  /** Leave out events caused by the key that created the webhook, to avoid loops. Messages from contacts are always sent. */
  skip_own_events?: boolean;
  /** Send the events of one conversation strictly in their order: the next one is sent when the one before it has succeeded or will not be retried. Different conversations are sent in parallel. False by default. */
  ordered?: boolean;
  /** An object that mirrors the event; every member must match: `{ "data": { "direction": "in" } }`. Null: all events. */
  filter?: EventFilter | null;
  /** The JSON value to send instead of the event: `{ "content": "{{ data.body }}" }`. Null: the event itself. */
  template?: unknown;
  /** Deliveries per second over all nodes, 1 to 1,000; what is above waits. Null: no limit. */
  rate_limit?: number | null;
}

export interface UpdateWebhookBody {
  name?: string;
  /** http or https, at most 2,048 characters; private addresses are refused. */
  url?: string;
  /** Event names, groups such as `message.*`, or `*`. */
  events?: EventPattern[];
  /** Custom headers: `[{ "key": "X-Team", "value": "a" }]`. Also accepted: `name` for `key`, `[{ "X-Team": "a" }]`, `[["X-Team", "a"]]` and `{ "X-Team": "a" }`. */
  headers?: {
    key: string;
    value: string;
  }[] | {
    name: string;
    value: string;
  }[] | string[][] | (Record<string, string>)[] | Record<string, string>;
  /** Attempts after the first; 10 by default. */
  retry_count?: number;
  /** For the whole attempt; 15 by default. */
  timeout_seconds?: number;
  /** Leave out events caused by the key that created the webhook, to avoid loops. Messages from contacts are always sent. */
  skip_own_events?: boolean;
  /** Send the events of one conversation strictly in their order: the next one is sent when the one before it has succeeded or will not be retried. Different conversations are sent in parallel. False by default. */
  ordered?: boolean;
  /** An object that mirrors the event; every member must match: `{ "data": { "direction": "in" } }`. Null: all events. */
  filter?: EventFilter | null;
  /** The JSON value to send instead of the event: `{ "content": "{{ data.body }}" }`. Null: the event itself. */
  template?: unknown;
  /** Deliveries per second over all nodes, 1 to 1,000; what is above waits. Null: no limit. */
  rate_limit?: number | null;
  /** The same as enable and disable. */
  is_active?: boolean;
}

export interface DisableWebhookBody {
  /** Shown as `disabled_reason`. */
  reason?: string;
}

export interface RotateWebhookSecretBody {
  /** How long both secrets sign; 86,400 by default. */
  overlap_seconds?: number;
}

export interface TestWebhookQuery {
  /** `webhook.test` by default. */
  event_type?: string;
}

export interface ListWebhookLogsQuery {
  status?: "success" | "failed";
  /** Event names, comma separated; `message.*` is a group, `*` is all. */
  type?: string;
  /** The same as `type`. */
  event_type?: string;
  /** At this time or later; any ISO 8601 form. */
  created_after?: string;
  /** Before this time. */
  created_before?: string;
  /** Page number, from 1. */
  page?: number;
  /** Records per page; 25 by default. */
  per_page?: number;
  /** Excludes records with a higher id. The links carry it, so that pages do not shift while records are added. */
  up_to_id?: number;
  /** Reads by cursor instead of page number: at most this many records, no totals and no links. */
  limit?: number;
  /** Continues after this position: a `next_cursor` of the same list. */
  cursor?: string;
}

export interface RecoverWebhookBody {
  /** Any ISO 8601 form. */
  since: string;
  /** Only counts the events; sends nothing. */
  dry_run?: boolean;
}

export interface ListMailboxesQuery {
  /** Page number, from 1. */
  page?: number;
  /** Records per page; 25 by default. */
  per_page?: number;
  /** Excludes records with a higher id. The links carry it, so that pages do not shift while records are added. */
  up_to_id?: number;
  /** Reads by cursor instead of page number: at most this many records, no totals and no links. */
  limit?: number;
  /** Continues after this position: a `next_cursor` of the same list. */
  cursor?: string;
}

export interface CreateMailboxBody {
  name: string;
  /** The e-mail address that customers write to; unique in the workspace, in any case. */
  address: string;
  /** The name under which replies are sent. */
  from_name?: string | null;
  /** How mail comes in; null: only over HTTP. */
  inbound?: {
    /** `imap`: read from a mail server. `smtp`: Parley's own receiver. `http`: handed over by the API. */
    type: "imap" | "smtp" | "http";
    host?: string;
    port?: number;
    /** `tls` (default): TLS begins with the connection. `none` is unencrypted. */
    security?: "tls" | "starttls" | "none";
    user?: string | null;
    /** Never shown again. */
    password?: string;
    /** Instead of a password. A refresh token that the provider replaces is stored. */
    oauth?: {
      /** Where a refresh token is exchanged for an access token. */
      token_url: string;
      client_id: string;
      client_secret?: string | null;
      refresh_token?: string;
      scope?: string | null;
    };
    folder?: string | null;
    /** A date: mail from then on is imported at the first connection. Null: only what arrives from now on. */
    since?: string | null;
    /** What happens to a mail on the server once it is stored: null (nothing), `seen`, or moved to a folder. */
    after_import?: string | {
      move_to?: string;
    } | null;
  } | null;
  /** How mail goes out; null: through the mail server of the installation (`PARLEY_SMTP_URL`). */
  outbound?: {
    host?: string;
    port?: number;
    /** `tls` (default): TLS begins with the connection. `none` is unencrypted. */
    security?: "tls" | "starttls" | "none";
    user?: string | null;
    /** Never shown again. */
    password?: string;
    /** Instead of a password. A refresh token that the provider replaces is stored. */
    oauth?: {
      /** Where a refresh token is exchanged for an access token. */
      token_url: string;
      client_id: string;
      client_secret?: string | null;
      refresh_token?: string;
      scope?: string | null;
    };
  } | null;
  /** Signs what is sent. */
  dkim?: {
    domain: string;
    selector: string;
    /** PEM. Never shown again. */
    private_key?: string;
  } | null;
  /** The name of the server whose `Authentication-Results` are believed; null: none is. */
  authserv_id?: string | null;
  /** Ends every mail that people send. */
  signature?: string | null;
  /** List-Ids, without `<>`, of groups through which this address gets its mail: their headers do not make a mail automatic. */
  own_lists?: string[] | null;
}

export interface UpdateMailboxBody {
  name?: string;
  /** The e-mail address that customers write to; unique in the workspace, in any case. */
  address?: string;
  /** The name under which replies are sent. */
  from_name?: string | null;
  /** How mail comes in; null: only over HTTP. */
  inbound?: {
    /** `imap`: read from a mail server. `smtp`: Parley's own receiver. `http`: handed over by the API. */
    type: "imap" | "smtp" | "http";
    host?: string;
    port?: number;
    /** `tls` (default): TLS begins with the connection. `none` is unencrypted. */
    security?: "tls" | "starttls" | "none";
    user?: string | null;
    /** Never shown again. */
    password?: string;
    /** Instead of a password. A refresh token that the provider replaces is stored. */
    oauth?: {
      /** Where a refresh token is exchanged for an access token. */
      token_url: string;
      client_id: string;
      client_secret?: string | null;
      refresh_token?: string;
      scope?: string | null;
    };
    folder?: string | null;
    /** A date: mail from then on is imported at the first connection. Null: only what arrives from now on. */
    since?: string | null;
    /** What happens to a mail on the server once it is stored: null (nothing), `seen`, or moved to a folder. */
    after_import?: string | {
      move_to?: string;
    } | null;
  } | null;
  /** How mail goes out; null: through the mail server of the installation (`PARLEY_SMTP_URL`). */
  outbound?: {
    host?: string;
    port?: number;
    /** `tls` (default): TLS begins with the connection. `none` is unencrypted. */
    security?: "tls" | "starttls" | "none";
    user?: string | null;
    /** Never shown again. */
    password?: string;
    /** Instead of a password. A refresh token that the provider replaces is stored. */
    oauth?: {
      /** Where a refresh token is exchanged for an access token. */
      token_url: string;
      client_id: string;
      client_secret?: string | null;
      refresh_token?: string;
      scope?: string | null;
    };
  } | null;
  /** Signs what is sent. */
  dkim?: {
    domain: string;
    selector: string;
    /** PEM. Never shown again. */
    private_key?: string;
  } | null;
  /** The name of the server whose `Authentication-Results` are believed; null: none is. */
  authserv_id?: string | null;
  /** Ends every mail that people send. */
  signature?: string | null;
  /** List-Ids, without `<>`, of groups through which this address gets its mail: their headers do not make a mail automatic. */
  own_lists?: string[] | null;
}

export interface GetMailQuery {
  /** `true`: pictures elsewhere are shown too. */
  images?: boolean;
}

export interface ListWidgetsQuery {
  is_active?: boolean;
  /** Page number, from 1. */
  page?: number;
  /** Records per page; 25 by default. */
  per_page?: number;
  /** Excludes records with a higher id. The links carry it, so that pages do not shift while records are added. */
  up_to_id?: number;
  /** Reads by cursor instead of page number: at most this many records, no totals and no links. */
  limit?: number;
  /** Continues after this position: a `next_cursor` of the same list. */
  cursor?: string;
}

export interface CreateWidgetBody {
  name: string;
  /** True by default. False: the page shows nothing, and messages are refused. */
  is_active?: boolean | null;
  /** Exact origins such as `https://shop.example`; `http` only for localhost and loopback addresses. */
  allowed_origins: string[];
  /** False by default. True: no message without a valid identity token. */
  require_identity?: boolean | null;
  /** `#rrggbb`; `#0f766e` by default. */
  color?: string | null;
  /** `right` by default. */
  position?: "left" | "right" | null;
  /** From a language tag to own texts: `title`, `greeting`, `launcher`, `placeholder`, each at most 500 characters. At most 50 languages. */
  texts?: Record<string, {
    title?: string | null;
    greeting?: string | null;
    launcher?: string | null;
    placeholder?: string | null;
  } | null> | null;
  /** `no` by default. */
  ask_name?: "no" | "optional" | "required" | null;
  /** `optional` by default. */
  ask_email?: "no" | "optional" | "required" | null;
  /** True by default: a conversation shows the page and browser of its first message. */
  collect_page?: boolean | null;
  /** Null, or the mailbox that sends replies which the visitor has not seen. */
  mailbox_id?: number | string | null;
}

export interface UpdateWidgetBody {
  name?: string;
  /** True by default. False: the page shows nothing, and messages are refused. */
  is_active?: boolean | null;
  /** Exact origins such as `https://shop.example`; `http` only for localhost and loopback addresses. */
  allowed_origins?: string[];
  /** False by default. True: no message without a valid identity token. */
  require_identity?: boolean | null;
  /** `#rrggbb`; `#0f766e` by default. */
  color?: string | null;
  /** `right` by default. */
  position?: "left" | "right" | null;
  /** From a language tag to own texts: `title`, `greeting`, `launcher`, `placeholder`, each at most 500 characters. At most 50 languages. */
  texts?: Record<string, {
    title?: string | null;
    greeting?: string | null;
    launcher?: string | null;
    placeholder?: string | null;
  } | null> | null;
  /** `no` by default. */
  ask_name?: "no" | "optional" | "required" | null;
  /** `optional` by default. */
  ask_email?: "no" | "optional" | "required" | null;
  /** True by default: a conversation shows the page and browser of its first message. */
  collect_page?: boolean | null;
  /** Null, or the mailbox that sends replies which the visitor has not seen. */
  mailbox_id?: number | string | null;
}

export interface RotateWidgetSecretBody {
  /** How long tokens of the old secret stay valid; 86,400 by default. */
  overlap_seconds?: number | null;
}

/** An `id` or a `uuid`. */
export type Id = number | string;

export const EVENT_NAMES = [
  "conversation.created",
  "conversation.updated",
  "conversation.assigned",
  "conversation.status_changed",
  "conversation.mentioned",
  "conversation.deleted",
  "message.created",
  "message.updated",
  "message.deleted",
  "message.delivery_changed",
  "draft.created",
  "draft.updated",
  "draft.deleted",
  "contact.created",
  "contact.updated",
  "contact.deleted",
  "api_key.created",
  "api_key.rotated",
  "api_key.revoked",
  "webhook.disabled",
  "webhook.test",
] as const;

export type EventName = (typeof EVENT_NAMES)[number];

/** What a webhook or a consumer subscribes to: an event, a group of events, or all. */
export type EventPattern = EventName | "conversation.*" | "message.*" | "draft.*" | "contact.*" | "api_key.*" | "webhook.*" | "*";

export type ErrorCode =
  | "BAD_REQUEST"
  | "UNAUTHORIZED"
  | "SESSION_ENDED"
  | "IDENTITY_REQUIRED"
  | "IDENTITY_EXPIRED"
  | "IDENTITY_INVALID"
  | "FORBIDDEN"
  | "BLOCKED"
  | "WIDGET_INACTIVE"
  | "WRONG_ORIGIN"
  | "NOT_FOUND"
  | "METHOD_NOT_ALLOWED"
  | "REQUEST_TIMEOUT"
  | "CONFLICT"
  | "PRECONDITION_FAILED"
  | "PAYLOAD_TOO_LARGE"
  | "UNSUPPORTED_MEDIA_TYPE"
  | "EXPECTATION_FAILED"
  | "MISDIRECTED_REQUEST"
  | "VALIDATION_ERROR"
  | "RATE_LIMIT_EXCEEDED"
  | "HEADERS_TOO_LARGE"
  | "INTERNAL_ERROR"
  | "SERVICE_UNAVAILABLE"
  | "LOOP_DETECTED";

export interface Operations {
  /** Get the API key in use and its scopes. */
  "GET /me": { kind: "none"; call: (options?: RequestOptions) => Promise<Me> };
  /** List API keys. Scope: `api-keys:manage`. */
  "GET /api-keys": { kind: "list"; call: (query?: ListApiKeysQuery, options?: RequestOptions) => List<ApiKey> };
  /** Create an API key. Scope: `api-keys:manage`. */
  "POST /api-keys": { kind: "body"; call: (body: CreateApiKeyBody, options?: RequestOptions) => Promise<ApiKeyWithSecret> };
  /** Get an API key. Scope: `api-keys:manage`. */
  "GET /api-keys/{key}": { kind: "none"; call: (key: Id, options?: RequestOptions) => Promise<ApiKey> };
  /** Update, pause or resume an API key. Scope: `api-keys:manage`. */
  "PATCH /api-keys/{key}": { kind: "body"; call: (key: Id, body?: UpdateApiKeyBody, options?: RequestOptions) => Promise<ApiKey> };
  /** Revoke an API key permanently. Scope: `api-keys:manage`. */
  "DELETE /api-keys/{key}": { kind: "none"; call: (key: Id, options?: RequestOptions) => Promise<ApiKey> };
  /** Rotate the secret of an API key. Scope: `api-keys:manage`. */
  "POST /api-keys/{key}/rotate": { kind: "body"; call: (key: Id, body?: RotateApiKeyBody, options?: RequestOptions) => Promise<ApiKeyWithSecret> };
  /** End the overlap of a rotation now. Scope: `api-keys:manage`. */
  "POST /api-keys/{key}/revoke-old-secret": { kind: "none"; call: (key: Id, options?: RequestOptions) => Promise<ApiKey> };
  /** List the audit log: who did what to which key, webhook or member. Scope: `audit:read`. */
  "GET /audit-logs": { kind: "list"; call: (query?: ListAuditLogsQuery, options?: RequestOptions) => List<AuditLog> };
  /** List contacts. Scope: `contacts:read`. */
  "GET /contacts": { kind: "list"; call: (query?: ListContactsQuery, options?: RequestOptions) => List<Contact> };
  /** Create a contact. Scope: `contacts:write`. */
  "POST /contacts": { kind: "body"; call: (body?: CreateContactBody, options?: RequestOptions) => Promise<Contact> };
  /** Get a contact. Scope: `contacts:read`. */
  "GET /contacts/{contact}": { kind: "none"; call: (contact: Id, options?: RequestOptions) => Promise<Contact> };
  /** Change a contact. Scope: `contacts:write`. */
  "PATCH /contacts/{contact}": { kind: "body"; call: (contact: Id, body?: UpdateContactBody, options?: RequestOptions) => Promise<Contact> };
  /** Delete a contact. Scope: `contacts:write`. */
  "DELETE /contacts/{contact}": { kind: "none"; call: (contact: Id, options?: RequestOptions) => Promise<Contact> };
  /** End the sessions of a contact. Scope: `contacts:write`. */
  "DELETE /contacts/{contact}/sessions": { kind: "none"; call: (contact: Id, options?: RequestOptions) => Promise<{
    ended: number;
  }> };
  /** Get a conversation as plain text. Scope: `messages:read`. */
  "GET /conversations/{conversation}/transcript": { kind: "query"; call: (conversation: Id, query?: GetTranscriptQuery, options?: RequestOptions) => Promise<string> };
  /** List conversations. Scope: `conversations:read`. */
  "GET /conversations": { kind: "list"; call: (query?: ListConversationsQuery, options?: RequestOptions) => List<Conversation> };
  /** Open a conversation. Scope: `conversations:write`. */
  "POST /conversations": { kind: "body"; call: (body?: CreateConversationBody, options?: RequestOptions) => Promise<OpenedConversation> };
  /** Get a conversation. Scope: `conversations:read`. */
  "GET /conversations/{conversation}": { kind: "none"; call: (conversation: Id, options?: RequestOptions) => Promise<Conversation> };
  /** Change, assign, snooze or resolve a conversation. Scope: `conversations:write`. */
  "PATCH /conversations/{conversation}": { kind: "body"; call: (conversation: Id, body?: UpdateConversationBody, options?: RequestOptions) => Promise<Conversation> };
  /** Delete a conversation with its messages. Scope: `conversations:write`. */
  "DELETE /conversations/{conversation}": { kind: "none"; call: (conversation: Id, options?: RequestOptions) => Promise<Conversation> };
  /** Count conversations. Scope: `conversations:read`. */
  "GET /conversations/counts": { kind: "none"; call: (options?: RequestOptions) => Promise<ConversationCounts> };
  /** List labels in use. Scope: `conversations:read`. */
  "GET /labels": { kind: "list"; call: (query?: ListLabelsQuery, options?: RequestOptions) => List<Label> };
  /** List members of the workspace. Scope: `conversations:read`. */
  "GET /members": { kind: "list"; call: (query?: ListMembersQuery, options?: RequestOptions) => List<Member> };
  /** Mark a conversation as read. Only for people who are signed in; a key receives a 403. */
  "POST /conversations/{conversation}/read": { kind: "body"; call: (conversation: Id, body?: ReadConversationBody, options?: RequestOptions) => Promise<Conversation> };
  /** Mark a conversation as unread. Only for people who are signed in; a key receives a 403. */
  "POST /conversations/{conversation}/unread": { kind: "none"; call: (conversation: Id, options?: RequestOptions) => Promise<Conversation> };
  /** Change several conversations. Scope: `conversations:write`. */
  "POST /conversations/bulk": { kind: "body"; call: (body: BulkConversationsBody, options?: RequestOptions) => Promise<BulkResult> };
  /** List the messages of a conversation. Scope: `messages:read`. */
  "GET /conversations/{conversation}/messages": { kind: "list"; call: (conversation: Id, query?: ListMessagesQuery, options?: RequestOptions) => List<Message> };
  /** Write a message. Scope: `messages:write`. */
  "POST /conversations/{conversation}/messages": { kind: "body"; call: (conversation: Id, body: CreateMessageBody, options?: RequestOptions) => Promise<Message> };
  /** Get a message. Scope: `messages:read`. */
  "GET /conversations/{conversation}/messages/{message}": { kind: "none"; call: (conversation: Id, message: Id, options?: RequestOptions) => Promise<Message> };
  /** Change a message. Scope: `messages:write`. */
  "PATCH /conversations/{conversation}/messages/{message}": { kind: "body"; call: (conversation: Id, message: Id, body?: UpdateMessageBody, options?: RequestOptions) => Promise<Message> };
  /** Delete a message permanently. Scope: `messages:write`. */
  "DELETE /conversations/{conversation}/messages/{message}": { kind: "none"; call: (conversation: Id, message: Id, options?: RequestOptions) => Promise<Message> };
  /** Send a mail again. Scope: `messages:write`. */
  "POST /conversations/{conversation}/messages/{message}/resend": { kind: "none"; call: (conversation: Id, message: Id, options?: RequestOptions) => Promise<Message> };
  /** List the drafts of a conversation. Scope: `drafts:read`. */
  "GET /conversations/{conversation}/drafts": { kind: "list"; call: (conversation: Id, query?: ListDraftsQuery, options?: RequestOptions) => List<Draft> };
  /** Save a draft or suggest a reply. Scope: `drafts:write`. */
  "POST /conversations/{conversation}/drafts": { kind: "body"; call: (conversation: Id, body: CreateDraftBody, options?: RequestOptions) => Promise<Draft> };
  /** Get a draft. Scope: `drafts:read`. */
  "GET /conversations/{conversation}/drafts/{draft}": { kind: "none"; call: (conversation: Id, draft: Id, options?: RequestOptions) => Promise<Draft> };
  /** Change a draft. Scope: `drafts:write`. */
  "PATCH /conversations/{conversation}/drafts/{draft}": { kind: "body"; call: (conversation: Id, draft: Id, body?: UpdateDraftBody, options?: RequestOptions) => Promise<Draft> };
  /** Discard a draft. Scope: `drafts:write`. */
  "DELETE /conversations/{conversation}/drafts/{draft}": { kind: "none"; call: (conversation: Id, draft: Id, options?: RequestOptions) => Promise<Draft> };
  /** Send a draft. Scope: `messages:write`. */
  "POST /conversations/{conversation}/drafts/{draft}/send": { kind: "none"; call: (conversation: Id, draft: Id, options?: RequestOptions) => Promise<Message> };
  /** Upload a file. Scope: `messages:write`. */
  "POST /files": { kind: "custom"; call: (options?: RequestOptions) => Promise<UploadedFile> };
  /** Get a file's record, with a fresh link to its bytes. Scope: `messages:read`. */
  "GET /files/{file}": { kind: "none"; call: (file: Id, options?: RequestOptions) => Promise<UploadedFile> };
  /** Delete a file that nothing holds. Scope: `messages:write`. */
  "DELETE /files/{file}": { kind: "none"; call: (file: Id, options?: RequestOptions) => Promise<UploadedFile> };
  /** Search messages, conversations and contacts. */
  "GET /search": { kind: "query"; call: (query: SearchQuery, options?: RequestOptions) => Promise<SearchHit[]> };
  /** List saved replies. Scope: `messages:read`. */
  "GET /saved-replies": { kind: "list"; call: (query?: ListSavedRepliesQuery, options?: RequestOptions) => List<SavedReply> };
  /** Create a saved reply. Scope: `messages:write`. */
  "POST /saved-replies": { kind: "body"; call: (body: CreateSavedReplyBody, options?: RequestOptions) => Promise<SavedReply> };
  /** Get a saved reply. Scope: `messages:read`. */
  "GET /saved-replies/{saved_reply}": { kind: "none"; call: (saved_reply: Id, options?: RequestOptions) => Promise<SavedReply> };
  /** Change a saved reply. Scope: `messages:write`. */
  "PATCH /saved-replies/{saved_reply}": { kind: "body"; call: (saved_reply: Id, body?: UpdateSavedReplyBody, options?: RequestOptions) => Promise<SavedReply> };
  /** Delete a saved reply. Scope: `messages:write`. */
  "DELETE /saved-replies/{saved_reply}": { kind: "none"; call: (saved_reply: Id, options?: RequestOptions) => Promise<SavedReply> };
  /** List views. Scope: `conversations:read`. */
  "GET /views": { kind: "list"; call: (query?: ListViewsQuery, options?: RequestOptions) => List<View> };
  /** Save a view. Scope: `conversations:write`. */
  "POST /views": { kind: "body"; call: (body: CreateViewBody, options?: RequestOptions) => Promise<View> };
  /** Get a view. Scope: `conversations:read`. */
  "GET /views/{view}": { kind: "none"; call: (view: Id, options?: RequestOptions) => Promise<View> };
  /** Change a view. Scope: `conversations:write`. */
  "PATCH /views/{view}": { kind: "body"; call: (view: Id, body?: UpdateViewBody, options?: RequestOptions) => Promise<View> };
  /** Delete a view. Scope: `conversations:write`. */
  "DELETE /views/{view}": { kind: "none"; call: (view: Id, options?: RequestOptions) => Promise<View> };
  /** Read events by cursor. Scope: `events:read`. */
  "GET /events": { kind: "list"; call: (query?: ListEventsQuery, options?: RequestOptions) => List<Event> };
  /** Stream events as they happen. Scope: `events:read`. */
  "GET /events/stream": { kind: "custom"; call: (options?: RequestOptions) => Promise<unknown> };
  /** Get an event with its deliveries. Scope: `events:read`. */
  "GET /events/{event}": { kind: "none"; call: (event: Id, options?: RequestOptions) => Promise<EventWithDeliveries> };
  /** List the event types. */
  "GET /event-types": { kind: "none"; call: (options?: RequestOptions) => Promise<EventType[]> };
  /** List consumers. Scope: `consumers:manage`. */
  "GET /consumers": { kind: "list"; call: (query?: ListConsumersQuery, options?: RequestOptions) => List<Consumer> };
  /** Create a consumer, or change what it shows. Scope: `consumers:manage`. */
  "PUT /consumers/{consumer}": { kind: "body"; call: (consumer: Id, body?: PutConsumerBody, options?: RequestOptions) => Promise<Consumer> };
  /** Get a consumer. Scope: `consumers:manage`. */
  "GET /consumers/{consumer}": { kind: "none"; call: (consumer: Id, options?: RequestOptions) => Promise<Consumer> };
  /** Delete a consumer. Scope: `consumers:manage`. */
  "DELETE /consumers/{consumer}": { kind: "none"; call: (consumer: Id, options?: RequestOptions) => Promise<Consumer> };
  /** Move a consumer anywhere. Scope: `consumers:manage`. */
  "POST /consumers/{consumer}/reset": { kind: "body"; call: (consumer: Id, body: ResetConsumerBody, options?: RequestOptions) => Promise<Consumer> };
  /** Read the next events of a consumer. Scope: `events:read`. */
  "GET /consumers/{consumer}/events": { kind: "query"; call: (consumer: Id, query?: ReadConsumerEventsQuery, options?: RequestOptions) => Promise<Event[]> };
  /** Acknowledge events. Scope: `events:read`. */
  "POST /consumers/{consumer}/ack": { kind: "body"; call: (consumer: Id, body: AcknowledgeConsumerEventsBody, options?: RequestOptions) => Promise<Consumer> };
  /** Try a filter and a template on the stored events. Scope: `webhooks:manage`. */
  "POST /webhooks/preview": { kind: "body"; call: (body: PreviewWebhookBody, options?: RequestOptions) => Promise<WebhookPreview> };
  /** List webhooks. Scope: `webhooks:manage`. */
  "GET /webhooks": { kind: "list"; call: (query?: ListWebhooksQuery, options?: RequestOptions) => List<Webhook> };
  /** Create a webhook. Scope: `webhooks:manage`. */
  "POST /webhooks": { kind: "body"; call: (body: CreateWebhookBody, options?: RequestOptions) => Promise<WebhookWithSecret> };
  /** Get a webhook. Scope: `webhooks:manage`. */
  "GET /webhooks/{webhook}": { kind: "none"; call: (webhook: Id, options?: RequestOptions) => Promise<WebhookWithHealth> };
  /** Update a webhook. Scope: `webhooks:manage`. */
  "PATCH /webhooks/{webhook}": { kind: "body"; call: (webhook: Id, body?: UpdateWebhookBody, options?: RequestOptions) => Promise<Webhook> };
  /** Delete a webhook. Scope: `webhooks:manage`. */
  "DELETE /webhooks/{webhook}": { kind: "none"; call: (webhook: Id, options?: RequestOptions) => Promise<Webhook> };
  /** Enable a webhook. Scope: `webhooks:manage`. */
  "POST /webhooks/{webhook}/enable": { kind: "none"; call: (webhook: Id, options?: RequestOptions) => Promise<Webhook> };
  /** Disable a webhook. Scope: `webhooks:manage`. */
  "POST /webhooks/{webhook}/disable": { kind: "body"; call: (webhook: Id, body?: DisableWebhookBody, options?: RequestOptions) => Promise<Webhook> };
  /** Read the signing secret. Scope: `webhooks:manage`. */
  "GET /webhooks/{webhook}/secret": { kind: "none"; call: (webhook: Id, options?: RequestOptions) => Promise<{
    secret: string;
  }> };
  /** Rotate the signing secret of a webhook. Scope: `webhooks:manage`. */
  "POST /webhooks/{webhook}/rotate-secret": { kind: "body"; call: (webhook: Id, body?: RotateWebhookSecretBody, options?: RequestOptions) => Promise<WebhookWithSecret> };
  /** Send a test payload. Scope: `webhooks:manage`. */
  "POST /webhooks/{webhook}/test": { kind: "query"; call: (webhook: Id, query?: TestWebhookQuery, options?: RequestOptions) => Promise<WebhookTestResult> };
  /** List the delivery logs of a webhook. Scope: `webhooks:manage`. */
  "GET /webhooks/{webhook}/logs": { kind: "list"; call: (webhook: Id, query?: ListWebhookLogsQuery, options?: RequestOptions) => List<DeliveryLog> };
  /** Get one attempt in detail. Scope: `webhooks:manage`. */
  "GET /webhooks/{webhook}/logs/{log}": { kind: "none"; call: (webhook: Id, log: Id, options?: RequestOptions) => Promise<DeliveryLogDetail> };
  /** Send the event of an attempt again. Scope: `webhooks:manage`. */
  "POST /webhooks/{webhook}/logs/{log}/redeliver": { kind: "none"; call: (webhook: Id, log: Id, options?: RequestOptions) => Promise<{
    /** Numeric identifier. */
    delivery_id: number;
  }> };
  /** Send every missed event again. Scope: `webhooks:manage`. */
  "POST /webhooks/{webhook}/recover": { kind: "body"; call: (webhook: Id, body: RecoverWebhookBody, options?: RequestOptions) => Promise<{
    events: number;
    /** UTC, second precision. */
    since: string;
    dry_run: boolean;
  }> };
  /** List mailboxes. Scope: `mailboxes:manage`. */
  "GET /mailboxes": { kind: "list"; call: (query?: ListMailboxesQuery, options?: RequestOptions) => List<Mailbox> };
  /** Connect a mailbox. Scope: `mailboxes:manage`. */
  "POST /mailboxes": { kind: "body"; call: (body: CreateMailboxBody, options?: RequestOptions) => Promise<Mailbox> };
  /** Get a mailbox. Scope: `mailboxes:manage`. */
  "GET /mailboxes/{mailbox}": { kind: "none"; call: (mailbox: Id, options?: RequestOptions) => Promise<Mailbox> };
  /** Update a mailbox. Scope: `mailboxes:manage`. */
  "PATCH /mailboxes/{mailbox}": { kind: "body"; call: (mailbox: Id, body?: UpdateMailboxBody, options?: RequestOptions) => Promise<Mailbox> };
  /** Delete a mailbox. Scope: `mailboxes:manage`. */
  "DELETE /mailboxes/{mailbox}": { kind: "none"; call: (mailbox: Id, options?: RequestOptions) => Promise<Mailbox> };
  /** Pause a mailbox. Scope: `mailboxes:manage`. */
  "POST /mailboxes/{mailbox}/pause": { kind: "none"; call: (mailbox: Id, options?: RequestOptions) => Promise<Mailbox> };
  /** Resume a mailbox. Scope: `mailboxes:manage`. */
  "POST /mailboxes/{mailbox}/resume": { kind: "none"; call: (mailbox: Id, options?: RequestOptions) => Promise<Mailbox> };
  /** Check a mailbox. Scope: `mailboxes:manage`. */
  "POST /mailboxes/{mailbox}/check": { kind: "none"; call: (mailbox: Id, options?: RequestOptions) => Promise<MailboxCheck> };
  /** Hand a mail over. Scope: `mailboxes:ingest`. */
  "POST /mailboxes/{mailbox}/messages": { kind: "custom"; call: (mailbox: Id, options?: RequestOptions) => Promise<{
    /** Numeric identifier. */
    id: number;
    uuid: string;
    /** Numeric identifier. */
    conversation_id: number;
    /** 1, 2, 3 … within the conversation. */
    seq: number;
    direction: "in" | "out";
    sender: {
      type: "contact" | "user" | "api_key" | "bot" | "system";
      id: number | null;
      name: string | null;
    };
    /** An internal note, hidden from the contact. */
    private: boolean;
    body: string;
    attachments: Attachment[];
    /** The draft that was sent as this message, if any. */
    draft?: {
      /** Numeric identifier. */
      id: number;
      author: {
        type: "contact" | "user" | "api_key" | "bot" | "system";
        id: number | null;
        name: string | null;
      };
    };
    /** Ids of the members whom a note mentions. */
    mentions: number[];
    /** The mail that this message is; null for other messages. */
    email: {
      message_id: string | null;
      subject: string | null;
      from: {
        name: string | null;
        address: string;
      } | null;
      to: MailAddress[];
      cc: MailAddress[];
      reply_to: MailAddress[];
      date: string | null;
      in_reply_to: string | null;
      references: string[];
      /** Sent by a program: a list, a vacation notice, a delivery report. */
      automatic: boolean;
      /** True: the sender had not been From, To or Cc of an earlier mail of this conversation. */
      outside_sender: boolean;
      /** What the server that the mailbox names as `authserv_id` reported; null where it reported nothing. */
      authentication: {
        spf: string | null;
        dkim: string | null;
        dmarc: string | null;
      } | null;
      has_html: boolean;
      /** Why the mail could not be read; its bytes are at `raw_url` anyway. */
      parse_error: string | null;
      /** True: only a part is shown here; the whole is at `…/email`. */
      truncated: boolean;
      /** Where the bytes of the mail can be read without a key, for a time. */
      raw_url: string;
    } | null;
    /** The quoted history and the signature of a mail, which are not part of `body`; null where there are none. */
    quoted: string | null;
    /** How a mail that goes out is doing; null for other messages. */
    delivery: {
      state: "pending" | "sending" | "sent" | "failed" | "unknown" | "bounced";
      attempts: number;
      next_attempt_at: string | null;
      error: string | null;
      recipients: {
        address: string;
        state: "pending" | "sending" | "sent" | "failed" | "unknown" | "bounced";
        error: string | null;
      }[];
      /** UTC, second precision. */
      updated_at: string;
    } | null;
    /** UTC, second precision. */
    created_at: string;
    /** UTC, second precision. */
    updated_at: string;
  } | null> };
  /** Get the whole mail behind a message. Scope: `messages:read`. */
  "GET /conversations/{conversation}/messages/{message}/email": { kind: "query"; call: (conversation: Id, message: Id, query?: GetMailQuery, options?: RequestOptions) => Promise<WholeMail> };
  /** List widgets. Scope: `widgets:manage`. */
  "GET /widgets": { kind: "list"; call: (query?: ListWidgetsQuery, options?: RequestOptions) => List<Widget> };
  /** Create a widget. Scope: `widgets:manage`. */
  "POST /widgets": { kind: "body"; call: (body: CreateWidgetBody, options?: RequestOptions) => Promise<WidgetWithSecret> };
  /** Get a widget. Scope: `widgets:manage`. */
  "GET /widgets/{widget}": { kind: "none"; call: (widget: Id, options?: RequestOptions) => Promise<Widget> };
  /** Change a widget. Scope: `widgets:manage`. */
  "PATCH /widgets/{widget}": { kind: "body"; call: (widget: Id, body?: UpdateWidgetBody, options?: RequestOptions) => Promise<Widget> };
  /** Delete a widget. Scope: `widgets:manage`. */
  "DELETE /widgets/{widget}": { kind: "none"; call: (widget: Id, options?: RequestOptions) => Promise<Widget> };
  /** Read the identity secret. Scope: `widgets:manage`. */
  "GET /widgets/{widget}/secret": { kind: "none"; call: (widget: Id, options?: RequestOptions) => Promise<{
    secret: string;
  }> };
  /** Rotate the identity secret of a widget. Scope: `widgets:manage`. */
  "POST /widgets/{widget}/rotate-secret": { kind: "body"; call: (widget: Id, body?: RotateWidgetSecretBody, options?: RequestOptions) => Promise<WidgetWithSecret> };
}
