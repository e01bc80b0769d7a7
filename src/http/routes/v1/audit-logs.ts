import { Type } from "typebox";
import { AUDIT_ACTIONS, AUDITED_TYPES } from "../../../audit/audit.ts";
import { auditReader } from "../../../audit/audit-list.ts";
import { Id, NullableInteger, NullableString, oneOf, Timestamp, Uuid } from "../../../resources/common.ts";
import { PageQuery, readPage } from "../../pipeline/paging.ts";
import { CreatedBetween } from "../../pipeline/query.ts";
import { API_BASE } from "../../pipeline/route.ts";
import { route } from "./services.ts";

const AuditLog = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    action: oneOf(AUDIT_ACTIONS),
    actor: Type.Object({ type: Type.String(), id: NullableInteger, name: NullableString }),
    resource: Type.Object({ type: Type.String(), id: Id }),
    ip: NullableString,
    request_id: NullableString,
    changes: Type.Record(Type.String(), Type.Unknown()),
    created_at: Timestamp,
  },
  { title: "AuditLog" },
);

export const auditLogRoutes = [
  route({
    method: "GET",
    path: "/audit-logs",
    summary: "List the audit log: who did what to which key, webhook or member",
    description: "Newest first.",
    access: "audit:read",
    query: Type.Object({
      action: Type.Optional(oneOf(AUDIT_ACTIONS)),
      resource_type: Type.Optional(oneOf(AUDITED_TYPES)),
      resource_id: Type.Optional(Type.Integer({ minimum: 1 })),
      actor_id: Type.Optional(Type.Integer({ minimum: 1, description: "The user or key that acted." })),
      ...CreatedBetween,
      ...PageQuery,
    }),
    success: { status: 200, data: Type.Array(AuditLog), paged: "always" },
    handler: ({ principal, query }, { db }) =>
      readPage(auditReader(db, principal.workspaceId, query), query, `${API_BASE}/audit-logs`) as never,
  }),
];
