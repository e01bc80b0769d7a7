import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { LANGUAGES } from "../../../accounts/languages.ts";
import { endResetsOf } from "../../../accounts/password-resets.ts";
import { passwordProblems } from "../../../accounts/passwords.ts";
import { endOwnSession, endSessionsOf, listSessions } from "../../../accounts/sessions.ts";
import {
  lockIfPasswordIs,
  lockUser,
  readPasswordHash,
  renameUser,
  storeLanguage,
  storePasswordHash,
} from "../../../accounts/users.ts";
import { invalid, problems } from "../../../core/errors.ts";
import { oneOf } from "../../../resources/common.ts";
import { recordWrongPassword } from "./failed-sign-in.ts";
import { GivenPassword, Name, NewPassword, SessionEntryRecord, SessionRecord } from "./records.ts";
import { route } from "./services.ts";
import {
  hashingTurnOf,
  openSession,
  recordOwnChange,
  requireOwnPassword,
  respondWithSession,
  type SigningInOptions,
  sessionOf,
  sessionRecord,
} from "./signing-in.ts";

/** What people may change about themselves, and where they are signed in. */
export const profileRoutes = [
  route({
    method: "PATCH",
    path: "/profile",
    beforeSecondFactor: true,
    summary: "Change your name, password or language",
    access: "any",
    body: Type.Object({
      name: Type.Optional(Name),
      language: Type.Optional(
        oneOf([...LANGUAGES, ""], { description: "Of the dashboard; empty: as the browser says." }),
      ),
      password: Type.Optional(NewPassword),
      current_password: Type.Optional(GivenPassword),
    }),
    success: { status: 200, data: SessionRecord },
    check: ({ body }) => problems({ password: body.password === undefined ? [] : passwordProblems(body.password) }),
    handler: async ({ request, reply, body }, services) => {
      const { db, publicUrl } = services;
      const { user, workspace, second_factor: secondFactor } = sessionOf(request);
      const change = body.password === undefined ? null : await newPassword(services, request, body);
      const name = body.name ?? user.name;
      const language = body.language === undefined ? sessionOf(request).language : body.language || null;
      const opened = await db.transaction(async (tx) => {
        if (!change) await lockUser(tx, user.id);
        else if (!(await lockIfPasswordIs(tx, user.id, change.before))) throw wrongPassword();
        if (name !== user.name) {
          await renameUser(tx, user.id, name);
          const changes = { name: { from: user.name, to: name } };
          await recordOwnChange(tx, request, { action: "user.renamed", changes });
        }
        // Not in the audit log: it changes what one person sees, and nothing else.
        if (body.language !== undefined) await storeLanguage(tx, user.id, language);
        if (!change) return null;
        await storePasswordHash(tx, user.id, change.after);
        await endResetsOf(tx, user.id);
        const changes = { sessions_ended: await endSessionsOf(tx, user.id) };
        await recordOwnChange(tx, request, { action: "user.password_changed", changes });
        return openSession(services, tx, request, { user, method: "password", secondFactor });
      });
      if (opened) return respondWithSession(services, { request, reply, publicUrl }, opened, workspace.id);
      const session = sessionOf(request);
      return { data: sessionRecord(services, { ...session, language, user: { ...session.user, name } }, workspace) };
    },
  }),
  route({
    method: "GET",
    path: "/sessions",
    beforeSecondFactor: true,
    summary: "Where you are signed in",
    access: "any",
    success: { status: 200, data: Type.Array(SessionEntryRecord) },
    handler: async ({ request }, { db }) => {
      const { id, user } = sessionOf(request);
      const entries = await listSessions(db, user.id);
      return { data: entries.map((entry) => ({ ...entry, current: entry.id === id })) };
    },
  }),
  route({
    method: "DELETE",
    path: "/sessions/{session}",
    beforeSecondFactor: true,
    summary: "Sign one of your browsers out",
    access: "any",
    success: { status: 200, data: SessionEntryRecord },
    handler: ({ request, params, write }) =>
      write(async (tx) => {
        const { id, user } = sessionOf(request);
        const entry = await endOwnSession(tx, user.id, params.session);
        await recordOwnChange(tx, request, { action: "user.signed_out", changes: { sessions: 1 } });
        return { data: { ...entry, current: entry.id === id } };
      }),
  }),
];

/** An unlocked screen is not enough to change a password: the old one is required. */
async function newPassword(
  { db, limits, passwords }: SigningInOptions,
  request: FastifyRequest,
  { password = "", current_password: current }: { password?: string; current_password?: string },
): Promise<{ before: string | null; after: string }> {
  const session = sessionOf(request);
  requireOwnPassword(session);
  const { user } = session;
  if (current === undefined) throw invalid({ current_password: ["current_password is required for a new password."] });
  const refund = await limits.attempt(`user:${user.id}`, request.ip);
  const turn = await hashingTurnOf(db, request, user.id);
  const before = await readPasswordHash(db, user.id);
  if (!(await passwords.verify(before, current, turn))) {
    await recordWrongPassword(db, request, "password change");
    throw wrongPassword();
  }
  await refund();
  return { before, after: await passwords.hash(password, turn) };
}

const wrongPassword = () => invalid({ current_password: ["That is not your current password."] });
