import type { ConversationRecord } from "../resources/conversations.ts";

const DAYS_MAX = 366;
const DAY_MS = 86_400_000;

/** What is wrong with the end of a snooze. */
export function snoozeProblems(until: Date | undefined): string[] {
  if (!until) return [];
  const ms = until.getTime() - Date.now();
  if (ms <= 0) return ["snoozed_until must be in the future."];
  return ms > DAYS_MAX * DAY_MS ? ["snoozed_until must be at most one year from now."] : [];
}

export const ONLY_WHILE_SNOOZED = "snoozed_until can only be set together with status snoozed.";

interface SnoozePatch {
  status?: ConversationRecord["status"] | undefined;
  snoozed_until?: Date | undefined;
}

/**
 * When a conversation opens by itself after this change; null: not by itself. Undefined: a time was given for a
 * conversation that is not snoozed.
 */
export function snoozedUntil(
  before: Pick<ConversationRecord, "status" | "snoozed_until">,
  { status, snoozed_until }: SnoozePatch,
): Date | string | null | undefined {
  if ((status ?? before.status) !== "snoozed") return snoozed_until ? undefined : null;
  if (snoozed_until) return snoozed_until;
  return status === undefined ? before.snoozed_until : null;
}
