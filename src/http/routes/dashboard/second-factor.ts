import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { attemptChallenge, endChallenge, startChallenge } from "../../../accounts/challenges.ts";
import { countGuess, endGuesses, FREE_FAILURES } from "../../../accounts/code-guesses.ts";
import { membershipsOf } from "../../../accounts/members.ts";
import { authenticationOptions, ownerOfPasskey, verifyPasskey } from "../../../accounts/passkeys.ts";
import { recoveryCodesLeft } from "../../../accounts/recovery-codes.ts";
import type { SignInMethod } from "../../../accounts/sessions.ts";
import { acceptCode, methodsOf, readTwoFactor } from "../../../accounts/two-factor.ts";
import { findUser, lockUser, type User } from "../../../accounts/users.ts";
import { Fault, forbidden, invalid } from "../../../core/errors.ts";
import type { Tx } from "../../../db/database.ts";
import { recordFailedSignIn } from "./failed-sign-in.ts";
import { PasskeyChallenge, PasskeyResponse, SessionRecord, Token } from "./records.ts";
import { relyingPartyOf } from "./relying-party.ts";
import { route } from "./services.ts";
import {
  type CompletedBy,
  openSession,
  requirePasswords,
  respondWithSession,
  type SigningInOptions,
} from "./signing-in.ts";

const Code = Type.String({ trim: true, minLength: 6, maxLength: 32 });

/** Completing a sign-in with a second factor, and signing in with a passkey alone. */
export const secondFactorRoutes = [
  route({
    method: "POST",
    path: "/sign-in/second-factor",
    summary: "Complete a sign-in with a code or a passkey",
    access: "public",
    body: Type.Object({
      token: Token,
      code: Type.Optional(Code),
      recovery_code: Type.Optional(Code),
      passkey: Type.Optional(PasskeyResponse),
    }),
    success: { status: 200, data: SessionRecord },
    handler: async ({ request, reply, body }, services) => {
      const { db, limits } = services;
      requirePasswords(services);
      const { token, code, recovery_code, passkey } = body;
      if ([code, recovery_code, passkey].filter((given) => given !== undefined).length !== 1)
        throw invalid({ code: ["Send a code, a recovery_code or a passkey."] });
      const { user_id: userId, challenge } = await attemptChallenge(db, token, "second_factor");
      if (userId === null) throw new Error("A second factor of nobody.");
      const refund = await limits.attempt(`second-factor:${userId}`, request.ip);
      const given = { userId, challenge, code, recovery_code, passkey };
      const completedBy = await requireSecondFactor(services, request, given);
      await refund();
      return enter(services, { request, reply }, { token, userId, method: "password", completedBy });
    },
  }),
  route({
    method: "POST",
    path: "/sign-in/passkey-options",
    summary: "Start a sign-in with a passkey",
    access: "public",
    success: { status: 200, data: PasskeyChallenge },
    handler: async ({ request }, services) => {
      const { db, limits, publicUrl } = services;
      requirePasswords(services);
      const refund = await limits.attempt(null, request.ip);
      const asked = await authenticationOptions(db, relyingPartyOf(request, publicUrl), null);
      const token = await startChallenge(db, {
        purpose: "passkey_sign_in",
        userId: null,
        challenge: asked.challenge,
      });
      await refund();
      return { data: { token, options: asked as unknown as Record<string, unknown> } };
    },
  }),
  route({
    method: "POST",
    path: "/sign-in/passkey",
    summary: "Sign in with a passkey",
    access: "public",
    body: Type.Object({ token: Token, passkey: PasskeyResponse }),
    success: { status: 200, data: SessionRecord },
    handler: async ({ request, reply, body }, services) => {
      const { db, limits } = services;
      requirePasswords(services);
      const refund = await limits.attempt(null, request.ip);
      const { challenge } = await attemptChallenge(db, body.token, "passkey_sign_in");
      const userId = await passkeyUser(services, request, { challenge: challenge ?? "", response: body.passkey });
      await refund();
      return enter(services, { request, reply }, { token: body.token, userId, method: "passkey" });
    },
  }),
];

async function enter(
  options: SigningInOptions,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { token, userId, method, completedBy }: Entrance,
) {
  const { db, publicUrl } = options;
  const user = await findUser(db, { id: userId });
  if ((await membershipsOf(db, userId)).length === 0)
    throw forbidden("You belong to no workspace. Ask an owner for an invitation.");
  const opened = await db.transaction(async (tx) => {
    await lockUser(tx, userId);
    await endChallenge(tx, token);
    return openSession(options, tx, request, { user, method, secondFactor: true, completedBy });
  });
  request.log.info({ user_id: userId, ip: request.ip }, "signed in");
  return respondWithSession(options, { request, reply, publicUrl }, opened);
}

/** Whose passkey it is. A failure with a passkey that exists is one that an owner has to see. */
async function passkeyUser(
  { db, publicUrl }: SigningInOptions,
  request: FastifyRequest,
  { challenge, response }: { challenge: string; response: Record<string, unknown> },
): Promise<number> {
  try {
    return await verifyPasskey(db, { party: relyingPartyOf(request, publicUrl), challenge, response, userId: null });
  } catch (error) {
    const id = await ownerOfPasskey(db, response);
    if (id !== null) await recordFailedSignIn(db, request, { user: await findUser(db, { id }), method: "passkey" });
    throw error;
  }
}

interface Entrance {
  token: string;
  userId: number;
  method: SignInMethod;
  completedBy?: CompletedBy;
}

interface GivenFactor {
  userId: number;
  challenge: string | null;
  code?: string | undefined;
  recovery_code?: string | undefined;
  passkey?: Record<string, unknown> | undefined;
}

async function requireSecondFactor(
  options: SigningInOptions,
  request: FastifyRequest,
  given: GivenFactor,
): Promise<CompletedBy> {
  const { userId, challenge, code, recovery_code, passkey } = given;
  const factor = passkey ? "passkey" : recovery_code === undefined ? "totp" : "recovery_code";
  // A passkey cannot be guessed: it lets its owner in while codes have to wait.
  const guess = passkey ? null : await countGuess(options.db, userId, request.ip);
  try {
    if (passkey) {
      const party = relyingPartyOf(request, options.publicUrl);
      await verifyPasskey(options.db, { party, challenge: challenge ?? "", response: passkey, userId });
    } else if (!(await acceptCode(options.db, options.secretBox, userId, { code, recovery_code })))
      throw new Fault("UNAUTHORIZED", "The code is wrong or was used already.");
    await endGuesses(options.db, userId);
    if (factor !== "recovery_code") return { factor };
    const left = await recoveryCodesLeft(options.db, userId);
    return { factor, recovery_codes_left: { from: left + 1, to: left } };
  } catch (error) {
    // A person who gets here knows the password: these are the failures that an owner has to see.
    if (error instanceof Fault && error.code === "UNAUTHORIZED") {
      const user = await findUser(options.db, { id: userId });
      await recordFailedSignIn(options.db, request, { user, method: factor });
      if (guess?.failures === FREE_FAILURES + 1) await warnOfGuesses(options, request, user);
    }
    throw error;
  }
}

/** Once per row of failures, when codes begin to wait: another person may know the password. */
async function warnOfGuesses(
  { db, notices }: SigningInOptions,
  { ip }: FastifyRequest,
  { email }: User,
): Promise<void> {
  await db.transaction(async (tx) => notices?.wrongCodes(tx, { email, ip, count: FREE_FAILURES + 1 }));
}

/** What the browser has to ask for after a right password; null: the password is enough. */
export async function secondFactorFor(
  { publicUrl }: Pick<SigningInOptions, "publicUrl">,
  tx: Tx,
  request: FastifyRequest,
  user: User,
) {
  const methods = methodsOf(await readTwoFactor(tx, user.id));
  if (methods.length === 0) return null;
  const options = methods.includes("passkey")
    ? await authenticationOptions(tx, relyingPartyOf(request, publicUrl), user.id)
    : null;
  const token = await startChallenge(tx, {
    purpose: "second_factor",
    userId: user.id,
    challenge: options?.challenge ?? null,
  });
  return { token, methods, passkey_options: options as Record<string, unknown> | null };
}
