import { Type } from "typebox";
import { hideFirstSteps, readFirstSteps } from "../../../accounts/first-steps.ts";
import { MANAGERS } from "../../../accounts/roles.ts";
import { route } from "./services.ts";

const PATH = "/first-steps";

const FirstSteps = Type.Object(
  {
    invited: Type.Boolean({ description: "There is a second member, or an invitation." }),
    connected: Type.Boolean({ description: "There is a widget or a mailbox." }),
    received: Type.Boolean({ description: "A customer has written." }),
    replied: Type.Boolean({ description: "A person has replied." }),
    webhook: Type.Boolean({ description: "Something was sent to a webhook." }),
    hidden: Type.Boolean({ description: "A manager has hidden them." }),
  },
  { title: "FirstSteps" },
);

/** What a new team does first, and what of it has happened. */
export const firstStepRoutes = [
  route({
    method: "GET",
    path: PATH,
    summary: "Which first steps are done",
    access: "any",
    roles: MANAGERS,
    success: { status: 200, data: FirstSteps },
    handler: async ({ caller }, { db }) => ({ data: await readFirstSteps(db, caller.workspaceId) }),
  }),
  route({
    method: "PATCH",
    path: PATH,
    summary: "Hide the first steps, or show them again",
    access: "any",
    roles: MANAGERS,
    body: Type.Object({ hidden: Type.Boolean() }),
    success: { status: 200, data: FirstSteps },
    handler: ({ caller, body, write }) =>
      write(async (tx) => ({ data: await hideFirstSteps(tx, caller, body.hidden) })),
  }),
];
