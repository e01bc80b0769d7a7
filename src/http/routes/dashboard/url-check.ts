import { Type } from "typebox";
import { MANAGERS } from "../../../accounts/roles.ts";
import { NullableString } from "../../../resources/common.ts";
import { route } from "./services.ts";

const UrlVerdict = Type.Object(
  {
    problem: NullableString,
    resolves: Type.Boolean({ description: "False if this server finds no address for the name." }),
  },
  { title: "UrlVerdict" },
);

/** What saving a webhook would say about its URL, and whether its name resolves: for the form, while it is typed. */
export const urlCheckRoutes = [
  route({
    method: "POST",
    path: "/url-check",
    summary: "Check the URL of a webhook",
    access: "any",
    roles: MANAGERS,
    body: Type.Object({ url: Type.String({ minLength: 1, maxLength: 4_096 }) }),
    success: { status: 200, data: UrlVerdict },
    handler: async ({ caller, body }, { checkUrl }) => {
      const verdict = await checkUrl(body.url, caller.workspaceId);
      return {
        data: verdict.ok ? { problem: null, resolves: verdict.resolves } : { problem: verdict.message, resolves: true },
      };
    },
  }),
];
