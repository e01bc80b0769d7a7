/** The `data` of each example in the catalogue; a test holds each against its schema. */

const times = { created_at: "2026-07-14T10:00:00+00:00", updated_at: "2026-07-14T10:00:00+00:00" };

/** The time of a change, in examples of what was changed. */
export const later = "2026-07-14T10:05:00+00:00";

export const contact = {
  id: 7,
  uuid: "01980a4e-6f00-7c21-9d6c-3f2b8a51c0de",
  external_id: "customer-1042",
  name: "Ada Lovelace",
  email: "ada@example.com",
  phone: "+44 20 7946 0958",
  unverified_email: null,
  blocked: false,
  attributes: { plan: "pro" },
  ...times,
};

export const conversation = {
  id: 12,
  uuid: "01980a4e-7a10-7b4e-8a52-6d1f0c9be211",
  subject: "Where is my order?",
  status: "open",
  snoozed_until: null,
  priority: "high",
  channel: "api",
  widget_id: null,
  page: null,
  mailbox_id: null,
  contact,
  assignee: { id: 3, uuid: "01980a4e-0001-7aaa-8bbb-2c3d4e5f6071", name: "Grace Hopper" },
  labels: ["orders"],
  attributes: { order: 5521 },
  waiting_since: "2026-07-14T10:00:00+00:00",
  contact_read_seq: 0,
  last_message_at: "2026-07-14T10:00:00+00:00",
  last_message: {
    id: 31,
    seq: 1,
    direction: "in",
    private: false,
    sender: { type: "contact", id: 7, name: "Ada Lovelace" },
    body: "Hello, my parcel has not come yet.",
    created_at: "2026-07-14T10:00:00+00:00",
  },
  ...times,
};

export const message = {
  id: 31,
  uuid: "01980a4e-7b00-7f0e-9c11-5a7e2d90b3c4",
  conversation_id: 12,
  seq: 1,
  direction: "in",
  sender: { type: "contact", id: 7, name: "Ada Lovelace" },
  private: false,
  body: "Hello, my parcel has not come yet.",
  attachments: [
    {
      url: "https://files.example.com/r/5521.pdf",
      name: "receipt.pdf",
      content_type: "application/pdf",
      size_bytes: 48213,
    },
  ],
  mentions: [] as number[],
  email: null,
  quoted: null,
  delivery: null,
  ...times,
};

export const sentMail = {
  ...message,
  id: 32,
  uuid: "01980a4e-7b80-7d11-8e22-6b8f3ea1c4d5",
  seq: 2,
  direction: "out",
  sender: { type: "user", id: 3, name: "Grace Hopper" },
  body: "It arrives tomorrow.",
  attachments: [],
  email: {
    message_id: "5f1c.p7a2@shop.example",
    subject: "Re: Where is my order?",
    from: { name: "Shop support", address: "support@shop.example" },
    to: [{ name: "Ada Lovelace", address: "ada@example.com" }],
    cc: [],
    reply_to: [],
    date: "2026-07-14T10:00:00+00:00",
    in_reply_to: "8d2e@example.com",
    references: ["8d2e@example.com"],
    automatic: false,
    outside_sender: false,
    authentication: null,
    has_html: true,
    parse_error: null,
    truncated: false,
    raw_url: "https://chat.example.com/files/01980a4e-7b81-7d11-8e22-6b8f3ea1c4d5/message.eml",
  },
  delivery: {
    state: "sent",
    attempts: 1,
    next_attempt_at: null,
    error: null,
    recipients: [{ address: "ada@example.com", state: "sent", error: null }],
    updated_at: later,
  },
};

export const mention = {
  id: conversation.id,
  conversation,
  message: {
    ...message,
    id: 32,
    seq: 2,
    direction: "out",
    sender: { type: "user", id: 5, name: "Alan Turing" },
    private: true,
    body: "@Grace Hopper Do you know this order?",
    attachments: [],
    mentions: [3],
  },
  members: [{ id: 3, uuid: "01980a4e-7c00-7a1b-8e33-2c3d4e5f6071", name: "Grace Hopper" }],
};

export const draft = {
  id: 5,
  uuid: "01980a4e-7c00-7a3b-8d22-1b2c3d4e5f60",
  conversation_id: 12,
  author: { type: "bot", id: 9, name: "Reply bot" },
  body: "It arrives tomorrow.",
  private: false,
  attachments: [],
  ...times,
};

export const apiKey = {
  id: 2,
  uuid: "01980a4d-1111-7222-8333-444455556666",
  name: "Order service",
  description: "Writes messages about orders.",
  type: "limited",
  abilities: ["conversations:read", "messages:write"],
  rate_limit_tier: "standard",
  is_active: true,
  last_used_at: null,
  created_at: "2026-07-14T10:00:00+00:00",
  rotated_at: null,
  expires_at: null,
  allowed_ips: [],
  revoked_at: null,
  secret_prefix: "parley_limited_",
  last_four: "k7Qz",
  old_secret_expires_at: null,
  created_by: { type: "user", id: 3, name: "Grace Hopper" },
};

export const rotatedApiKey = {
  ...apiKey,
  last_four: "X2mD",
  rotated_at: later,
  old_secret_expires_at: "2026-07-14T11:05:00+00:00",
};

export const revokedApiKey = { ...apiKey, is_active: false, revoked_at: later };

export const webhook = {
  id: 4,
  uuid: "01980a4d-aaaa-7bbb-8ccc-ddddeeeeffff",
  name: "Order service",
  url: "https://orders.example.com/hooks/parley",
  events: ["message.*"],
  headers: [],
  retry_count: 10,
  timeout_seconds: 15,
  skip_own_events: false,
  ordered: false,
  filter: null,
  template: null,
  rate_limit: null,
  is_active: false,
  disabled_reason: "The destination responded with 410 Gone.",
  ...times,
};

export const test = { webhook_id: 4, message: "This is a test of your webhook." };
