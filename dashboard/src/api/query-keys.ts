import { workspaceInUrl } from "../lib/workspace.ts";

/**
 * One factory per resource. Keys begin with the workspace in the address, so that nothing cached for one workspace can be
 * shown in another. `all` is the prefix to invalidate after a change.
 */
const inWorkspace = <Part extends readonly unknown[]>(...parts: Part) =>
  ["workspace", workspaceInUrl(), ...parts] as const;

/** Everything of every workspace but `id`. */
export const isOfAnotherWorkspace = (queryKey: readonly unknown[], id: number): boolean =>
  queryKey[0] === "workspace" && queryKey[1] !== id;

type Ref = number | string;
type Filters = Readonly<Record<string, unknown>>;

/** Not of one workspace: who is signed in, and what a visitor without a session may see. */
export const sessionKeys = {
  all: ["session"] as const,
  /** `null`: at an address without a workspace. */
  in: (workspace: number | null) => ["session", workspace] as const,
};
export const accountKeys = {
  all: ["account"] as const,
  sessions: ["account", "sessions"] as const,
  twoFactor: ["account", "two-factor"] as const,
};
export const setupKeys = {
  all: ["setup"] as const,
  link: (token: string) => ["setup", token] as const,
};
export const signInKeys = { options: ["sign-in-options"] as const, elsewhere: ["signed-in-elsewhere"] as const };
export const passwordResetKeys = { link: (token: string) => ["password-reset", token] as const };
export const invitationPreviewKeys = { of: (token: string) => ["invitation-preview", token] as const };

export const catalogueKeys = {
  eventTypes: () => inWorkspace("catalogue", "event-types"),
  settings: () => inWorkspace("catalogue", "settings"),
};

export const notificationKeys = { settings: () => inWorkspace("notification-settings") };

export const alertSettingsKeys = { all: () => inWorkspace("alert-settings") };

export const apiKeyKeys = {
  all: () => inWorkspace("api-keys"),
  list: () => inWorkspace("api-keys", "list"),
  detail: (id: Ref) => inWorkspace("api-keys", "detail", String(id)),
  usage: (id: Ref, range: string) => inWorkspace("api-keys", "usage", String(id), range),
  audit: (id: Ref) => inWorkspace("api-keys", "audit", String(id)),
};

export const webhookKeys = {
  all: () => inWorkspace("webhooks"),
  lists: () => inWorkspace("webhooks", "list"),
  list: (search: string) => inWorkspace("webhooks", "list", search),
  detail: (id: Ref) => inWorkspace("webhooks", "detail", String(id)),
  healthList: () => inWorkspace("webhooks", "health"),
  health: (id: Ref) => inWorkspace("webhooks", "health", String(id)),
  missed: (id: Ref, since: string | null) => inWorkspace("webhooks", "missed", String(id), since),
  urlCheck: (url: string) => inWorkspace("webhooks", "url-check", url),
  preview: (body: unknown) => inWorkspace("webhooks", "preview", body),
};

export const consumerKeys = {
  all: () => inWorkspace("consumers"),
  list: () => inWorkspace("consumers", "list"),
  detail: (name: string) => inWorkspace("consumers", "detail", name),
};

export const widgetKeys = {
  list: () => inWorkspace("widgets", "list"),
  detail: (id: Ref) => inWorkspace("widgets", "detail", String(id)),
  installation: (id: Ref) => inWorkspace("widgets", "installation", String(id)),
};

export const mailboxKeys = {
  /** Those that send. */
  sending: () => inWorkspace("mailboxes", "sending"),
  all: () => inWorkspace("mailboxes"),
  list: () => inWorkspace("mailboxes", "list"),
  detail: (id: Ref) => inWorkspace("mailboxes", "detail", String(id)),
  test: (id: Ref) => inWorkspace("mailboxes", "test", String(id)),
};

export const webhookLogKeys = {
  all: (webhook: Ref) => inWorkspace("webhook-logs", String(webhook)),
  newest: (webhook: Ref, filters: Filters) => inWorkspace("webhook-logs", String(webhook), "newest", filters),
  page: (webhook: Ref, filters: Filters, upTo: number, page: number) =>
    inWorkspace("webhook-logs", String(webhook), "page", filters, upTo, page),
  detail: (webhook: Ref, log: Ref) => inWorkspace("webhook-logs", String(webhook), "detail", String(log)),
  redelivery: (webhook: Ref, log: Ref, after: number | null) =>
    inWorkspace("webhook-logs", String(webhook), "redelivery", String(log), after),
  ofEvent: (webhook: Ref, event: string) => inWorkspace("webhook-logs", String(webhook), "event", event),
};

export const memberKeys = {
  all: () => inWorkspace("members"),
  list: (filter: object) => inWorkspace("members", "list", filter),
  assignable: () => inWorkspace("members", "assignable"),
};
export const invitationKeys = {
  all: () => inWorkspace("invitations"),
  list: () => inWorkspace("invitations", "list"),
};
export const auditLogKeys = {
  all: () => inWorkspace("audit-logs"),
  list: (filters: Filters) => inWorkspace("audit-logs", "list", filters),
};

export const contactKeys = {
  all: () => inWorkspace("contacts"),
  lists: () => inWorkspace("contacts", "list"),
  list: (filters: Filters) => inWorkspace("contacts", "list", filters),
  detail: (id: Ref) => inWorkspace("contacts", "detail", String(id)),
  notes: (id: Ref) => inWorkspace("contacts", "notes", String(id)),
};

export const conversationKeys = {
  all: () => inWorkspace("conversations"),
  lists: () => inWorkspace("conversations", "list"),
  list: (filters: Filters) => inWorkspace("conversations", "list", filters),
  /** Not among `lists`: what is cached under those is in pages, and patched row by row. */
  ofContacts: () => inWorkspace("conversations", "contact"),
  ofContact: (id: Ref) => inWorkspace("conversations", "contact", String(id)),
  details: () => inWorkspace("conversations", "detail"),
  detail: (id: Ref) => inWorkspace("conversations", "detail", String(id)),
  counts: () => inWorkspace("conversations", "counts"),
  viewCounts: () => inWorkspace("conversations", "counts", "views"),
  unread: () => inWorkspace("conversations", "counts", "unread"),
};
export const messageKeys = {
  all: (conversation: Ref) => inWorkspace("messages", String(conversation)),
  list: (conversation: Ref) => inWorkspace("messages", String(conversation), "list"),
  /** To whom a reply goes. */
  reply: (conversation: Ref) => inWorkspace("messages", String(conversation), "reply"),
  mail: (conversation: Ref, id: Ref, images: boolean) =>
    inWorkspace("messages", String(conversation), "mail", String(id), images),
};
export const draftKeys = {
  /** The conversations in which the signed-in person has a draft. */
  own: () => inWorkspace("drafts", "own"),
  all: (conversation: Ref) => inWorkspace("drafts", String(conversation)),
  list: (conversation: Ref) => inWorkspace("drafts", String(conversation), "list"),
};
export const labelKeys = { list: () => inWorkspace("labels", "list") };
export const savedReplyKeys = {
  all: () => inWorkspace("saved-replies"),
  list: () => inWorkspace("saved-replies", "list"),
};
export const viewKeys = { all: () => inWorkspace("views") };
export const searchKeys = { results: (query: string) => inWorkspace("search", query) };

export const eventKeys = {
  all: () => inWorkspace("events"),
  lists: () => inWorkspace("events", "list"),
  list: (filters: Filters) => inWorkspace("events", "list", filters),
  detail: (id: Ref) => inWorkspace("events", "detail", String(id)),
  ofConversation: (id: Ref) => inWorkspace("events", "conversation", String(id)),
  changesOf: (id: Ref) => inWorkspace("events", "conversation", String(id), "changes"),
  newestOf: (id: Ref) => inWorkspace("events", "conversation", String(id), "newest"),
  outcomes: (ids: readonly string[]) => inWorkspace("events", "outcomes", ids),
};
export const overviewKeys = {
  all: () => inWorkspace("overview"),
  firstSteps: () => inWorkspace("overview", "first-steps"),
  range: (range: string) => inWorkspace("overview", range),
};
