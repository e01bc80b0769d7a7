// Generated from openapi.json by `npm run generate`; not edited by hand.
import type { List } from "./paging.ts";
import type { RequestOptions } from "./transport.ts";

export interface ApiKey {
  id: number;
  uuid: string;
  name: string;
  description: string;
  type: "full" | "limited" | "webhook" | "bot";
  abilities: string[];
  rate_limit_tier: string;
  is_active: boolean;
  last_used_at: string | null;
  created_at: string;
  rotated_at: string | null;
  expires_at: string | null;
  allowed_ips: string[];
  revoked_at: string | null;
  secret_prefix: string | null;
  last_four: string | null;
  old_secret_expires_at: string | null;
  created_by: {
    type: "user" | "api_key" | "bot" | "system";
    id: number | null;
    name: string | null;
  } | null;
}

export interface Me {
  api_key?: ApiKey;
  user?: {
    id: number;
    uuid: string;
    name: string;
    email: string;
    role: "owner" | "admin" | "agent";
  };
  scopes: ("api-keys:manage" | "webhooks:manage" | "widgets:manage" | "conversations:read" | "conversations:write" | "messages:read" | "messages:write" | "drafts:read" | "drafts:write" | "contacts:read" | "contacts:write" | "mailboxes:manage" | "mailboxes:ingest" | "events:read" | "consumers:manage" | "audit:read")[];
  workspace: {
    id: number;
    uuid: string;
    name: string;
  };
}

export interface Warning {
  field: string;
  message: string;
}

export interface PageMeta {
  pagination: {
    total: number;
    total_is_lower_bound?: true;
    per_page: number;
    current_page: number;
    last_page: number;
    from: number;
    to: number;
  };
}

export interface ListCursorMeta {
  next_cursor: string | null;
  has_more: boolean;
}

export interface PageLinks {
  first: string;
  last: string | null;
  prev: string | null;
  next: string | null;
}

export interface ApiKeyWithSecret {
  id: number;
  uuid: string;
  name: string;
  description: string;
  type: "full" | "limited" | "webhook" | "bot";
  abilities: string[];
  rate_limit_tier: string;
  is_active: boolean;
  last_used_at: string | null;
  created_at: string;
  rotated_at: string | null;
  expires_at: string | null;
  allowed_ips: string[];
  revoked_at: string | null;
  secret_prefix: string | null;
  last_four: string | null;
  old_secret_expires_at: string | null;
  created_by: {
    type: "user" | "api_key" | "bot" | "system";
    id: number | null;
    name: string | null;
  } | null;
  key: string;
}

export interface AuditLog {
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
    id: number;
  };
  ip: string | null;
  request_id: string | null;
  changes: Record<string, unknown>;
  created_at: string;
}

export interface Contact {
  id: number;
  uuid: string;
  external_id: string | null;
  name: string | null;
  email: string | null;
  phone: string | null;
  unverified_email: string | null;
  blocked: boolean;
  attributes: Record<string, unknown>;
  created_at: string;
  updated_at: string;
}

export interface ConversationContact {
  id: number;
  uuid: string;
  external_id?: string | null;
  name?: string | null;
  email?: string | null;
  phone?: string | null;
  unverified_email?: string | null;
  blocked?: boolean;
  attributes?: Record<string, unknown>;
  created_at?: string;
  updated_at?: string;
}

export interface Conversation {
  id: number;
  uuid: string;
  subject: string | null;
  status: "open" | "pending" | "snoozed" | "resolved";
  snoozed_until: string | null;
  priority: "low" | "medium" | "high" | "urgent" | null;
  channel: "api" | "widget" | "email";
  widget_id: number | null;
  page: {
    url: string;
    browser: string | null;
  } | null;
  mailbox_id: number | null;
  contact: ConversationContact;
  assignee: {
    id: number;
    uuid: string;
    name: string;
  } | null;
  labels: string[];
  attributes: Record<string, unknown>;
  waiting_since: string | null;
  contact_read_seq: number;
  last_message_at: string | null;
  last_message: {
    id: number;
    seq: number;
    direction: "in" | "out";
    private: boolean;
    sender: {
      type: "contact" | "user" | "api_key" | "bot" | "system";
      id: number | null;
      name: string | null;
    };
    body: string;
    created_at: string;
  } | null;
  unread_count?: number;
  created_at: string;
  updated_at: string;
}

export interface Attachment {
  file_id?: number;
  url: string;
  name: string | null;
  content_type: string | null;
  size_bytes: number | null;
  inline?: boolean;
}

export interface MailAddress {
  name: string | null;
  address: string;
}

export interface Message {
  id: number;
  uuid: string;
  conversation_id: number;
  seq: number;
  direction: "in" | "out";
  sender: {
    type: "contact" | "user" | "api_key" | "bot" | "system";
    id: number | null;
    name: string | null;
  };
  private: boolean;
  body: string;
  attachments: Attachment[];
  draft?: {
    id: number;
    author: {
      type: "contact" | "user" | "api_key" | "bot" | "system";
      id: number | null;
      name: string | null;
    };
  };
  mentions: number[];
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
    automatic: boolean;
    outside_sender: boolean;
    authentication: {
      spf: string | null;
      dkim: string | null;
      dmarc: string | null;
    } | null;
    has_html: boolean;
    parse_error: string | null;
    truncated: boolean;
    raw_url: string;
  } | null;
  quoted: string | null;
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
    updated_at: string;
  } | null;
  created_at: string;
  updated_at: string;
}

export interface OpenedConversation {
  id: number;
  uuid: string;
  subject: string | null;
  status: "open" | "pending" | "snoozed" | "resolved";
  snoozed_until: string | null;
  priority: "low" | "medium" | "high" | "urgent" | null;
  channel: "api" | "widget" | "email";
  widget_id: number | null;
  page: {
    url: string;
    browser: string | null;
  } | null;
  mailbox_id: number | null;
  contact: ConversationContact;
  assignee: {
    id: number;
    uuid: string;
    name: string;
  } | null;
  labels: string[];
  attributes: Record<string, unknown>;
  waiting_since: string | null;
  contact_read_seq: number;
  last_message_at: string | null;
  last_message: {
    id: number;
    seq: number;
    direction: "in" | "out";
    private: boolean;
    sender: {
      type: "contact" | "user" | "api_key" | "bot" | "system";
      id: number | null;
      name: string | null;
    };
    body: string;
    created_at: string;
  } | null;
  unread_count?: number;
  created_at: string;
  updated_at: string;
  message?: Message;
}

export interface ConversationCounts {
  by_status: {
    open: number;
    pending: number;
    snoozed: number;
    resolved: number;
  };
  mine?: number;
  unassigned: number;
  waiting: number;
  unread?: number;
  mentioned?: number;
}

export interface Label {
  name: string;
  count: number;
}

export interface Member {
  id: number;
  uuid: string;
  name: string;
  role: string;
  email?: string;
}

export interface BulkResult {
  updated: number[];
  failed: {
    id: number | string;
    code: string;
    message: string;
  }[];
}

export interface Draft {
  id: number;
  uuid: string;
  conversation_id: number;
  author: {
    type: "contact" | "user" | "api_key" | "bot" | "system";
    id: number | null;
    name: string | null;
  };
  body: string;
  private: boolean;
  attachments: Attachment[];
  created_at: string;
  updated_at: string;
}

export interface UploadedFile {
  id: number;
  uuid: string;
  name: string;
  content_type: string;
  size_bytes: number;
  sha256: string;
  url: string;
  expires_at: string;
}

export interface SearchHit {
  type: "conversation" | "message" | "contact";
  id: number;
  conversation_id?: number;
  contact_id?: number;
  title: string;
  excerpt: string;
  highlights: number[][];
  created_at: string;
}

export interface SavedReply {
  id: number;
  uuid: string;
  name: string;
  shortcut: string | null;
  body: string;
  created_at: string;
  updated_at: string;
}

export interface ViewOwner {
  type: "user" | "api_key" | "bot";
  id: number;
  name: string | null;
}

export interface View {
  id: number;
  uuid: string;
  name: string;
  shared: boolean;
  owner: ViewOwner;
  filters: Record<string, unknown>;
  sort: "created" | "last_activity";
  position: number;
  created_at: string;
  updated_at: string;
}

export interface EventActor {
  type: "contact" | "user" | "api_key" | "bot" | "system";
  id: number | null;
  name: string | null;
}

export type Event = ConversationCreatedEvent | ConversationUpdatedEvent | ConversationAssignedEvent | ConversationStatusChangedEvent | ConversationMentionedEvent | ConversationDeletedEvent | MessageCreatedEvent | MessageUpdatedEvent | MessageDeletedEvent | MessageDeliveryChangedEvent | DraftCreatedEvent | DraftUpdatedEvent | DraftDeletedEvent | ContactCreatedEvent | ContactUpdatedEvent | ContactDeletedEvent | ApiKeyCreatedEvent | ApiKeyRotatedEvent | ApiKeyRevokedEvent | WebhookDisabledEvent | WebhookTestEvent;

export interface CursorMeta {
  next_cursor: string;
  has_more: boolean;
}

export interface EventAttempt {
  id: number;
  attempt: number;
  status: "success" | "failed";
  response_code: number;
  response_time_ms: number;
  error_message: string | null;
  created_at: string;
}

export interface EventDelivery {
  webhook_id: number;
  webhook_name: string | null;
  status: "pending" | "delivered" | "failed" | "canceled";
  attempts: number;
  last_attempt_at: string | null;
  last_response_code: number | null;
  last_error: string | null;
  next_attempt_at: string | null;
  log: EventAttempt[];
}

export interface EventWithDeliveries {
  id: string;
  type: "conversation.created" | "conversation.updated" | "conversation.assigned" | "conversation.status_changed" | "conversation.mentioned" | "conversation.deleted" | "message.created" | "message.updated" | "message.deleted" | "message.delivery_changed" | "draft.created" | "draft.updated" | "draft.deleted" | "contact.created" | "contact.updated" | "contact.deleted" | "api_key.created" | "api_key.rotated" | "api_key.revoked" | "webhook.disabled" | "webhook.test";
  timestamp: string;
  data: Record<string, unknown>;
  actor: EventActor;
  deliveries: EventDelivery[];
}

export interface EventType {
  name: "conversation.created" | "conversation.updated" | "conversation.assigned" | "conversation.status_changed" | "conversation.mentioned" | "conversation.deleted" | "message.created" | "message.updated" | "message.deleted" | "message.delivery_changed" | "draft.created" | "draft.updated" | "draft.deleted" | "contact.created" | "contact.updated" | "contact.deleted" | "api_key.created" | "api_key.rotated" | "api_key.revoked" | "webhook.disabled" | "webhook.test";
  description: string;
  schema: Record<string, unknown>;
  example: Event;
}

export interface ConsumerLag {
  events: number;
  complete: boolean;
  oldest_at: string | null;
}

export interface Consumer {
  name: string;
  types: string[] | null;
  filter: Record<string, unknown> | null;
  cursor: string;
  lag: ConsumerLag;
  missed: boolean;
  last_read_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface WebhookPreview {
  matched: number;
  examined: number;
  complete: boolean;
  examples: {
    event: Event;
    body: unknown;
    error?: string;
  }[];
}

export interface Webhook {
  id: number;
  uuid: string;
  name: string;
  url: string;
  events: string[];
  headers: {
    key: string;
    value: string;
  }[];
  retry_count: number;
  timeout_seconds: number;
  skip_own_events: boolean;
  ordered: boolean;
  filter: Record<string, unknown> | null;
  template: unknown;
  rate_limit: number | null;
  is_active: boolean;
  disabled_reason: string | null;
  created_at: string;
  updated_at: string;
}

export interface WebhookWithSecret {
  id: number;
  uuid: string;
  name: string;
  url: string;
  events: string[];
  headers: {
    key: string;
    value: string;
  }[];
  retry_count: number;
  timeout_seconds: number;
  skip_own_events: boolean;
  ordered: boolean;
  filter: Record<string, unknown> | null;
  template: unknown;
  rate_limit: number | null;
  is_active: boolean;
  disabled_reason: string | null;
  created_at: string;
  updated_at: string;
  secret: string;
}

export interface WebhookHealth {
  pending: number;
  oldest_pending_at: string | null;
  breaker: "closed" | "open" | "half_open";
  breaker_until: string | null;
  failing_since: string | null;
  attempts_24h: number;
  delivered_24h: number;
  failed_24h: number;
}

export interface WebhookWithHealth {
  id: number;
  uuid: string;
  name: string;
  url: string;
  events: string[];
  headers: {
    key: string;
    value: string;
  }[];
  retry_count: number;
  timeout_seconds: number;
  skip_own_events: boolean;
  ordered: boolean;
  filter: Record<string, unknown> | null;
  template: unknown;
  rate_limit: number | null;
  is_active: boolean;
  disabled_reason: string | null;
  created_at: string;
  updated_at: string;
  health: WebhookHealth;
}

export interface WebhookTestResult {
  success: boolean;
  status_code: number;
  response_time_ms: number;
  error: string | null;
}

export interface DeliveryLog {
  id: number;
  uuid: string;
  event_id: string;
  event_type: string;
  status: "success" | "failed";
  response_code: number;
  response_time_ms: number;
  attempt: number;
  error_message: string | null;
  delivery_id: number;
  next_attempt_at: string | null;
  created_at: string;
}

export interface DeliveryLogDetail {
  id: number;
  uuid: string;
  event_id: string;
  event_type: string;
  status: "success" | "failed";
  response_code: number;
  response_time_ms: number;
  attempt: number;
  error_message: string | null;
  delivery_id: number;
  next_attempt_at: string | null;
  created_at: string;
  request: {
    method: string;
    url: string;
    headers: {
      key: string;
      value: string;
    }[];
    body: string | null;
  };
  response: {
    headers: {
      key: string;
      value: string;
    }[];
    body: string;
    body_truncated: boolean;
  };
  address: string | null;
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
  import: {
    total: number;
    done: number;
  } | null;
}

export interface Mailbox {
  id: number;
  uuid: string;
  name: string;
  address: string;
  from_name: string | null;
  inbound: {
    type: "imap" | "smtp" | "http";
    host?: string;
    port?: number;
    security?: "tls" | "starttls" | "none";
    oauth?: MailboxOauth;
    user?: string;
    folder?: string;
    since?: string | null;
    after_import?: string | {
      move_to?: string;
    } | null;
  } | null;
  outbound: {
    host: string;
    port: number;
    security: "tls" | "starttls" | "none";
    oauth?: MailboxOauth;
    user: string | null;
  } | null;
  dkim: {
    domain: string;
    selector: string;
  } | null;
  authserv_id: string | null;
  signature: string;
  own_lists: string[];
  status: MailboxStatus;
  created_at: string;
  updated_at: string;
}

export interface MailboxCheck {
  inbound: {
    ok: boolean;
    error: string | null;
    steps: string[];
  };
  outbound: {
    ok: boolean;
    error: string | null;
    steps: string[];
  };
  dns: {
    spf: {
      ok: boolean;
      found: string | null;
      expected: string | null;
    };
    dkim: {
      ok: boolean;
      found: string | null;
      expected: string | null;
    };
    dmarc: {
      ok: boolean;
      found: string | null;
      expected: string | null;
    };
    mx: {
      ok: boolean;
      found: string | null;
      expected: string | null;
    };
  };
}

export interface WidgetTexts {
  title?: string;
  greeting?: string;
  launcher?: string;
  placeholder?: string;
}

export interface Widget {
  id: number;
  uuid: string;
  public_id: string;
  name: string;
  is_active: boolean;
  allowed_origins: string[];
  require_identity: boolean;
  color: string;
  position: "left" | "right";
  texts: Record<string, unknown>;
  ask_name: "no" | "optional" | "required";
  ask_email: "no" | "optional" | "required";
  collect_page: boolean;
  mailbox_id: number | null;
  created_at: string;
  updated_at: string;
}

export interface WidgetWithSecret {
  id: number;
  uuid: string;
  public_id: string;
  name: string;
  is_active: boolean;
  allowed_origins: string[];
  require_identity: boolean;
  color: string;
  position: "left" | "right";
  texts: Record<string, unknown>;
  ask_name: "no" | "optional" | "required";
  ask_email: "no" | "optional" | "required";
  collect_page: boolean;
  mailbox_id: number | null;
  created_at: string;
  updated_at: string;
  secret: string;
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
  automatic: boolean;
  outside_sender: boolean;
  authentication: {
    spf: string | null;
    dkim: string | null;
    dmarc: string | null;
  } | null;
  has_html: boolean;
  parse_error: string | null;
  truncated: boolean;
  raw_url: string;
  headers: {
    name: string;
    value: string;
  }[];
  text: string;
  html: string | null;
}

export interface Error {
  success: false;
  error: {
    code: string;
    message: string;
    details?: Record<string, unknown>;
    retry_after?: number;
    request_id?: string;
  };
}

export interface ConversationCreatedEvent {
  id: string;
  type: "conversation.created";
  timestamp: string;
  data: Conversation;
  actor: EventActor;
}

export interface ConversationUpdatedEvent {
  id: string;
  type: "conversation.updated";
  timestamp: string;
  data: Conversation;
  actor: EventActor;
}

export interface ConversationAssignedEvent {
  id: string;
  type: "conversation.assigned";
  timestamp: string;
  data: Conversation;
  actor: EventActor;
}

export interface ConversationStatusChangedEvent {
  id: string;
  type: "conversation.status_changed";
  timestamp: string;
  data: Conversation;
  actor: EventActor;
}

export interface Assignee {
  id: number;
  uuid: string;
  name: string;
}

export interface Mention {
  id: number;
  conversation: Conversation;
  message: Message;
  members: Assignee[];
}

export interface ConversationMentionedEvent {
  id: string;
  type: "conversation.mentioned";
  timestamp: string;
  data: Mention;
  actor: EventActor;
}

export interface ConversationDeletedEvent {
  id: string;
  type: "conversation.deleted";
  timestamp: string;
  data: Conversation;
  actor: EventActor;
}

export interface MessageCreatedEvent {
  id: string;
  type: "message.created";
  timestamp: string;
  data: Message;
  actor: EventActor;
}

export interface MessageUpdatedEvent {
  id: string;
  type: "message.updated";
  timestamp: string;
  data: Message;
  actor: EventActor;
}

export interface MessageDeletedEvent {
  id: string;
  type: "message.deleted";
  timestamp: string;
  data: Message;
  actor: EventActor;
}

export interface MessageDeliveryChangedEvent {
  id: string;
  type: "message.delivery_changed";
  timestamp: string;
  data: Message;
  actor: EventActor;
}

export interface DraftCreatedEvent {
  id: string;
  type: "draft.created";
  timestamp: string;
  data: Draft;
  actor: EventActor;
}

export interface DraftUpdatedEvent {
  id: string;
  type: "draft.updated";
  timestamp: string;
  data: Draft;
  actor: EventActor;
}

export interface DraftDeletedEvent {
  id: string;
  type: "draft.deleted";
  timestamp: string;
  data: Draft;
  actor: EventActor;
}

export interface ContactCreatedEvent {
  id: string;
  type: "contact.created";
  timestamp: string;
  data: Contact;
  actor: EventActor;
}

export interface ContactUpdatedEvent {
  id: string;
  type: "contact.updated";
  timestamp: string;
  data: Contact;
  actor: EventActor;
}

export interface ContactDeletedEvent {
  id: string;
  type: "contact.deleted";
  timestamp: string;
  data: Contact;
  actor: EventActor;
}

export interface ApiKeyCreatedEvent {
  id: string;
  type: "api_key.created";
  timestamp: string;
  data: ApiKey;
  actor: EventActor;
}

export interface ApiKeyRotatedEvent {
  id: string;
  type: "api_key.rotated";
  timestamp: string;
  data: ApiKey;
  actor: EventActor;
}

export interface ApiKeyRevokedEvent {
  id: string;
  type: "api_key.revoked";
  timestamp: string;
  data: ApiKey;
  actor: EventActor;
}

export interface WebhookDisabledEvent {
  id: string;
  type: "webhook.disabled";
  timestamp: string;
  data: Webhook;
  actor: EventActor;
}

export interface WebhookTest {
  webhook_id: number;
  message: string;
}

export interface WebhookTestEvent {
  id: string;
  type: "webhook.test";
  timestamp: string;
  data: WebhookTest;
  actor: EventActor;
}

export interface ListApiKeysQuery {
  type?: "full" | "limited" | "webhook" | "bot";
  is_active?: boolean;
  search?: string;
  page?: number;
  per_page?: number;
  up_to_id?: number;
  limit?: number;
  cursor?: string;
}

export interface CreateApiKeyBody {
  name: string;
  description?: string;
  type?: "full" | "limited" | "webhook" | "bot";
  abilities?: string[];
  rate_limit_tier?: string;
  expires_at?: string;
  allowed_ips?: string[];
}

export interface UpdateApiKeyBody {
  name?: string;
  description?: string;
  type?: "full" | "limited" | "webhook" | "bot";
  abilities?: string[];
  rate_limit_tier?: string;
  is_active?: boolean;
  expires_at?: string;
  allowed_ips?: string[];
}

export interface RotateApiKeyBody {
  overlap_seconds?: number;
}

export interface ListAuditLogsQuery {
  action?: "api_key.created" | "api_key.updated" | "api_key.paused" | "api_key.resumed" | "api_key.rotated" | "api_key.old_secret_revoked" | "api_key.revoked" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.enabled" | "webhook.disabled" | "webhook.secret_read" | "webhook.secret_rotated" | "mailbox.created" | "mailbox.updated" | "mailbox.deleted" | "mailbox.paused" | "mailbox.resumed" | "widget.created" | "widget.updated" | "widget.deleted" | "widget.secret_read" | "widget.secret_rotated" | "consumer.created" | "consumer.updated" | "consumer.reset" | "consumer.deleted" | "view.created" | "view.updated" | "view.deleted" | "contact.blocked" | "contact.unblocked" | "contact.sessions_ended" | "member.added" | "member.role_changed" | "member.removed" | "invitation.created" | "invitation.revoked" | "invitation.accepted" | "user.signed_in" | "user.sign_in_failed" | "user.signed_out" | "user.renamed" | "user.password_changed" | "user.password_check_failed" | "user.password_reset_requested" | "user.password_reset" | "user.two_factor_enabled" | "user.two_factor_disabled" | "user.recovery_codes_replaced" | "user.passkey_added" | "user.passkey_removed" | "user.sso_linked" | "user.sso_unlinked" | "user.notifications_changed" | "user.push_enabled" | "user.push_disabled" | "workspace.alert_settings_changed" | "workspace.created" | "workspace.inbox_settings_changed" | "workspace.renamed" | "workspace.updated";
  resource_type?: "api_key" | "webhook" | "widget" | "consumer" | "contact" | "user" | "invitation" | "workspace" | "mailbox" | "view";
  resource_id?: number;
  actor_id?: number;
  created_after?: string;
  created_before?: string;
  page?: number;
  per_page?: number;
  up_to_id?: number;
  limit?: number;
  cursor?: string;
}

export interface ListContactsQuery {
  external_id?: string;
  email?: string;
  search?: string;
  updated_since?: string;
  page?: number;
  per_page?: number;
  up_to_id?: number;
  limit?: number;
  cursor?: string;
}

export interface CreateContactBody {
  external_id?: string;
  name?: string;
  email?: string;
  phone?: string;
  attributes?: Record<string, unknown>;
}

export interface UpdateContactBody {
  external_id?: string;
  name?: string;
  email?: string;
  phone?: string;
  attributes?: Record<string, unknown>;
  blocked?: boolean | null;
}

export interface GetTranscriptQuery {
  notes?: boolean;
  time_zone?: string;
}

export interface ListConversationsQuery {
  status?: string;
  view?: string;
  sort?: "created" | "last_activity";
  channel?: "api" | "widget" | "email";
  priority?: "low" | "medium" | "high" | "urgent" | "none";
  contact_id?: string;
  assignee_id?: string;
  label?: string;
  waiting?: boolean;
  unread?: boolean;
  mentioned?: "me";
  text?: string;
  search?: string;
  updated_since?: string;
  page?: number;
  per_page?: number;
  up_to_id?: number;
  limit?: number;
  cursor?: string;
}

export interface CreateConversationBody {
  subject?: string;
  status?: "open" | "pending" | "snoozed" | "resolved";
  snoozed_until?: string;
  priority?: "low" | "medium" | "high" | "urgent" | "";
  channel?: "api" | "widget" | "email";
  assignee_id?: number | string;
  labels?: string[];
  attributes?: Record<string, unknown>;
  contact_id?: number | string;
  mailbox_id?: number | string;
  contact?: {
    external_id?: string | null;
    name?: string | null;
    email?: string | null;
    phone?: string | null;
    attributes?: Record<string, unknown> | null;
  };
  message?: {
    body?: string | null;
    private?: boolean | null;
    attachments?: {
      file_id?: number | string | null;
      url?: string | null;
      name?: string | null;
      content_type?: string | null;
      size_bytes?: number | null;
    }[] | null;
    direction?: "in" | "out" | null;
    email?: {
      to?: {
        address: string;
        name?: string | null;
      }[] | null;
      cc?: {
        address: string;
        name?: string | null;
      }[] | null;
      bcc?: {
        address: string;
        name?: string | null;
      }[] | null;
      subject?: string | null;
    } | null;
  };
}

export interface UpdateConversationBody {
  subject?: string;
  status?: "open" | "pending" | "snoozed" | "resolved";
  snoozed_until?: string;
  priority?: "low" | "medium" | "high" | "urgent" | "";
  channel?: "api" | "widget" | "email";
  assignee_id?: number | string;
  labels?: string[];
  attributes?: Record<string, unknown>;
  contact_id?: number | string;
}

export interface ListLabelsQuery {
  page?: number;
  per_page?: number;
  limit?: number;
  cursor?: string;
}

export interface ListMembersQuery {
  page?: number;
  per_page?: number;
  limit?: number;
  cursor?: string;
}

export interface ReadConversationBody {
  seq?: number;
}

export interface BulkConversationsBody {
  ids: (number | string)[];
  set: {
    status?: "open" | "pending" | "snoozed" | "resolved" | null;
    snoozed_until?: string | null;
    priority?: "low" | "medium" | "high" | "urgent" | "" | null;
    add_labels?: string[] | null;
    remove_labels?: string[] | null;
    assignee_id?: number | string | null;
  };
}

export interface ListMessagesQuery {
  direction?: "in" | "out";
  private?: boolean;
  search?: string;
  updated_since?: string;
  page?: number;
  per_page?: number;
  up_to_id?: number;
  limit?: number;
  cursor?: string;
}

export interface CreateMessageBody {
  body?: string;
  private?: boolean;
  attachments?: {
    file_id?: number | string | null;
    url?: string | null;
    name?: string | null;
    content_type?: string | null;
    size_bytes?: number | null;
  }[];
  direction?: "in" | "out";
  email?: {
    to?: {
      address: string;
      name?: string | null;
    }[] | null;
    cc?: {
      address: string;
      name?: string | null;
    }[] | null;
    bcc?: {
      address: string;
      name?: string | null;
    }[] | null;
    subject?: string | null;
  };
  mentions?: (number | string)[];
}

export interface UpdateMessageBody {
  body?: string;
  private?: boolean;
  attachments?: {
    file_id?: number | string | null;
    url?: string | null;
    name?: string | null;
    content_type?: string | null;
    size_bytes?: number | null;
  }[];
  direction?: "in" | "out";
  conversation_id?: number | string;
}

export interface ListDraftsQuery {
  page?: number;
  per_page?: number;
  limit?: number;
  cursor?: string;
}

export interface CreateDraftBody {
  body?: string;
  private?: boolean;
  attachments?: {
    file_id?: number | string | null;
    url?: string | null;
    name?: string | null;
    content_type?: string | null;
    size_bytes?: number | null;
  }[];
}

export interface UpdateDraftBody {
  body?: string;
  private?: boolean;
  attachments?: {
    file_id?: number | string | null;
    url?: string | null;
    name?: string | null;
    content_type?: string | null;
    size_bytes?: number | null;
  }[];
  conversation_id?: number | string;
}

export interface UploadFileQuery {
  name?: string;
}

export interface SearchQuery {
  q: string;
  type?: string;
  limit?: number;
}

export interface ListSavedRepliesQuery {
  search?: string;
  page?: number;
  per_page?: number;
  limit?: number;
  cursor?: string;
}

export interface CreateSavedReplyBody {
  name: string;
  shortcut?: string;
  body: string;
}

export interface UpdateSavedReplyBody {
  name?: string;
  shortcut?: string;
  body?: string;
}

export interface ListViewsQuery {
  page?: number;
  per_page?: number;
  limit?: number;
  cursor?: string;
}

export interface CreateViewBody {
  name: string;
  shared?: boolean | null;
  filters?: {
    status?: string | string[] | null;
    contact_id?: string | number | null;
    assignee_id?: string | number | null;
    updated_since?: string | null;
    channel?: "api" | "widget" | "email" | null;
    priority?: "low" | "medium" | "high" | "urgent" | "none" | null;
    label?: string | null;
    waiting?: boolean | null;
    unread?: boolean | null;
    mentioned?: "me" | null;
    text?: string | null;
    search?: string | null;
  } | null;
  sort?: "created" | "last_activity" | null;
  position?: number | null;
}

export interface UpdateViewBody {
  name?: string;
  shared?: boolean | null;
  filters?: {
    status?: string | string[] | null;
    contact_id?: string | number | null;
    assignee_id?: string | number | null;
    updated_since?: string | null;
    channel?: "api" | "widget" | "email" | null;
    priority?: "low" | "medium" | "high" | "urgent" | "none" | null;
    label?: string | null;
    waiting?: boolean | null;
    unread?: boolean | null;
    mentioned?: "me" | null;
    text?: string | null;
    search?: string | null;
  } | null;
  sort?: "created" | "last_activity" | null;
  position?: number | null;
}

export interface ListEventsQuery {
  type?: string;
  event_type?: string;
  cursor?: string;
  order?: "asc" | "desc";
  limit?: number;
  per_page?: number;
  created_after?: string;
  created_before?: string;
  conversation_id?: number;
  actor_type?: "contact" | "user" | "api_key" | "bot" | "system";
  actor_id?: number;
  delivery_state?: "pending" | "failed";
}

export interface StreamEventsQuery {
  type?: string;
  event_type?: string;
  cursor?: string;
}

export interface ListConsumersQuery {
  page?: number;
  per_page?: number;
  limit?: number;
  cursor?: string;
}

export interface PutConsumerBody {
  types?: string[] | null;
  filter?: Record<string, unknown> | null;
  start?: string;
}

export interface ResetConsumerBody {
  start: string;
}

export interface ReadConsumerEventsQuery {
  limit?: number;
  wait?: number;
}

export interface AcknowledgeConsumerEventsBody {
  cursor: string;
}

export interface PreviewWebhookBody {
  events: string[];
  filter?: Record<string, unknown> | null;
  template?: unknown;
  since?: string;
  limit?: number;
}

export interface ListWebhooksQuery {
  is_active?: boolean;
  search?: string;
  page?: number;
  per_page?: number;
  up_to_id?: number;
  limit?: number;
  cursor?: string;
}

export interface CreateWebhookBody {
  name: string;
  url: string;
  events: string[];
  headers?: unknown;
  retry_count?: number;
  timeout_seconds?: number;
  skip_own_events?: boolean;
  ordered?: boolean;
  filter?: Record<string, unknown> | null;
  template?: unknown;
  rate_limit?: number | null;
}

export interface UpdateWebhookBody {
  name?: string;
  url?: string;
  events?: string[];
  headers?: unknown;
  retry_count?: number;
  timeout_seconds?: number;
  skip_own_events?: boolean;
  ordered?: boolean;
  filter?: Record<string, unknown> | null;
  template?: unknown;
  rate_limit?: number | null;
  is_active?: boolean;
}

export interface DisableWebhookBody {
  reason?: string;
}

export interface RotateWebhookSecretBody {
  overlap_seconds?: number;
}

export interface TestWebhookQuery {
  event_type?: string;
}

export interface ListWebhookLogsQuery {
  status?: "success" | "failed";
  type?: string;
  event_type?: string;
  created_after?: string;
  created_before?: string;
  page?: number;
  per_page?: number;
  up_to_id?: number;
  limit?: number;
  cursor?: string;
}

export interface RecoverWebhookBody {
  since: string;
  dry_run?: boolean;
}

export interface ListMailboxesQuery {
  page?: number;
  per_page?: number;
  up_to_id?: number;
  limit?: number;
  cursor?: string;
}

export interface CreateMailboxBody {
  name: string;
  address: string;
  from_name?: string | null;
  inbound?: {
    type: "imap" | "smtp" | "http";
    host?: string;
    port?: number;
    security?: "tls" | "starttls" | "none";
    user?: string | null;
    password?: string;
    oauth?: {
      token_url: string;
      client_id: string;
      client_secret?: string | null;
      refresh_token?: string;
      scope?: string | null;
    };
    folder?: string | null;
    since?: string | null;
    after_import?: string | {
      move_to?: string;
    } | null;
  } | null;
  outbound?: {
    host?: string;
    port?: number;
    security?: "tls" | "starttls" | "none";
    user?: string | null;
    password?: string;
    oauth?: {
      token_url: string;
      client_id: string;
      client_secret?: string | null;
      refresh_token?: string;
      scope?: string | null;
    };
  } | null;
  dkim?: {
    domain: string;
    selector: string;
    private_key?: string;
  } | null;
  authserv_id?: string | null;
  signature?: string | null;
  own_lists?: string[] | null;
}

export interface UpdateMailboxBody {
  name?: string;
  address?: string;
  from_name?: string | null;
  inbound?: {
    type: "imap" | "smtp" | "http";
    host?: string;
    port?: number;
    security?: "tls" | "starttls" | "none";
    user?: string | null;
    password?: string;
    oauth?: {
      token_url: string;
      client_id: string;
      client_secret?: string | null;
      refresh_token?: string;
      scope?: string | null;
    };
    folder?: string | null;
    since?: string | null;
    after_import?: string | {
      move_to?: string;
    } | null;
  } | null;
  outbound?: {
    host?: string;
    port?: number;
    security?: "tls" | "starttls" | "none";
    user?: string | null;
    password?: string;
    oauth?: {
      token_url: string;
      client_id: string;
      client_secret?: string | null;
      refresh_token?: string;
      scope?: string | null;
    };
  } | null;
  dkim?: {
    domain: string;
    selector: string;
    private_key?: string;
  } | null;
  authserv_id?: string | null;
  signature?: string | null;
  own_lists?: string[] | null;
}

export interface ListWidgetsQuery {
  is_active?: boolean;
  page?: number;
  per_page?: number;
  up_to_id?: number;
  limit?: number;
  cursor?: string;
}

export interface CreateWidgetBody {
  name: string;
  is_active?: boolean | null;
  allowed_origins: string[];
  require_identity?: boolean | null;
  color?: string | null;
  position?: "left" | "right" | null;
  texts?: Record<string, unknown> | null;
  ask_name?: "no" | "optional" | "required" | null;
  ask_email?: "no" | "optional" | "required" | null;
  collect_page?: boolean | null;
  mailbox_id?: number | string | null;
}

export interface UpdateWidgetBody {
  name?: string;
  is_active?: boolean | null;
  allowed_origins?: string[];
  require_identity?: boolean | null;
  color?: string | null;
  position?: "left" | "right" | null;
  texts?: Record<string, unknown> | null;
  ask_name?: "no" | "optional" | "required" | null;
  ask_email?: "no" | "optional" | "required" | null;
  collect_page?: boolean | null;
  mailbox_id?: number | string | null;
}

export interface RotateWidgetSecretBody {
  overlap_seconds?: number | null;
}

export interface GetMailQuery {
  images?: boolean;
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
  /** Mark a conversation as read. Scope: `conversations:read`. */
  "POST /conversations/{conversation}/read": { kind: "body"; call: (conversation: Id, body?: ReadConversationBody, options?: RequestOptions) => Promise<Conversation> };
  /** Mark a conversation as unread. Scope: `conversations:read`. */
  "POST /conversations/{conversation}/unread": { kind: "none"; call: (conversation: Id, options?: RequestOptions) => Promise<Conversation> };
  /** Change several conversations. Scope: `conversations:write`. */
  "POST /conversations/bulk": { kind: "body"; call: (body: BulkConversationsBody, options?: RequestOptions) => Promise<BulkResult> };
  /** List the messages of a conversation. Scope: `messages:read`. */
  "GET /conversations/{conversation}/messages": { kind: "list"; call: (conversation: Id, query?: ListMessagesQuery, options?: RequestOptions) => List<Message> };
  /** Write a message. Scope: `messages:write`. */
  "POST /conversations/{conversation}/messages": { kind: "body"; call: (conversation: Id, body?: CreateMessageBody, options?: RequestOptions) => Promise<Message> };
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
  "POST /conversations/{conversation}/drafts": { kind: "body"; call: (conversation: Id, body?: CreateDraftBody, options?: RequestOptions) => Promise<Draft> };
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
    delivery_id: number;
  }> };
  /** Send every missed event again. Scope: `webhooks:manage`. */
  "POST /webhooks/{webhook}/recover": { kind: "body"; call: (webhook: Id, body: RecoverWebhookBody, options?: RequestOptions) => Promise<{
    events: number;
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
  /** Hand a mail over. Scope: `mailboxes:ingest`. */
  "POST /mailboxes/{mailbox}/messages": { kind: "custom"; call: (mailbox: Id, options?: RequestOptions) => Promise<{
    id: number;
    uuid: string;
    conversation_id: number;
    seq: number;
    direction: "in" | "out";
    sender: {
      type: "contact" | "user" | "api_key" | "bot" | "system";
      id: number | null;
      name: string | null;
    };
    private: boolean;
    body: string;
    attachments: Attachment[];
    draft?: {
      id: number;
      author: {
        type: "contact" | "user" | "api_key" | "bot" | "system";
        id: number | null;
        name: string | null;
      };
    };
    mentions: number[];
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
      automatic: boolean;
      outside_sender: boolean;
      authentication: {
        spf: string | null;
        dkim: string | null;
        dmarc: string | null;
      } | null;
      has_html: boolean;
      parse_error: string | null;
      truncated: boolean;
      raw_url: string;
    } | null;
    quoted: string | null;
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
      updated_at: string;
    } | null;
    created_at: string;
    updated_at: string;
  } | null> };
  /** Get the whole mail behind a message. Scope: `messages:read`. */
  "GET /conversations/{conversation}/messages/{message}/email": { kind: "query"; call: (conversation: Id, message: Id, query?: GetMailQuery, options?: RequestOptions) => Promise<WholeMail> };
}
