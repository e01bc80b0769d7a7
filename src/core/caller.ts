import type { Actor } from "./actor.ts";

/** Who asks for a change, in which workspace, and how the request reached us. Domain functions take one of these. */
export interface Caller {
  workspaceId: number;
  actor: Actor;
  /** The client's address; null for work that no request asked for. */
  ip: string | null;
  requestId: string | null;
  /** What the caller may do, by the names of the scope catalogue. */
  scopes: ReadonlySet<string>;
  /** How the caller's own API key is limited. Absent for people, and for operators on the command line. */
  limits?: CallerLimits;
}

export interface CallerLimits {
  tier: string;
  /** Null: never. */
  expiresAt: Date | null;
  /** CIDRs; null: from anywhere. */
  allowedIps: readonly string[] | null;
}

/** The part that an audit entry records; all there is of a change that concerns no single workspace. */
export type Origin = Pick<Caller, "actor" | "ip" | "requestId">;

export const SYSTEM: Origin = { actor: { type: "system", id: null, name: null }, ip: null, requestId: null };

/** For work that no request asked for. */
export const systemCaller = (workspaceId: number): Caller => ({
  workspaceId,
  ...SYSTEM,
  scopes: new Set(),
});
