import { type Parley, ParleyError } from "@parley/client";
import { type Static, type TObject, Type } from "typebox";
import { takeBounded } from "./bounded.ts";

export interface Tool {
  name: string;
  title: string;
  description: string;
  /** The scopes a key needs; a tool that its key may not use is not offered. */
  scopes: readonly string[];
  /** Reads only, changes what colleagues see, or reaches a customer. */
  effect: "reads" | "changes" | "sends";
  /** A change that cannot be undone with another call. */
  destructive?: true;
  input: TObject;
  run: (parley: Parley, input: never) => Promise<unknown>;
}

interface ToolSpec<Input extends TObject> extends Omit<Tool, "input" | "run"> {
  input: Input;
  run: (parley: Parley, input: Static<Input>) => Promise<unknown>;
}

/** Only for its types: infers what `run` gets from the schema. */
const tool = <Input extends TObject>(spec: ToolSpec<Input>): Tool => spec as unknown as Tool;

const Id = (what: string) => Type.Integer({ minimum: 1, description: `The ${what}'s id.` });
const Limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 50, description: "The largest number of results; 20 by default." }),
);
const LIMIT = 20;
const MEMBERS_SHOWN_MAX = 1_000;
const VIEWS_SHOWN_MAX = 100;

export const TOOLS: readonly Tool[] = [
  tool({
    name: "list_conversations",
    title: "List conversations",
    description: "Conversations, newest first, with contact, status, assignee and labels.",
    scopes: ["conversations:read"],
    effect: "reads",
    input: Type.Object({
      status: Type.Optional(Type.Enum(["open", "pending", "snoozed", "resolved"])),
      label: Type.Optional(Type.String()),
      contact_id: Type.Optional(Id("contact")),
      view_id: Type.Optional(Id("view")),
      limit: Limit,
    }),
    run: (parley, { limit = LIMIT, contact_id, view_id, ...query }) =>
      takeBounded(limit, (page) =>
        parley.conversations.list({
          ...query,
          ...page,
          ...(contact_id === undefined ? {} : { contact_id: String(contact_id) }),
          ...(view_id === undefined ? {} : { view: String(view_id) }),
        }),
      ),
  }),
  tool({
    name: "list_views",
    title: "List views",
    description: "The saved views of the workspace: filters of the list of conversations, with a name each.",
    scopes: ["conversations:read"],
    effect: "reads",
    input: Type.Object({}),
    run: (parley) => takeBounded(VIEWS_SHOWN_MAX, () => parley.views.list()),
  }),
  tool({
    name: "read_conversation",
    title: "Read a conversation",
    description:
      "One conversation with its latest messages, from oldest to newest. Message bodies are text from customers.",
    scopes: ["conversations:read", "messages:read"],
    effect: "reads",
    input: Type.Object({ conversation_id: Id("conversation"), limit: Limit }),
    run: async (parley, { conversation_id, limit = LIMIT }) => {
      const conversation = await parley.conversations.get(conversation_id);
      const messages = await takeBounded(limit, (page) => parley.messages.list(conversation_id, page));
      return { conversation, messages: messages.reverse() };
    },
  }),
  tool({
    name: "search_conversations",
    title: "Search conversations",
    description:
      "Finds words and beginnings of words in subjects and messages, newest first; quotes find a phrase. Each hit names its conversation.",
    scopes: ["conversations:read"],
    effect: "reads",
    input: Type.Object({ query: Type.String({ minLength: 2, maxLength: 200 }), limit: Limit }),
    run: (parley, { query, limit = LIMIT }) => parley.search({ q: query, type: "conversation,message", limit }),
  }),
  tool({
    name: "find_contacts",
    title: "Find contacts",
    description: "Contacts by a part of their name or e-mail address, or by their external id.",
    scopes: ["contacts:read"],
    effect: "reads",
    input: Type.Object({
      search: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      external_id: Type.Optional(Type.String()),
      limit: Limit,
    }),
    run: (parley, { limit = LIMIT, ...query }) =>
      takeBounded(limit, (page) => parley.contacts.list({ ...query, ...page })),
  }),
  tool({
    name: "get_contact",
    title: "Get a contact",
    description: "One contact with its attributes.",
    scopes: ["contacts:read"],
    effect: "reads",
    input: Type.Object({ contact_id: Id("contact") }),
    run: (parley, { contact_id }) => parley.contacts.get(contact_id),
  }),
  tool({
    name: "list_members",
    title: "List members",
    description: "The people of the workspace, at most 1,000, with the ids that assigning needs.",
    scopes: ["conversations:read"],
    effect: "reads",
    input: Type.Object({}),
    run: (parley) => takeBounded(MEMBERS_SHOWN_MAX, () => parley.members.list()),
  }),
  tool({
    name: "draft_reply",
    title: "Propose a reply",
    description:
      "Writes a draft that every agent sees; a person reads it, changes it and sends it. The customer gets nothing.",
    scopes: ["drafts:write"],
    effect: "changes",
    input: Type.Object({ conversation_id: Id("conversation"), body: Type.String({ minLength: 1, maxLength: 65_536 }) }),
    run: (parley, { conversation_id, body }) => parley.drafts.create(conversation_id, { body }),
  }),
  tool({
    name: "add_note",
    title: "Add a note",
    description: "A private note in a conversation: colleagues read it, the customer never does.",
    scopes: ["messages:write"],
    effect: "changes",
    input: Type.Object({ conversation_id: Id("conversation"), body: Type.String({ minLength: 1, maxLength: 65_536 }) }),
    run: (parley, { conversation_id, body }) => parley.messages.create(conversation_id, { body, private: true }),
  }),
  tool({
    name: "assign_conversation",
    title: "Assign a conversation",
    description: "Assigns a conversation to a member, or to nobody with 0.",
    scopes: ["conversations:write"],
    effect: "changes",
    input: Type.Object({
      conversation_id: Id("conversation"),
      assignee_id: Type.Integer({ minimum: 0, description: "The member's id; 0 for nobody." }),
    }),
    run: (parley, { conversation_id, assignee_id }) => parley.conversations.update(conversation_id, { assignee_id }),
  }),
  tool({
    name: "label_conversation",
    title: "Label a conversation",
    description: "Adds and removes labels; the others stay.",
    scopes: ["conversations:read", "conversations:write"],
    effect: "changes",
    input: Type.Object({
      conversation_id: Id("conversation"),
      add: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 20 })),
      remove: Type.Optional(Type.Array(Type.String(), { maxItems: 20 })),
    }),
    run: async (parley, { conversation_id, add = [], remove = [] }) => {
      // Not the whole list, which another caller may change at the same time.
      const set = { add_labels: add, remove_labels: remove };
      const { failed } = await parley.conversations.bulk({ ids: [conversation_id], set });
      // One that does not exist gives the API's own error here.
      const conversation = await parley.conversations.get(conversation_id);
      const [problem] = failed;
      if (problem) throw new ParleyError({ status: 422, requestId: "", ...problem });
      return conversation;
    },
  }),
  tool({
    name: "set_status",
    title: "Open, snooze or resolve a conversation",
    description: "Changes the status of a conversation; `snoozed` may have a time at which it opens again.",
    scopes: ["conversations:write"],
    effect: "changes",
    input: Type.Object({
      conversation_id: Id("conversation"),
      status: Type.Enum(["open", "pending", "snoozed", "resolved"]),
      snoozed_until: Type.Optional(Type.String({ description: "A time in ISO 8601, only with `snoozed`." })),
    }),
    run: (parley, { conversation_id, ...change }) => parley.conversations.update(conversation_id, change as never),
  }),
  tool({
    name: "recent_events",
    title: "Recent events",
    description: "Recent events, newest first: those of the last minutes with their data and who caused them.",
    scopes: ["events:read"],
    effect: "reads",
    input: Type.Object({
      minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_080, description: "60 by default." })),
      type: Type.Optional(Type.String({ description: "Event names or groups, e.g. `message.*`, comma separated." })),
      limit: Limit,
    }),
    run: (parley, { minutes = 60, type, limit = LIMIT }) => {
      const since = new Date(Date.now() - minutes * 60_000).toISOString();
      const query = { created_after: since, order: "desc" as const, ...(type === undefined ? {} : { type }) };
      return takeBounded(limit, (page) => parley.events.list({ ...query, ...page }));
    },
  }),
  tool({
    name: "webhook_health",
    title: "Webhook health",
    description:
      "The newest 50 webhooks and whether they are active; with an id, one webhook and its latest failed attempts.",
    scopes: ["webhooks:manage"],
    effect: "reads",
    input: Type.Object({ webhook_id: Type.Optional(Id("webhook")) }),
    run: async (parley, { webhook_id }) => {
      if (webhook_id === undefined) return takeBounded(50, (page) => parley.webhooks.list(page));
      const webhook = await parley.webhooks.get(webhook_id);
      return {
        webhook,
        failed: await takeBounded(10, (page) => parley.webhooks.logs(webhook_id, { status: "failed", ...page })),
      };
    },
  }),
  tool({
    name: "consumer_lag",
    title: "Lag of consumers",
    description:
      "Up to 50 consumers of events, by name: how many events wait for each, since when, and whether it missed any.",
    scopes: ["consumers:manage"],
    effect: "reads",
    input: Type.Object({}),
    run: (parley) => takeBounded(50, (page) => parley.consumers.list(page)),
  }),
  tool({
    name: "list_widgets",
    title: "List widgets",
    description:
      "The chats on web pages, newest first: where each may be shown, how it looks, and whether it is active.",
    scopes: ["widgets:manage"],
    effect: "reads",
    input: Type.Object({ limit: Limit }),
    run: (parley, { limit = LIMIT }) => takeBounded(limit, (page) => parley.widgets.list(page)),
  }),
  tool({
    name: "redeliver",
    title: "Send a delivery again",
    description: "Sends the event of one attempt to its webhook again. The id of the attempt is in `webhook_health`.",
    scopes: ["webhooks:manage"],
    effect: "changes",
    input: Type.Object({ webhook_id: Id("webhook"), log_id: Id("attempt") }),
    run: (parley, { webhook_id, log_id }) => parley.webhooks.redeliver(webhook_id, log_id),
  }),
  tool({
    name: "send_message",
    title: "Send a message to the customer",
    description: "Sends a public reply. The customer receives it; it cannot be unsent.",
    scopes: ["messages:write"],
    effect: "sends",
    destructive: true,
    input: Type.Object({ conversation_id: Id("conversation"), body: Type.String({ minLength: 1, maxLength: 65_536 }) }),
    run: (parley, { conversation_id, body }) => parley.messages.create(conversation_id, { body }),
  }),
];
