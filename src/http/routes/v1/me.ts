import { Type } from "typebox";
import { findKey } from "../../../auth/keys.ts";
import { SCOPES } from "../../../auth/scopes.ts";
import { findWorkspace } from "../../../auth/workspaces.ts";
import type { Database } from "../../../db/database.ts";
import { ApiKeyRecord } from "../../../resources/api-key.ts";
import { Id, oneOf, Uuid } from "../../../resources/common.ts";
import { type RouteSpec, route } from "../../route.ts";

const Me = Type.Object(
  {
    api_key: ApiKeyRecord,
    scopes: Type.Array(oneOf(SCOPES), { description: "What the key's abilities amount to." }),
    workspace: Type.Object({ id: Id, uuid: Uuid, name: Type.String() }),
  },
  { title: "Me" },
);

export function meRoutes(db: Database): RouteSpec[] {
  return [
    route({
      method: "GET",
      path: "/me",
      tag: "API keys",
      summary: "What this key is and may do",
      access: "any",
      success: { status: 200, data: Me },
      handler: async ({ principal }) => {
        const [key, workspace] = await Promise.all([
          findKey(db, principal.workspaceId, { id: principal.keyId }),
          findWorkspace(db, { id: principal.workspaceId }),
        ]);
        if (!workspace) throw new Error("A key without a workspace.");
        return { data: { api_key: key, scopes: [...principal.scopes], workspace } };
      },
    }),
  ];
}
