import type { FastifyReply, FastifyRequest } from "fastify";
import { scopesOfRole } from "../../../accounts/roles.ts";
import { endSession, readSession, type Session, startSession, type WorkspaceRole } from "../../../accounts/sessions.ts";
import type { User } from "../../../accounts/users.ts";
import { type Origin, userActor } from "../../../core/actor.ts";
import type { Database, Tx } from "../../../db/database.ts";
import type { CurrentSession } from "../../pipeline/access.ts";
import { sessionTokenOf, setSessionCookie } from "../../pipeline/session-cookie.ts";
import type { SignInLimits } from "../../pipeline/sign-in-limits.ts";

export interface SignInDeps {
  db: Database;
  limits: SignInLimits;
  publicUrl: string | null;
}

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

/**
 * Makes a session in the transaction of what earned it. The token is always a new one, and the one the browser came
 * with is ended: nobody can plant a session and wait for its owner to sign in to it.
 */
export async function openSession(tx: Tx, request: FastifyRequest, userId: number): Promise<string> {
  const before = sessionTokenOf(request);
  if (before) await endSession(tx, before);
  return startSession(tx, userId, { ip: request.ip, userAgent: request.headers["user-agent"] ?? null });
}

/** Hands the browser its new session and answers with it, in the workspace asked for where that is one of theirs. */
export async function answerSession(
  { db, publicUrl }: SignInDeps,
  { request, reply }: Exchange,
  token: string,
  workspaceId: number | null = null,
) {
  const session = await readSession(db, token);
  if (!session) throw new Error("A session that was just made is not there.");
  setSessionCookie(request, reply, token, publicUrl);
  const chosen = session.workspaces.find(({ id }) => id === workspaceId) ?? (session.workspaces[0] as WorkspaceRole);
  return { data: sessionRecord(session, chosen) };
}

export function sessionRecord(session: Session, workspace: WorkspaceRole) {
  const { role, ...named } = workspace;
  return {
    user: session.user,
    role,
    workspace: named,
    workspaces: session.workspaces,
    scopes: [...scopesOfRole(role)],
    expires_at: session.expires_at,
  };
}

/** For routes that only whoever is signed in reaches. */
export function sessionOf(request: FastifyRequest): CurrentSession {
  if (!request.session) throw new Error("A route for people was reached without a session.");
  return request.session;
}

export const originOf = (request: FastifyRequest, user: Pick<User, "id" | "name">): Origin => ({
  actor: userActor(user),
  ip: request.ip,
  requestId: request.id,
});
