import type { KeyType, Scope } from "./scopes.ts";

/** Who makes a request: an API key, or a user who is signed in to the dashboard. */
export type Principal = KeyPrincipal | UserPrincipal;

export interface KeyPrincipal {
  kind: "api_key";
  workspaceId: number;
  apiKeyId: number;
  keyName: string;
  type: KeyType;
  tier: string;
  scopes: ReadonlySet<Scope>;
  /** CIDRs; null: from anywhere. */
  allowedIps: readonly string[] | null;
  /** Null: never. */
  expiresAt: Date | null;
  /** Its workspace is on its way to another cell, or there. */
  move: { state: "moving" | "moved"; cell: number } | null;
}

export interface UserPrincipal {
  kind: "user";
  workspaceId: number;
  userId: number;
  userName: string;
  scopes: ReadonlySet<Scope>;
}
