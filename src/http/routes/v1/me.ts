import { Type } from "typebox";
import { ROLES } from "../../../accounts/roles.ts";
import { findKey } from "../../../auth/key-record.ts";
import { SCOPES } from "../../../auth/scopes.ts";
import { findWorkspace } from "../../../auth/workspaces.ts";
import { ApiKeyRecord } from "../../../resources/api-key.ts";
import { Id, oneOf, Uuid } from "../../../resources/common.ts";
import { route } from "./services.ts";

const Me = Type.Object(
  {
    api_key: Type.Optional(ApiKeyRecord),
    user: Type.Optional(
      Type.Object(
        { id: Id, uuid: Uuid, name: Type.String(), email: Type.String(), role: oneOf(ROLES) },
        { description: "Instead of `api_key`, for a user who is signed in to the dashboard." },
      ),
    ),
    scopes: Type.Array(oneOf(SCOPES), {
      description: "The scopes that follow from the key's abilities or the user's role.",
    }),
    workspace: Type.Object({ id: Id, uuid: Uuid, name: Type.String() }),
  },
  { title: "Me" },
);

export const meRoutes = [
  route({
    method: "GET",
    path: "/me",
    summary: "Get the API key in use and its scopes",
    access: "any",
    success: { status: 200, data: Me },
    handler: async ({ principal, request: { session } }, { db }) => {
      const scopes = [...principal.scopes];
      if (principal.kind === "user") {
        if (!session) throw new Error("A user without a session.");
        const { role, ...workspace } = session.workspace;
        return { data: { user: { ...session.user, role }, scopes, workspace } };
      }
      const [key, workspace] = await Promise.all([
        findKey(db, principal.workspaceId, { id: principal.apiKeyId }),
        findWorkspace(db, { id: principal.workspaceId }),
      ]);
      if (!workspace) throw new Error("A key without a workspace.");
      return { data: { api_key: key, scopes, workspace } };
    },
  }),
];
