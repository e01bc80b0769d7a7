import { recordAccountChange } from "../accounts/account-audit.ts";
import { type Language, readLanguage } from "../accounts/languages.ts";
import { createReset, hasManyResets, RESET_MINUTES, userForReset } from "../accounts/password-resets.ts";
import { lockUser } from "../accounts/users.ts";
import { SYSTEM } from "../core/caller.ts";
import type { Database } from "../db/database.ts";
import { resetText } from "./account-texts.ts";
import type { ClaimedNotification } from "./queue.ts";
import { type Text, textsIn } from "./text.ts";

export interface ResetRequest {
  ip: string;
  requestId: string;
  /** Of the browser that asked: for a user of whom no other is known. */
  language: Language | null;
}

interface ResetMail extends ResetRequest {
  email: string;
  notification: Pick<ClaimedNotification, "attempts">;
}

/**
 * The e-mail with a new link; null if no user may get one. Each attempt to send has a link of its own, so that no link
 * is stored, not even sealed.
 */
export async function prepareReset(db: Database, publicUrl: string, request: ResetMail): Promise<Text | null> {
  const { email, ip, requestId, language } = request;
  const isFirst = request.notification.attempts === 1;
  const user = await userForReset(db, email);
  if (!user) return null;
  const token = await db.transaction(async (tx) => {
    // Requests that are sent at the same time, here or on other nodes, are counted one after the other.
    await lockUser(tx, user.id);
    if (isFirst && (await hasManyResets(tx, user.id))) return null;
    const origin = { ip, requestId, actor: { ...SYSTEM.actor, name: "unauthenticated" } };
    if (isFirst) await recordAccountChange(tx, { user, origin, action: "user.password_reset_requested" });
    return createReset(tx, user.id);
  });
  if (token === null) return null;
  const t = textsIn((await readLanguage(db, email)) ?? language ?? "en");
  return resetText(t, { url: `${publicUrl}/reset-password?token=${token}`, minutes: RESET_MINUTES, ip });
}
