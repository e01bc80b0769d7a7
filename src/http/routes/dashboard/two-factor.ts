import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { attemptChallenge, endChallenge, startChallenge } from "../../../accounts/challenges.ts";
import { dismissWrongCodes, readWrongCodes } from "../../../accounts/code-guesses.ts";
import { addPasskey, registrationOptions, removePasskey } from "../../../accounts/passkeys.ts";
import { replaceRecoveryCodes } from "../../../accounts/recovery-codes.ts";
import { CONFIRMED_MINUTES } from "../../../accounts/sessions.ts";
import { acceptTotp, dropTotp, hasTotp, startTotp } from "../../../accounts/totp.ts";
import {
  afterFactorAdded,
  afterFactorRemoved,
  confirmSession,
  methodsOf,
  readTwoFactor,
} from "../../../accounts/two-factor.ts";
import { readPasswordHash } from "../../../accounts/users.ts";
import { conflict, forbidden, invalid } from "../../../core/errors.ts";
import { recordWrongPassword } from "./failed-sign-in.ts";
import {
  GivenPassword,
  Name,
  PasskeyChallenge,
  PasskeyResponse,
  RecoveryCodes,
  Token,
  TotpEnrolmentRecord,
  TwoFactorRecord,
} from "./records.ts";
import { relyingPartyOf } from "./relying-party.ts";
import { route } from "./services.ts";
import { hashingTurnOf, recordOwnChange, requireOwnPassword, type SigningInOptions, sessionOf } from "./signing-in.ts";

/** Reached before a second factor exists: these routes set it up. */
const COMMON = { access: "any", beforeSecondFactor: true } as const;

/** What users sign in with in addition to the password. Every change requires a recent confirmation of their identity. */
export const twoFactorRoutes = [
  route({
    ...COMMON,
    method: "GET",
    path: "/two-factor",
    summary: "How you sign in",
    success: { status: 200, data: TwoFactorRecord },
    handler: ({ request }, services) => stateOf(services, request),
  }),
  route({
    ...COMMON,
    method: "POST",
    path: "/confirm-password",
    summary: `Confirm that it is you, for ${CONFIRMED_MINUTES} minutes`,
    body: Type.Object({ password: GivenPassword }),
    success: { status: 200, data: Type.Object({ confirmed: Type.Literal(true) }, { title: "Confirmed" }) },
    handler: async ({ request, body }, { db, limits, passwords }) => {
      const session = sessionOf(request);
      requireOwnPassword(session);
      const { id, user } = session;
      const refund = await limits.attempt(`user:${user.id}`, request.ip);
      const turn = await hashingTurnOf(db, request, user.id);
      if (!(await passwords.verify(await readPasswordHash(db, user.id), body.password, turn))) {
        await recordWrongPassword(db, request, "confirmation");
        throw invalid({ password: ["That is not your current password."] });
      }
      await refund();
      await confirmSession(db, id);
      return { data: { confirmed: true as const } };
    },
  }),
  route({
    ...COMMON,
    method: "POST",
    path: "/two-factor/totp",
    summary: "Start to set up an authenticator app",
    success: { status: 200, data: TotpEnrolmentRecord },
    handler: async ({ request }, { db, secretBox }) => {
      const { user } = changeableSessionOf(request);
      const enrolment = await db.transaction((tx) => startTotp(tx, secretBox, user));
      if (!enrolment) throw conflict("An authenticator app is set up already. Remove it first.");
      return { data: enrolment };
    },
  }),
  route({
    ...COMMON,
    method: "POST",
    path: "/two-factor/totp/confirm",
    summary: "Finish setting up an authenticator app with a code from it",
    body: Type.Object({ code: Type.String({ trim: true, minLength: 6, maxLength: 10 }) }),
    success: { status: 200, data: RecoveryCodes },
    handler: async ({ request, body }, { db, limits, secretBox }) => {
      const { id: sessionId, user } = confirmedSessionOf(request);
      const refund = await limits.attempt(`second-factor:${user.id}`, request.ip);
      const codes = await db.transaction(async (tx) => {
        if (await hasTotp(tx, user.id)) throw conflict("An authenticator app is set up already.");
        if (!(await acceptTotp(tx, secretBox, user.id, body.code)))
          throw invalid({ code: ["The code is wrong. Check the clock of your phone and enter the newest code."] });
        await recordOwnChange(tx, request, { action: "user.two_factor_enabled", changes: { method: "totp" } });
        return afterFactorAdded(tx, { userId: user.id, sessionId });
      });
      await refund();
      return { data: { recovery_codes: codes } };
    },
  }),
  route({
    ...COMMON,
    method: "DELETE",
    path: "/two-factor/totp",
    summary: "Remove the authenticator app",
    success: { status: 200, data: TwoFactorRecord },
    handler: async ({ request }, services) => {
      const { user } = confirmedSessionOf(request);
      await services.db.transaction(async (tx) => {
        if (!(await dropTotp(tx, user.id))) throw conflict("No authenticator app is set up.");
        await afterFactorRemoved(tx, user.id);
        await recordOwnChange(tx, request, { action: "user.two_factor_disabled", changes: { method: "totp" } });
      });
      return stateOf(services, request);
    },
  }),
  route({
    ...COMMON,
    method: "POST",
    path: "/two-factor/recovery-codes",
    summary: "Replace your recovery codes",
    success: { status: 200, data: RecoveryCodes },
    handler: async ({ request }, { db }) => {
      const { user } = confirmedSessionOf(request);
      const codes = await db.transaction(async (tx) => {
        if (methodsOf(await readTwoFactor(tx, user.id)).length === 0)
          throw conflict("Set up an authenticator app or a passkey first.");
        await recordOwnChange(tx, request, { action: "user.recovery_codes_replaced" });
        return replaceRecoveryCodes(tx, user.id);
      });
      return { data: { recovery_codes: codes } };
    },
  }),
  route({
    ...COMMON,
    method: "POST",
    path: "/passkeys/options",
    summary: "Start to add a passkey",
    success: { status: 200, data: PasskeyChallenge },
    handler: async ({ request }, { db, publicUrl }) => {
      const { user } = changeableSessionOf(request);
      const options = await registrationOptions(db, relyingPartyOf(request, publicUrl), user);
      const { challenge } = options;
      const token = await startChallenge(db, { purpose: "passkey_registration", userId: user.id, challenge });
      return { data: { token, options: options as unknown as Record<string, unknown> } };
    },
  }),
  route({
    ...COMMON,
    method: "POST",
    path: "/passkeys",
    summary: "Add a passkey",
    body: Type.Object({ token: Token, name: Name, response: PasskeyResponse }),
    success: { status: 201, data: RecoveryCodes },
    handler: async ({ request, body }, { db, publicUrl }) => {
      const { id: sessionId, user } = confirmedSessionOf(request);
      const { user_id: userId, challenge } = await attemptChallenge(db, body.token, "passkey_registration");
      if (userId !== user.id) throw forbidden("Another person began to add this passkey.");
      const party = relyingPartyOf(request, publicUrl);
      const codes = await db.transaction(async (tx) => {
        const given = { party, challenge: challenge ?? "", name: body.name, response: body.response };
        await addPasskey(tx, user.id, given);
        await endChallenge(tx, body.token);
        await recordOwnChange(tx, request, {
          action: "user.passkey_added",
          changes: { name: { from: null, to: body.name } },
        });
        return afterFactorAdded(tx, { userId: user.id, sessionId });
      });
      return { data: { recovery_codes: codes } };
    },
  }),
  route({
    ...COMMON,
    method: "DELETE",
    path: "/passkeys/{passkey}",
    summary: "Remove a passkey",
    success: { status: 200, data: TwoFactorRecord },
    handler: async ({ request, params }, services) => {
      const { user } = confirmedSessionOf(request);
      await services.db.transaction(async (tx) => {
        const { name } = await removePasskey(tx, user.id, params.passkey);
        await afterFactorRemoved(tx, user.id);
        await recordOwnChange(tx, request, {
          action: "user.passkey_removed",
          changes: { name: { from: name, to: null } },
        });
      });
      return stateOf(services, request);
    },
  }),
  route({
    ...COMMON,
    method: "DELETE",
    path: "/two-factor/wrong-codes",
    summary: "Dismiss the notice about wrong codes",
    success: { status: 200, data: TwoFactorRecord },
    handler: async ({ request }, services) => {
      await dismissWrongCodes(services.db, sessionOf(request).user.id);
      return stateOf(services, request);
    },
  }),
];

async function stateOf({ db, requireTwoFactor }: SigningInOptions, request: FastifyRequest) {
  const { user, confirmed_recently: confirmed, workspace } = sessionOf(request);
  const found = await readTwoFactor(db, user.id);
  const required = requireTwoFactor || workspace.require_two_factor;
  const wrong_codes = await readWrongCodes(db, user.id);
  return { data: { ...found, enabled: methodsOf(found).length > 0, required, confirmed, wrong_codes } };
}

function confirmedSessionOf(request: FastifyRequest) {
  const session = sessionOf(request);
  if (!session.confirmed_recently) throw forbidden("Confirm your password first: it was checked too long ago.");
  return session;
}

/** For adding a factor. An account without a password has no use for one but to get past the identity provider. */
function changeableSessionOf(request: FastifyRequest) {
  requireOwnPassword(sessionOf(request));
  return confirmedSessionOf(request);
}
