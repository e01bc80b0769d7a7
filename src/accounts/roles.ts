import { SCOPES, type Scope } from "../auth/scopes.ts";

/** What a person is in a workspace, with the sentence the dashboard shows next to it. */
const ROLE_CATALOGUE = {
  owner: "Everything, including other owners and further workspaces.",
  admin: "Everything in the workspace but its owners.",
  agent: "Conversations, messages and contacts.",
} as const;

export type Role = keyof typeof ROLE_CATALOGUE;
export const ROLES = Object.keys(ROLE_CATALOGUE) as Role[];

/** Those who see the settings of a workspace. */
export const MANAGERS: readonly Role[] = ["owner", "admin"];

const ALL: ReadonlySet<Scope> = new Set(SCOPES);
const OF_AGENTS: ReadonlySet<Scope> = new Set(
  SCOPES.filter((scope) => /^(conversations|messages|contacts|drafts|events):/.test(scope)),
);

export const scopesOfRole = (role: Role): ReadonlySet<Scope> => (MANAGERS.includes(role) ? ALL : OF_AGENTS);

/** Only an owner creates, changes or removes an owner. */
export const mayManage = (actor: Role, subject: Role): boolean =>
  actor === "owner" || (actor === "admin" && subject !== "owner");
