import type { FastifyRequest } from "fastify";
import { scopesOfRole } from "../../accounts/roles.ts";
import {
  chooseWorkspace,
  isAdmissible,
  needsSecondFactor,
  peekSession,
  type Session,
  type SessionPolicy,
  type WorkspaceRole,
} from "../../accounts/sessions.ts";
import type { Principal, UserPrincipal } from "../../auth/principal.ts";
import type { Verifier } from "../../auth/verifier.ts";
import { parseRef, type Ref } from "../../core/ids.ts";
import type { Database } from "../../db/database.ts";
import { sessionTokenOf } from "./session-cookie.ts";

/** Verifies again, while a long response is in progress, what its credential may do now. */
export interface Reverifier {
  verify(credential: string): Promise<Principal | null> | Principal | null;
}

/**
 * What a request authenticates with, as one text. A session's names the workspace that the request was admitted to: it
 * must not move to another one when its user leaves that workspace. A request with an `Authorization` header has no session.
 */
export function credentialOf(request: FastifyRequest, { workspaceId }: Principal): string {
  const { authorization } = request.headers;
  if (authorization !== undefined) return `key ${bearerOf(authorization) ?? ""}`;
  return `session ${sessionTokenOf(request) ?? ""} ${workspaceId}`;
}

interface ReverifierOptions {
  db: Database;
  verifier: Pick<Verifier, "verify">;
  sessionPolicy: SessionPolicy;
}

export function createReverifier({ db, verifier, sessionPolicy }: ReverifierOptions): Reverifier {
  return {
    verify(credential) {
      if (credential.startsWith("key ")) return verifyKey(verifier, credential.slice("key ".length));
      const [, token = "", workspaceId = ""] = credential.split(" ");
      return verifySession(db, { token, workspaceId }, sessionPolicy);
    },
  };
}

/** Null also once its workspace has moved to another cell: what happens there is not known here. */
async function verifyKey(verifier: Pick<Verifier, "verify">, secret: string): Promise<Principal | null> {
  const principal = await verifier.verify(secret);
  return principal?.move?.state === "moved" ? null : principal;
}

/**
 * Without renewing the session: an open page that nobody looks at must not keep its user signed in. Null also once a
 * second factor is required that the session has not shown.
 */
async function verifySession(
  db: Database,
  { token, workspaceId }: { token: string; workspaceId: string },
  policy: SessionPolicy,
): Promise<Principal | null> {
  const session = await peekSession(db, token);
  const workspace = session && askedWorkspace(session, workspaceId);
  if (!workspace || !isAdmissible(session, policy)) return null;
  if (needsSecondFactor(session, { workspace, ...policy })) return null;
  return userPrincipal(session, workspace);
}

/** Null: a workspace that does not exist or that the user does not belong to; the two look the same. */
export function askedWorkspace(session: Session, header: string | undefined): WorkspaceRole | null {
  const ref: Ref | "first" | null = header === undefined ? "first" : parseRef(header);
  return ref && chooseWorkspace(session, ref);
}

export const workspaceHeaderOf = (request: FastifyRequest): string | undefined =>
  request.headers["x-parley-workspace"]?.toString().trim() || undefined;

export const userPrincipal = ({ user }: Session, workspace: WorkspaceRole): UserPrincipal => ({
  kind: "user",
  workspaceId: workspace.id,
  userId: user.id,
  userName: user.name,
  scopes: scopesOfRole(workspace.role),
});

/** Node reads header bytes as Latin-1; a bootstrap key may be any string, and clients send its UTF-8. */
export function bearerOf(header = ""): string | null {
  if (!/^bearer[ \t]/i.test(header)) return null;
  const secret = header.slice("bearer ".length).trim();
  return secret === "" ? null : /^[\x20-\x7e]*$/.test(secret) ? secret : Buffer.from(secret, "latin1").toString("utf8");
}
