import { isDeepStrictEqual } from "node:util";
import type { Origin } from "../core/caller.ts";
import { newUuid } from "../core/ids.ts";
import { sql, type Tx } from "../db/database.ts";

export const AUDIT_ACTIONS = [
  "api_key.created",
  "api_key.updated",
  "api_key.paused",
  "api_key.resumed",
  "api_key.rotated",
  "api_key.old_secret_revoked",
  "api_key.revoked",
  "webhook.created",
  "webhook.updated",
  "webhook.deleted",
  "webhook.enabled",
  "webhook.disabled",
  "webhook.secret_read",
  "webhook.secret_rotated",
  "mailbox.created",
  "mailbox.updated",
  "mailbox.deleted",
  "mailbox.paused",
  "mailbox.resumed",
  "widget.created",
  "widget.updated",
  "widget.deleted",
  "widget.secret_read",
  "widget.secret_rotated",
  "consumer.created",
  "consumer.updated",
  "consumer.reset",
  "consumer.deleted",
  "view.created",
  "view.updated",
  "view.deleted",
  "contact.blocked",
  "contact.unblocked",
  "contact.sessions_ended",
  "member.added",
  "member.role_changed",
  "member.removed",
  "invitation.created",
  "invitation.revoked",
  "invitation.accepted",
  "user.signed_in",
  "user.sign_in_failed",
  "user.signed_out",
  "user.renamed",
  "user.password_changed",
  "user.password_check_failed",
  "user.password_reset_requested",
  "user.password_reset",
  "user.two_factor_enabled",
  "user.two_factor_disabled",
  "user.recovery_codes_replaced",
  "user.passkey_added",
  "user.passkey_removed",
  "user.sso_linked",
  "user.sso_unlinked",
  "user.notifications_changed",
  "user.push_enabled",
  "user.push_disabled",
  "workspace.alert_settings_changed",
  "workspace.created",
  "workspace.inbox_settings_changed",
  "workspace.renamed",
  "workspace.updated",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const AUDITED_TYPES = [
  "api_key",
  "webhook",
  "widget",
  "consumer",
  "contact",
  "user",
  "invitation",
  "workspace",
  "mailbox",
  "view",
] as const;
export type AuditedType = (typeof AUDITED_TYPES)[number];

interface AuditEntry {
  /** The caller's own, unless said otherwise. */
  workspaceId?: number;
  action: AuditAction;
  resource: { type: AuditedType; id: number };
  /** Field names with their old and new values; never a secret. */
  changes?: Record<string, unknown>;
}

interface Author extends Origin {
  workspaceId?: number;
}

const insertEntry = sql(
  "audit_insert",
  `insert into audit_logs (workspace_id, uuid, actor_type, actor_id, actor_name, action,
     resource_type, resource_id, ip, request_id, changes)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
);

/** Who did what to which resource, from where; in the transaction of the change. */
export async function recordAudit(tx: Tx, { actor, ip, requestId, ...by }: Author, entry: AuditEntry): Promise<void> {
  const workspaceId = entry.workspaceId ?? by.workspaceId;
  if (workspaceId === undefined) throw new Error("An audit entry belongs to a workspace.");
  await tx.query(insertEntry, [
    workspaceId,
    newUuid(),
    actor.type,
    actor.id,
    actor.name,
    entry.action,
    entry.resource.type,
    entry.resource.id,
    ip,
    requestId,
    JSON.stringify(entry.changes ?? {}),
  ]);
}

/** The same for resources of one type. */
export const auditOf =
  (type: AuditedType) =>
  (tx: Tx, author: Author, { id, ...entry }: Omit<AuditEntry, "resource"> & { id: number }) =>
    recordAudit(tx, author, { ...entry, resource: { type, id } });

/** The old and the new value of each field that has changed; empty: none has. */
export const changesBetween = <T extends object>(before: T, after: { readonly [Field in keyof T]?: unknown }) =>
  Object.fromEntries(
    Object.entries(after)
      .map(([field, to]) => [field, { from: before[field as keyof T], to }] as const)
      .filter(([, { from, to }]) => !isDeepStrictEqual(from, to)),
  );
