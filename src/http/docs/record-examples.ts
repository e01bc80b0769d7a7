import { EVENT_CATALOGUE } from "../../events/catalogue.ts";
import * as example from "../../events/examples.ts";

/** What the records of the API look like, by the title of their schema. The reference and `openapi.json` show them. */

const at = "2026-07-14T10:00:00+00:00";
const uuid = "01980a4e-7d00-7c3d-8e33-2c3d4e5f6071";
const grace = { type: "user", id: 3, name: "Grace Hopper" };

const event = {
  id: "evt_01980a4e7b107d05a3c74e1f2b6a9d80",
  type: "message.created",
  timestamp: at,
  data: example.message,
  actor: { type: "contact", id: 7, name: "Ada Lovelace" },
};

const attempt = {
  id: 81,
  attempt: 1,
  status: "success",
  response_code: 200,
  response_time_ms: 86,
  error_message: null,
  created_at: at,
};

const delivery = {
  webhook_id: 4,
  webhook_name: "Order service",
  status: "delivered",
  attempts: 1,
  last_attempt_at: at,
  last_response_code: 200,
  last_error: null,
  next_attempt_at: null,
  log: [attempt],
};

const webhook = { ...example.webhook, is_active: true, disabled_reason: null };

const log = {
  ...attempt,
  uuid,
  event_id: event.id,
  event_type: event.type,
  delivery_id: 64,
  next_attempt_at: null,
};

const health = {
  pending: 0,
  oldest_pending_at: null,
  breaker: "closed",
  breaker_until: null,
  failing_since: null,
  attempts_24h: 120,
  delivered_24h: 118,
  failed_24h: 2,
};

export const RECORD_EXAMPLES: Record<string, object> = {
  ApiKey: example.apiKey,
  ApiKeyWithSecret: { ...example.apiKey, key: "parley_limited_…" },
  AuditLog: {
    id: 51,
    uuid,
    action: "api_key.created",
    actor: grace,
    resource: { type: "api_key", id: 2 },
    ip: "203.0.113.7",
    request_id: "5f0f2a3e-2f0c-4f6e-9a57-1c2d3e4f5a6b",
    changes: { name: "Order service" },
    created_at: at,
  },
  BulkResult: { updated: [42], failed: [] },
  Contact: example.contact,
  Conversation: example.conversation,
  ConversationCounts: {
    by_status: { open: 12, pending: 3, snoozed: 2, resolved: 140 },
    unassigned: 4,
    waiting: 5,
  },
  CursorMeta: { next_cursor: "AQAAAAAAAAAqZsT1Zp0m", has_more: false },
  DeliveryLog: log,
  DeliveryLogDetail: {
    ...log,
    request: {
      method: "POST",
      url: webhook.url,
      headers: [{ key: "webhook-id", value: event.id }],
      body: JSON.stringify({ id: event.id, type: event.type, timestamp: at }),
    },
    response: { headers: [{ key: "content-type", value: "text/plain" }], body: "ok", body_truncated: false },
    address: "203.0.113.20",
    timings: { dns_ms: 3.1, connect_ms: 12.4, tls_ms: 21.7, first_byte_ms: 84.9, total_ms: 86.2 },
  },
  Draft: example.draft,
  Event: event,
  EventType: {
    name: event.type,
    description: EVENT_CATALOGUE["message.created"].about,
    schema: { type: "object" },
    example: event,
  },
  EventWithDeliveries: { ...event, deliveries: [delivery] },
  Label: { name: "orders", count: 12 },
  Me: {
    api_key: example.apiKey,
    scopes: example.apiKey.abilities,
    workspace: { id: 1, uuid, name: "Default" },
  },
  Member: { id: 3, uuid, name: "Grace Hopper", role: "agent" },
  Message: example.message,
  OpenedConversation: { ...example.conversation, message: example.message },
  PageMeta: { pagination: { total: 1, per_page: 25, current_page: 1, last_page: 1, from: 1, to: 1 } },
  SavedReply: {
    id: 6,
    uuid,
    name: "Shipping time",
    shortcut: "shipping",
    body: "Hello {{contact.name}}, it takes three days.",
    created_at: at,
    updated_at: at,
  },
  SearchHit: {
    type: "message",
    id: 31,
    conversation_id: 12,
    title: "Where is my order?",
    excerpt: "Hello, my parcel has not come yet.",
    highlights: [[10, 16]],
    created_at: at,
  },
  UploadedFile: {
    id: 9,
    uuid,
    name: "photo.png",
    content_type: "image/png",
    size_bytes: 48213,
    sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    url: `https://parley.example.com/files/${uuid}/photo.png?expires=1784109600&signature=…`,
    expires_at: "2026-07-15T10:00:00+00:00",
  },
  View: {
    id: 5,
    uuid,
    name: "Urgent, without assignee",
    shared: true,
    owner: grace,
    filters: { status: "open", assignee_id: "none", priority: "urgent" },
    sort: "last_activity",
    position: 0,
    created_at: at,
    updated_at: at,
  },
  Webhook: webhook,
  WebhookWithHealth: { ...webhook, health },
  WebhookWithSecret: { ...webhook, secret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD" },
  WebhookTestResult: { success: true, status_code: 200, response_time_ms: 86, error: null },
};
