import { createHash } from "node:crypto";
import type { Caller } from "../core/caller.ts";

/** Who writes to a visitor route: decided once per request, by `authorise`. */
export interface Visitor {
  workspaceId: number;
  widget: VisitedWidget;
  /** SHA-256 of the token that the browser keeps. */
  tokenDigest: Buffer;
  /** Null: none has been started with this token yet. */
  session: VisitorSession | null;
}

export interface VisitedWidget {
  id: number;
  uuid: string;
  publicId: string;
  allowedOrigins: readonly string[];
  collectPage: boolean;
  requiresIdentity: boolean;
}

export interface VisitorSession {
  id: number;
  /** Null until the first message, unless the identity names a contact that exists. */
  contactId: number | null;
  identity: Identity | null;
}

/** What a valid identity token says about the visitor. */
export interface Identity {
  sub: string;
  name?: string | undefined;
  email?: string | undefined;
  attributes?: Record<string, unknown> | undefined;
}

const TOKEN = /^pvs_[A-Za-z0-9_-]{43}$/;

/** Null: this is not a session token. */
export const tokenDigestOf = (token: unknown): Buffer | null =>
  typeof token === "string" && TOKEN.test(token) ? createHash("sha256").update(token).digest() : null;

/** A visitor acts as their contact and holds no scope. */
export const contactCaller = (
  { workspaceId }: Pick<Visitor, "workspaceId">,
  { id, name }: { id: number | null; name: string | null },
  { ip, requestId }: Pick<Caller, "ip" | "requestId">,
): Caller => ({ workspaceId, actor: { type: "contact", id, name }, ip, requestId, scopes: new Set() });
