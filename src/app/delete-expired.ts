import { expireChallenges } from "../accounts/challenges.ts";
import { expireDevices } from "../accounts/devices.ts";
import { expireInvitations } from "../accounts/invitations.ts";
import { expireResets } from "../accounts/password-resets.ts";
import { expireSessions } from "../accounts/sessions.ts";
import { expireUsage } from "../auth/usage.ts";
import { runEach } from "../core/run-each.ts";
import { expireAttempts } from "../db/attempt-counters.ts";
import type { Database } from "../db/database.ts";
import { expireRateLimits } from "../db/lease-store.ts";
import { expireMails } from "../email/outbound/expire.ts";
import { expireEventTraces } from "../events/event-traces.ts";
import { expireFiles } from "../files/files.ts";
import { expireIdempotencyKeys } from "../http/pipeline/idempotency.ts";
import { expireVisitorSessions } from "../visitors/sessions.ts";

/** The housekeeping of every part that has no loop of its own. */
export function deleteExpired(db: Database): Promise<void> {
  const parts = [
    expireIdempotencyKeys,
    expireRateLimits,
    expireAttempts,
    expireSessions,
    expireDevices,
    expireChallenges,
    expireInvitations,
    expireResets,
    expireUsage,
    expireFiles,
    expireVisitorSessions,
    expireEventTraces,
    expireMails,
  ];
  return runEach(parts.map((expire) => () => expire(db)));
}
