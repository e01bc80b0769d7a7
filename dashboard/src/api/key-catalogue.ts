/** What the pages say about types, abilities and tiers. test/browser/key-catalogue.test.ts holds it to the server's own. */
export const KEY_TYPES = {
  limited: {
    title: "Limited",
    sentence: "Only the abilities you tick. The right choice for a script, an integration or a teammate.",
    scopes: "any",
  },
  full: {
    title: "Full",
    sentence: "May do everything in this workspace, managing keys included. Keep it on servers you trust.",
    scopes: "any",
  },
  webhook: {
    title: "Webhook",
    sentence: "Manages webhooks and reads events. For connectors that subscribe on your behalf.",
    scopes: ["webhooks:manage", "events:read"],
  },
  bot: {
    title: "Bot",
    sentence: "Reads and writes conversations and messages, as an assistant does. No settings.",
    scopes: ["conversations:read", "conversations:write", "messages:read", "messages:write", "contacts:read"],
  },
} as const;

export type KeyType = keyof typeof KEY_TYPES;

export const SCOPES = {
  "conversations:read": "Read conversations.",
  "conversations:write": "Create, change, assign and delete conversations.",
  "messages:read": "Read messages.",
  "messages:write": "Write, change and delete messages.",
  "contacts:read": "Read contacts.",
  "contacts:write": "Create, change and delete contacts.",
  "events:read": "Read and stream the events of the workspace.",
  "webhooks:manage": "Create, change, test and replay webhooks, and read their logs.",
  "api-keys:manage": "List, create, change, rotate and revoke API keys.",
  "audit:read": "Read the audit trail.",
} as const;

export type Scope = keyof typeof SCOPES;

export function scopesOfType(type: KeyType): readonly Scope[] {
  const { scopes } = KEY_TYPES[type];
  return scopes === "any" ? (Object.keys(SCOPES) as Scope[]) : scopes;
}

/** The single scopes that a key's abilities come to; `*` and groups are spelled out. */
export function scopesOf(type: KeyType, abilities: readonly string[]): Scope[] {
  return scopesOfType(type).filter((scope) =>
    abilities.some(
      (ability) =>
        ability === "*" || ability === scope || (ability.endsWith(":*") && scope.startsWith(ability.slice(0, -1))),
    ),
  );
}

/** The operator may configure more, or other numbers. */
export const TIERS = {
  low: "Low: 60 requests a minute",
  standard: "Standard: 1,000 requests a minute",
  high: "High: 10,000 requests a minute",
  unlimited: "Unlimited",
} as const;
