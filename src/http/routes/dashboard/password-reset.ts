import { Type } from "typebox";
import { recordAccountChange } from "../../../accounts/account-audit.ts";
import { emailProblems, normaliseEmail } from "../../../accounts/email.ts";
import { languageOfBrowser } from "../../../accounts/languages.ts";
import { readOpenReset, redeemReset } from "../../../accounts/password-resets.ts";
import { passwordProblems } from "../../../accounts/passwords.ts";
import { endSessionsOf } from "../../../accounts/sessions.ts";
import { findUser, lockUser, storePasswordHash } from "../../../accounts/users.ts";
import type { Notices } from "../../../alerts/notices.ts";
import { conflict, problems } from "../../../core/errors.ts";
import { Email, NewPassword, Token } from "./records.ts";
import { route } from "./services.ts";
import { fromRequest, hashingTurnOf, requirePasswords, type SigningInOptions } from "./signing-in.ts";

/** A new password for a user who forgot theirs, by a link in an e-mail. */
export const passwordResetRoutes = [
  route({
    method: "POST",
    path: "/password-reset-request",
    summary: "Ask for a link that sets a new password",
    description: "The response is the same whether or not a user has this address.",
    access: "public",
    body: Type.Object({ email: Email }),
    success: { status: 202, data: Type.Object({ accepted: Type.Literal(true) }, { title: "PasswordResetRequest" }) },
    check: ({ body }) => problems({ email: body.email === undefined ? [] : emailProblems(body.email) }),
    handler: async ({ request, body }, services) => {
      const { db, limits } = services;
      const notices = requireMail(services);
      await limits.requestReset(request.ip);
      const email = normaliseEmail(body.email);
      const language = languageOfBrowser(request.headers["accept-language"]);
      await db.transaction((tx) => notices.resetRequested(tx, { email, language, ...fromRequest(request) }));
      return { data: { accepted: true as const } };
    },
  }),
  route({
    method: "POST",
    path: "/password-reset-check",
    summary: "Whether a link for a new password works, before its form is filled in",
    access: "public",
    body: Type.Object({ token: Token }),
    success: { status: 200, data: Type.Object({ valid: Type.Literal(true) }, { title: "PasswordResetCheck" }) },
    handler: async ({ body }, services) => {
      requirePasswords(services);
      await readOpenReset(services.db, body.token);
      return { data: { valid: true as const } };
    },
  }),
  route({
    method: "POST",
    path: "/password-reset",
    summary: "Set a new password with the link from an e-mail",
    description: "Ends all sessions. The user then signs in again, with the second factor if there is one.",
    access: "public",
    body: Type.Object({ token: Token, password: NewPassword }),
    success: { status: 200, data: Type.Object({ reset: Type.Literal(true) }, { title: "PasswordReset" }) },
    check: ({ body }) => problems({ password: body.password === undefined ? [] : passwordProblems(body.password) }),
    handler: async ({ request, body }, services) => {
      const { db, notices, passwords } = services;
      requirePasswords(services);
      const known = await readOpenReset(db, body.token);
      const passwordHash = await passwords.hash(body.password, await hashingTurnOf(db, request, known));
      const origin = fromRequest(request);
      await db.transaction(async (tx) => {
        // As when signing in: a sign-in with the old password that runs at the same time must not outlast this.
        await lockUser(tx, known);
        const id = await redeemReset(tx, body.token);
        const user = await findUser(tx, { id });
        await storePasswordHash(tx, id, passwordHash);
        const changes = { sessions_ended: await endSessionsOf(tx, id) };
        await recordAccountChange(tx, { user, origin, action: "user.password_reset", changes });
        await notices?.passwordChanged(tx, { email: user.email, ip: request.ip });
      });
      request.log.info({ user_id: known, ip: request.ip }, "reset a password");
      return { data: { reset: true as const } };
    },
  }),
];

function requireMail(options: SigningInOptions): Notices {
  requirePasswords(options);
  if (!options.notices)
    throw conflict("This server sends no e-mail. Its operator can reset your password on the command line.");
  return options.notices;
}
