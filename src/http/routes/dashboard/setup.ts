import { Type } from "typebox";
import { emailProblems } from "../../../accounts/email.ts";
import { passwordProblems } from "../../../accounts/passwords.ts";
import { createFirstOwner, needsSetup, requireSetupLink } from "../../../accounts/setup.ts";
import { updateWorkspace } from "../../../accounts/workspaces.ts";
import { problems } from "../../../core/errors.ts";
import { Email, Name, NewPassword, SessionRecord, Token } from "./records.ts";
import { route } from "./services.ts";
import { fromRequest, hashingTurnOf, openSession, requirePasswords, respondWithSession } from "./signing-in.ts";

const SetupState = Type.Object({ needed: Type.Boolean() }, { title: "SetupState" });

/** The first run: the person who opens the link that the server printed becomes the owner. */
export const setupRoutes = [
  route({
    method: "GET",
    path: "/setup",
    summary: "Whether the first owner is still to be created",
    access: "public",
    success: { status: 200, data: SetupState },
    handler: async (_context, { db }) => ({ data: { needed: await needsSetup(db) } }),
  }),
  route({
    method: "POST",
    path: "/setup-check",
    summary: "Whether a set-up link works, before its form is filled in",
    access: "public",
    body: Type.Object({ token: Token }),
    success: { status: 200, data: Type.Object({ valid: Type.Literal(true) }, { title: "SetupCheck" }) },
    handler: async ({ body }, { db }) => {
      await requireSetupLink(db, body.token);
      return { data: { valid: true as const } };
    },
  }),
  route({
    method: "POST",
    path: "/setup",
    summary: "Create the first owner, with the link that the server printed",
    access: "public",
    body: Type.Object({
      token: Token,
      name: Name,
      email: Email,
      password: NewPassword,
      workspace_name: Type.Optional(Name),
    }),
    success: { status: 201, data: SessionRecord },
    check: ({ body }) =>
      problems({
        email: body.email === undefined ? [] : emailProblems(body.email),
        password: body.password === undefined ? [] : passwordProblems(body.password),
      }),
    handler: async ({ request, reply, body }, services) => {
      const { db, limits, passwords, publicUrl } = services;
      requirePasswords(services);
      const refund = await limits.attempt("setup", request.ip);
      await requireSetupLink(db, body.token);
      const passwordHash = await passwords.hash(body.password, await hashingTurnOf(db, request, null));
      const input = { name: body.name, email: body.email, passwordHash };
      const opened = await db.transaction(async (tx) => {
        const claim = { token: body.token, from: fromRequest(request) };
        const { user, caller } = await createFirstOwner(tx, claim, input);
        if (body.workspace_name !== undefined) await updateWorkspace(tx, caller, { name: body.workspace_name });
        return openSession(services, tx, request, { user, method: "password", secondFactor: false });
      });
      await refund();
      return respondWithSession(services, { request, reply, publicUrl }, opened);
    },
  }),
];
