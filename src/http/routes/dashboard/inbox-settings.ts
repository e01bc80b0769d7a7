import { Type } from "typebox";
import { changeInboxSettings, readInboxSettings } from "../../../accounts/inbox-settings.ts";
import { MANAGERS } from "../../../accounts/roles.ts";
import { route } from "./services.ts";

const PATH = "/inbox-settings";

const InboxSettings = Type.Object(
  {
    assign_on_first_reply: Type.Boolean({
      description: "The first public reply of a person in a conversation without assignee assigns it to that person.",
    }),
  },
  { title: "InboxSettings" },
);

export const inboxSettingRoutes = [
  route({
    method: "GET",
    path: PATH,
    summary: "Get the settings of the inbox",
    access: "any",
    roles: MANAGERS,
    success: { status: 200, data: InboxSettings },
    handler: async ({ caller }, { db }) => ({ data: await readInboxSettings(db, caller.workspaceId) }),
  }),
  route({
    method: "PATCH",
    path: PATH,
    summary: "Change the settings of the inbox",
    access: "any",
    roles: MANAGERS,
    body: Type.Partial(InboxSettings),
    success: { status: 200, data: InboxSettings },
    handler: ({ caller, body, write }) => write(async (tx) => ({ data: await changeInboxSettings(tx, caller, body) })),
  }),
];
