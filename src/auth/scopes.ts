import { suggestion } from "../core/suggest.ts";

/** Every scope, with the sentence a person reads when choosing it. Tested against docs/api-keys.md. */
export const SCOPE_CATALOGUE = {
  "api-keys:manage": "List, create, change, rotate and revoke API keys.",
  "webhooks:manage": "Create, change, test and replay webhooks, and read their logs.",
  "widgets:manage": "Create, change and delete chat widgets, and read their identity secrets.",
  "conversations:read": "Read conversations.",
  "conversations:write": "Create, change, assign and delete conversations.",
  "messages:read": "Read messages.",
  "messages:write": "Write, change and delete messages.",
  "drafts:read": "Read drafts of replies.",
  "drafts:write": "Suggest replies, and change and delete suggestions.",
  "contacts:read": "Read contacts.",
  "contacts:write": "Create, change and delete contacts.",
  "mailboxes:manage": "Connect, change, check, pause and delete mailboxes.",
  "mailboxes:ingest": "Hand mail over to mailboxes.",
  "events:read": "Read and stream the events of the workspace.",
  "consumers:manage": "Create, change, reset and delete consumers of events.",
  "audit:read": "Read the audit log.",
} as const;

export type Scope = keyof typeof SCOPE_CATALOGUE;
export const SCOPES = Object.keys(SCOPE_CATALOGUE) as Scope[];

/** Everything that has an effect as an ability: all scopes at once, a group of them, or a single one. */
export const ABILITIES: readonly string[] = [
  "*",
  ...new Set(SCOPES.map((scope) => scope.replace(/:.*$/, ":*"))),
  ...SCOPES,
];

export const KEY_TYPES = ["full", "limited", "webhook", "bot"] as const;
export type KeyType = (typeof KEY_TYPES)[number];

const HOLDABLE: Record<KeyType, readonly Scope[]> = {
  full: SCOPES,
  limited: SCOPES,
  webhook: ["webhooks:manage", "events:read"],
  bot: [
    "conversations:read",
    "conversations:write",
    "messages:read",
    "messages:write",
    "drafts:read",
    "drafts:write",
    "contacts:read",
    "mailboxes:ingest",
  ],
};

export const scopesOfType = (type: KeyType): readonly Scope[] => HOLDABLE[type];

/** The scopes that follow from the abilities of a key. A scope outside its type is never effective, whatever is stored. */
export function effectiveScopes(type: KeyType, abilities: readonly string[]): ReadonlySet<Scope> {
  return new Set(HOLDABLE[type].filter((scope) => abilities.some((ability) => covers(ability, scope))));
}

/** Sentences about abilities that this type may not hold; none when all is well. */
export function abilityProblems(type: KeyType, abilities: readonly string[]): string[] {
  return abilities.flatMap((ability, index) => {
    const problem = abilityProblem(type, ability);
    return problem ? [`abilities[${index}] ${problem}`] : [];
  });
}

function abilityProblem(type: KeyType, ability: string): string | null {
  const covered = SCOPES.filter((scope) => covers(ability, scope));
  if (covered.length === 0)
    return `(${JSON.stringify(ability.slice(0, 64))}) is not a known ability.${suggestion(ability, HOLDABLE[type])}`;
  if (type === "limited" && ability.endsWith("*")) return "must not be a wildcard: a limited key names each ability.";
  if (ability === "*") return null;
  const outside = covered.filter((scope) => !HOLDABLE[type].includes(scope));
  return outside.length > 0 ? `(${outside.join(", ")}) may not be held by a key of type ${type}.` : null;
}

const covers = (ability: string, scope: Scope): boolean =>
  ability === "*" || ability === scope || (ability.endsWith(":*") && scope.startsWith(ability.slice(0, -1)));

export const isWiderThan = (scopes: ReadonlySet<Scope>, held: ReadonlySet<string>): boolean =>
  [...scopes].some((scope) => !held.has(scope));
