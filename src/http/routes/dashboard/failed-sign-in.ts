import type { FastifyRequest } from "fastify";
import { type AccountChange, recordAccountChange } from "../../../accounts/account-audit.ts";
import type { SecondFactor } from "../../../accounts/two-factor.ts";
import type { User } from "../../../accounts/users.ts";
import { SYSTEM } from "../../../core/caller.ts";
import type { Database } from "../../../db/database.ts";
import { fromRequest, sessionOf } from "./signing-in.ts";

interface FailedSignIn {
  user: Pick<User, "id" | "name">;
  /** What was wrong. */
  method: "password" | SecondFactor;
}

/** Writes a failed sign-in to the audit trail. Never fails: the response to the guess must not depend on it. */
export async function recordFailedSignIn(
  db: Database,
  request: FastifyRequest,
  { user, method }: FailedSignIn,
): Promise<void> {
  const origin = { ...fromRequest(request), actor: { ...SYSTEM.actor, name: "unauthenticated" } };
  await record(db, request, { user, origin, action: "user.sign_in_failed", changes: { method } });
}

/** The same for a signed-in session whose user was asked for the password and did not know it. */
export const recordWrongPassword = (
  db: Database,
  request: FastifyRequest,
  purpose: "confirmation" | "password change",
): Promise<void> =>
  record(db, request, {
    user: sessionOf(request).user,
    origin: fromRequest(request),
    action: "user.password_check_failed",
    changes: { purpose },
  });

async function record(db: Database, request: FastifyRequest, failure: AccountChange): Promise<void> {
  const changes = { ...failure.changes, user_agent: request.headers["user-agent"] ?? null };
  try {
    await db.transaction((tx) => recordAccountChange(tx, { ...failure, changes }));
  } catch (error) {
    request.log.warn({ err: error }, "writing a failed check to the audit trail failed, continuing without it");
  }
}
