import type { FastifyRequest } from "fastify";
import { type AccountChange, recordAccountChange } from "../../../accounts/account-audit.ts";
import { isKnownDevice, rememberDevice } from "../../../accounts/devices.ts";
import type { HashingTurn } from "../../../accounts/hashing-queue.ts";
import { languageOfBrowser } from "../../../accounts/languages.ts";
import type { Manager } from "../../../accounts/manager.ts";
import type { Passwords } from "../../../accounts/passwords.ts";
import { scopesOfRole } from "../../../accounts/roles.ts";
import {
  endSession,
  needsSecondFactor,
  readSession,
  type Session,
  type SessionPolicy,
  type SignInMethod,
  startSession,
  type WorkspaceRole,
} from "../../../accounts/sessions.ts";
import type { SecondFactor } from "../../../accounts/two-factor.ts";
import type { User } from "../../../accounts/users.ts";
import type { Notices } from "../../../alerts/notices.ts";
import type { Caller } from "../../../core/caller.ts";
import { conflict, forbidden } from "../../../core/errors.ts";
import type { SecretBox } from "../../../core/secret-box.ts";
import type { Database, Tx } from "../../../db/database.ts";
import { addressGroup, type CurrentSession } from "../../pipeline/access.ts";
import {
  deviceTokenOf,
  type Exchange,
  sessionTokenOf,
  setDeviceCookie,
  setSessionCookie,
} from "../../pipeline/session-cookie.ts";
import type { SignInLimits } from "../../pipeline/sign-in-limits.ts";

export interface SigningInOptions extends SessionPolicy {
  db: Database;
  limits: SignInLimits;
  passwords: Passwords;
  publicUrl: string | null;
  /** Seals the secrets of authenticator apps. */
  secretBox: SecretBox;
  /** Null: no mail server is set. */
  notices: Notices | null;
}

export function requirePasswords({ ssoOnly }: Pick<SigningInOptions, "ssoOnly">): void {
  if (ssoOnly) throw forbidden("Passwords and passkeys are not accepted here. Use single sign-on.");
}

/** Accounts of the identity provider have none: what protects their sign-in is set up there. */
export function requireOwnPassword({ has_password: hasPassword }: Session): void {
  if (!hasPassword)
    throw conflict("Your account has no password. It signs in through single sign-on, where its security is set up.");
}

/** A session that was just created, and the browser it belongs to. */
interface OpenedSession {
  token: string;
  deviceToken: string;
}

interface SignIn {
  user: Pick<User, "id" | "name" | "email">;
  method: SignInMethod;
  secondFactor: boolean;
  /** What completed it after a password, for the audit trail. */
  completedBy?: CompletedBy | undefined;
}

export interface CompletedBy {
  factor: SecondFactor;
  /** Where a recovery code was used up. */
  recovery_codes_left?: { from: number; to: number };
}

/**
 * Creates a session in the transaction of what earned it. The token is always a new one, and the one the browser came
 * with is ended: nobody can plant a session and wait for its owner to sign in to it.
 */
export async function openSession(
  { notices }: Pick<SigningInOptions, "notices">,
  tx: Tx,
  request: FastifyRequest,
  { user, method, secondFactor, completedBy }: SignIn,
): Promise<OpenedSession> {
  const before = sessionTokenOf(request);
  if (before) await endSession(tx, before);
  const device = await rememberDevice(tx, user.id, deviceTokenOf(request));
  const userAgent = request.headers["user-agent"] ?? null;
  const language = languageOfBrowser(request.headers["accept-language"]);
  const token = await startSession(tx, { userId: user.id, ip: request.ip, userAgent, method, secondFactor, language });
  await recordAccountChange(tx, {
    user,
    origin: fromRequest(request),
    action: "user.signed_in",
    changes: { method, second_factor: secondFactor, ...completedBy, user_agent: userAgent, new_device: device.isNew },
  });
  if (device.isNew) await notices?.newDevice(tx, { email: user.email, ip: request.ip, userAgent });
  return { token, deviceToken: device.token };
}

/** Sets the browser's cookies and returns the session, in the workspace asked for where that is one of theirs. */
export async function respondWithSession(
  options: SigningInOptions,
  exchange: Exchange,
  { token, deviceToken }: OpenedSession,
  workspaceId: number | null = null,
) {
  const session = await readSession(options.db, token);
  if (!session) throw new Error("A session that was just created does not exist.");
  setSessionCookie(exchange, token);
  setDeviceCookie(exchange, deviceToken);
  const chosen = session.workspaces.find(({ id }) => id === workspaceId) ?? (session.workspaces[0] as WorkspaceRole);
  return { data: sessionRecord(options, session, chosen) };
}

export function sessionRecord(
  { requireTwoFactor }: Pick<SigningInOptions, "requireTwoFactor">,
  session: Session,
  workspace: WorkspaceRole,
) {
  const { role, ...named } = workspace;
  return {
    user: session.user,
    role,
    workspace: named,
    workspaces: session.workspaces,
    scopes: [...scopesOfRole(role)],
    expires_at: session.expires_at,
    method: session.method,
    has_password: session.has_password,
    second_factor: session.second_factor,
    language: session.language,
    two_factor_needed: needsSecondFactor(session, { workspace, requireTwoFactor }),
  };
}

/** For routes that only signed-in people reach. */
export function sessionOf(request: FastifyRequest): CurrentSession {
  if (!request.session) throw new Error("A route for people was reached without a session.");
  return request.session;
}

export const managerOf = ({ caller, request }: { caller: Caller; request: FastifyRequest }): Manager => ({
  ...caller,
  role: sessionOf(request).workspace.role,
});

export const fromRequest = (request: FastifyRequest): { ip: string; requestId: string } => ({
  ip: request.ip,
  requestId: request.id,
});

/** Writes what people changed about their own account to the audit trail. */
export const recordOwnChange = (
  tx: Tx,
  request: FastifyRequest,
  change: Pick<AccountChange, "action" | "changes">,
): Promise<void> => recordAccountChange(tx, { user: sessionOf(request).user, origin: fromRequest(request), ...change });

/** The queue for computing passwords knows addresses and browsers. `userId` null: nobody has this address. */
export const hashingTurnOf = async (
  db: Database,
  request: FastifyRequest,
  userId: number | null,
): Promise<HashingTurn> => ({
  address: addressGroup(request.ip),
  isKnownDevice: await isKnownDevice(db, userId ?? 0, deviceTokenOf(request)),
});
