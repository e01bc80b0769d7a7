import { setTimeout as sleep } from "node:timers/promises";
import type { Contact, Conversation, EventName, Parley } from "@parley/client";
import { suggestion } from "../core/suggest.ts";

/** What `--set` gives; every value is text and is read as the field needs it. */
export type Fields = Record<string, string>;

interface Trigger {
  /** What `--set` may name. */
  fields: readonly string[];
  run: (parley: Parley, fields: Fields) => Promise<object>;
}

/** Test data can be found, and deleted, by this label and attribute. */
const TEST_LABEL = "test";
const TEST_ATTRIBUTES = { created_by: "parley trigger" };

const CONTACT_FIELDS = ["name", "email", "phone", "external_id"];
const CONVERSATION_FIELDS = ["subject", "status", "channel", "contact_name"];
const MESSAGE_FIELDS = ["body", "direction", "private", "subject", "contact_name"];
const DRAFT_FIELDS = ["body", "subject", "contact_name"];
const KEY_FIELDS = ["name", "description"];
/** No such host exists, so nothing is ever sent there (RFC 2606). */
const NO_HOST = "receiver.invalid";
const NOWHERE = `https://${NO_HOST}/parley-trigger`;
const SEND_MS_MAX = 10_000;
const POLL_MS = 100;

/** The API calls that cause each event: real ones, so that the event is a real one. */
const TRIGGERS: Partial<Record<EventName, Trigger>> & Record<string, Trigger> = {
  "contact.created": { fields: CONTACT_FIELDS, run: createContact },
  "contact.updated": {
    fields: CONTACT_FIELDS,
    run: async (parley, fields) =>
      parley.contacts.update((await createContact(parley)).id, { name: "Updated contact", ...fields }),
  },
  "contact.deleted": {
    fields: CONTACT_FIELDS,
    run: async (parley, fields) => parley.contacts.delete((await createContact(parley, fields)).id),
  },
  "conversation.created": { fields: CONVERSATION_FIELDS, run: createConversation },
  "conversation.updated": {
    fields: ["subject", "channel"],
    run: async (parley, fields) =>
      parley.conversations.update((await createConversation(parley)).id, {
        subject: "Updated subject",
        ...fields,
      } as never),
  },
  "conversation.assigned": { fields: ["assignee_id"], run: assignConversation },
  "conversation.status_changed": {
    fields: ["status"],
    run: async (parley, { status = "resolved" }) =>
      parley.conversations.update((await createConversation(parley)).id, { status } as never),
  },
  "conversation.mentioned": {
    fields: ["body", "subject", "contact_name"],
    run: async (parley, { body = "A test note.", ...fields }) => {
      const { id } = await createConversation(parley, fields);
      const mentions = [await firstMember(parley)];
      await parley.messages.create(id, { body, private: true, mentions });
      return parley.conversations.get(id);
    },
  },
  "conversation.deleted": {
    fields: CONVERSATION_FIELDS,
    run: async (parley, fields) => parley.conversations.delete((await createConversation(parley, fields)).id),
  },
  "message.created": { fields: MESSAGE_FIELDS, run: createMessage },
  "message.updated": {
    fields: MESSAGE_FIELDS,
    run: async (parley, { body = "An updated test message.", ...fields }) => {
      const message = await createMessage(parley, fields);
      return parley.messages.update(message.conversation_id, message.id, { body });
    },
  },
  "message.deleted": {
    fields: MESSAGE_FIELDS,
    run: async (parley, fields) => {
      const message = await createMessage(parley, fields);
      return parley.messages.delete(message.conversation_id, message.id);
    },
  },
  "message.delivery_changed": { fields: ["body", "subject"], run: failMail },
  "draft.created": { fields: DRAFT_FIELDS, run: createDraft },
  "draft.updated": {
    fields: DRAFT_FIELDS,
    run: async (parley, { body = "An updated test draft.", ...fields }) => {
      const draft = await createDraft(parley, fields);
      return parley.drafts.update(draft.conversation_id, draft.id, { body });
    },
  },
  "draft.deleted": {
    fields: DRAFT_FIELDS,
    run: async (parley, fields) => {
      const draft = await createDraft(parley, fields);
      return parley.drafts.delete(draft.conversation_id, draft.id);
    },
  },
  "api_key.created": {
    fields: KEY_FIELDS,
    run: async (parley, fields) => {
      const key = await createKey(parley, fields);
      // A key that nobody keeps must not stay valid.
      await parley.apiKeys.revoke(key.id);
      return key;
    },
  },
  "api_key.rotated": {
    fields: KEY_FIELDS,
    run: async (parley, fields) => {
      const { key: _secret, ...rotated } = await parley.apiKeys.rotate((await createKey(parley, fields)).id);
      await parley.apiKeys.revoke(rotated.id);
      return rotated;
    },
  },
  "api_key.revoked": {
    fields: KEY_FIELDS,
    run: async (parley, fields) => parley.apiKeys.revoke((await createKey(parley, fields)).id),
  },
  "webhook.disabled": {
    fields: ["name"],
    run: (parley, fields) => withWebhook(parley, fields, (id) => parley.webhooks.disable(id)),
  },
  "webhook.test": {
    fields: ["name"],
    run: (parley, fields) => withWebhook(parley, fields, (id) => parley.webhooks.test(id)),
  },
};

export const TRIGGERED_EVENTS: readonly string[] = Object.keys(TRIGGERS);

/** Causes an event and returns the record it is about. Throws for an unknown event or field and suggests a near one. */
export async function trigger(parley: Parley, event: string, fields: Fields): Promise<object> {
  const found = Object.hasOwn(TRIGGERS, event) ? TRIGGERS[event] : undefined;
  if (!found) throw new Error(`${event} is not a known event.${suggestion(event, TRIGGERED_EVENTS)}`);
  const unknown = Object.keys(fields).find((name) => !found.fields.includes(name));
  if (unknown !== undefined)
    throw new Error(
      `${event} has no field ${unknown} to set.${suggestion(unknown, found.fields)} ` +
        `It takes ${found.fields.join(", ")}.`,
    );
  return found.run(parley, fields);
}

/** `body=Hello` → `["body", "Hello"]`. */
export function parseField(text: string): [string, string] {
  const equals = text.indexOf("=");
  if (equals < 1) throw new Error(`--set takes field=value, such as body=Hello; not "${text}".`);
  return [text.slice(0, equals), text.slice(equals + 1)];
}

function createContact(parley: Parley, fields: Fields = {}): Promise<Contact> {
  return parley.contacts.create({ name: "Test contact", attributes: TEST_ATTRIBUTES, ...fields });
}

async function createConversation(parley: Parley, fields: Fields = {}): Promise<Conversation> {
  const { contact_name, ...rest } = fields;
  const contact = await createContact(parley, contact_name === undefined ? {} : { name: contact_name });
  return parley.conversations.create({
    contact_id: contact.id,
    subject: "Test conversation",
    labels: [TEST_LABEL],
    attributes: TEST_ATTRIBUTES,
    ...rest,
  } as never);
}

async function createMessage(parley: Parley, fields: Fields = {}) {
  const { body = "This is a test message.", direction = "in", private: note = "false", ...rest } = fields;
  const conversation = await createConversation(parley, rest);
  const isNote = /^(true|1)$/i.test(note);
  return parley.messages.create(conversation.id, {
    body,
    ...(isNote ? { private: true } : { direction: direction as "in" | "out" }),
  });
}

/** A mail to nowhere, which fails at once. The mailbox exists until then. */
async function failMail(parley: Parley, { body = "This is a test message.", subject = "Test mail" }: Fields) {
  const address = `parley-trigger-${Date.now()}@${NO_HOST}`;
  const mailbox = await parley.mailboxes.create({
    name: "Test mailbox",
    address,
    outbound: { host: NO_HOST },
  } as never);
  try {
    const contact = await createContact(parley, { email: `test@${NO_HOST}` });
    const { id, message } = await parley.conversations.create({
      ...{ mailbox_id: mailbox.id, contact_id: contact.id, subject, labels: [TEST_LABEL], attributes: TEST_ATTRIBUTES },
      message: { body },
    });
    for (const deadline = Date.now() + SEND_MS_MAX; ; await sleep(POLL_MS)) {
      const sent = await parley.messages.get(id, message?.id ?? 0);
      if (sent.delivery?.state === "failed") return sent;
      if (Date.now() > deadline) throw new Error("No process sends mail: start `serve` or a worker.");
    }
  } finally {
    await parley.mailboxes.delete(mailbox.id).catch(() => parley.mailboxes.pause(mailbox.id));
  }
}

async function createDraft(parley: Parley, { body = "This is a test draft.", ...rest }: Fields) {
  const conversation = await createConversation(parley, rest);
  return parley.drafts.create(conversation.id, { body });
}

async function assignConversation(parley: Parley, fields: Fields): Promise<object> {
  const assignee = fields.assignee_id ?? (await firstMember(parley));
  const conversation = await createConversation(parley);
  return parley.conversations.update(conversation.id, { assignee_id: Number(assignee) || assignee } as never);
}

async function firstMember(parley: Parley): Promise<number> {
  const [member] = await parley.members.list().take(1);
  if (!member)
    throw new Error(
      "This workspace has no member to assign or mention. Create one with `node bin/parley.mjs users create`.",
    );
  return member.id;
}

async function createKey(parley: Parley, fields: Fields) {
  const { key: _secret, ...key } = await parley.apiKeys.create({
    name: "Test key",
    type: "limited",
    abilities: ["contacts:read"],
    ...fields,
  });
  return key;
}

/** The webhook exists for the call only. */
async function withWebhook<T extends object>(
  parley: Parley,
  fields: Fields,
  work: (id: number) => Promise<T>,
): Promise<T> {
  const webhook = await parley.webhooks.create({
    name: "Test webhook",
    url: NOWHERE,
    events: ["webhook.test"],
    ...fields,
  });
  try {
    return await work(webhook.id);
  } finally {
    await parley.webhooks.delete(webhook.id);
  }
}
