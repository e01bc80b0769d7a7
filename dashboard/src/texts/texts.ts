/** What a language says for an English text; for one with two forms, which is named by the second, both. */
export type Texts = Record<string, string | readonly [one: string, other: string]>;

/** The folders below `pages` that have texts of their own, and `errors`. What else there is, and what two of them say, is common. */
export const AREAS = [
  "account",
  "api-keys",
  "audit",
  "auth",
  "contacts",
  "errors",
  "events",
  "inbox",
  "mailboxes",
  "members",
  "overview",
  "saved-replies",
  "webhooks",
  "widgets",
] as const;

export type Area = (typeof AREAS)[number];
