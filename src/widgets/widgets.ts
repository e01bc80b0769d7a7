import { randomInt } from "node:crypto";
import { auditOf, changesBetween } from "../audit/audit.ts";
import type { Caller } from "../core/caller.ts";
import { found } from "../core/errors.ts";
import { newUuid, type Ref, refValues } from "../core/ids.ts";
import type { SecretBox } from "../core/secret-box.ts";
import { type Queryable, sql, type Tx } from "../db/database.ts";
import { previousSecretsSql } from "../db/previous-secrets.ts";
import { requireQuota } from "../db/quota.ts";
import type { WidgetRecord } from "../resources/widget.ts";
import { identitySealContext, newIdentitySecret } from "./identity-secret.ts";
import { resolveMailbox } from "./mailbox.ts";
import { fieldsOf, type OwnFields, type WidgetInput } from "./widget-fields.ts";

const audit = auditOf("widget");

const WIDGETS_MAX = 1_000;

export const WIDGET_COLUMNS = `w.id, w.uuid, w.public_id, w.name, w.is_active, w.allowed_origins, w.require_identity,
  w.color, w.position, w.texts, w.ask_name, w.ask_email, w.collect_page, w.mailbox_id, w.created_at, w.updated_at`;

const FROM_NAMED = `from widgets w
   where w.workspace_id = $1
     and (w.id = $2 or w.uuid = $3)`;

const findStatement = sql("widget_find", `select ${WIDGET_COLUMNS} ${FROM_NAMED}`);
const lockStatement = sql("widget_lock", `select ${WIDGET_COLUMNS}, w.secret_sealed ${FROM_NAMED} for update`);
const insertStatement = sql(
  "widget_insert",
  `insert into widgets as w (workspace_id, uuid, public_id, secret_sealed, name, is_active, allowed_origins,
     require_identity, color, position, texts, ask_name, ask_email, collect_page,
     mailbox_id)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
   returning ${WIDGET_COLUMNS}`,
);
const updateStatement = sql(
  "widget_update",
  `update widgets w
   set name = $3,
     is_active = $4,
     allowed_origins = $5,
     require_identity = $6,
     color = $7,
     position = $8,
     texts = $9,
     ask_name = $10,
     ask_email = $11,
     collect_page = $12,
     mailbox_id = $13,
     updated_at = greatest(w.updated_at, now())
   where w.workspace_id = $1
     and w.id = $2
   returning ${WIDGET_COLUMNS}`,
);
const deleteStatement = sql("widget_delete", "delete from widgets where workspace_id = $1 and id = $2");
const rotateStatement = sql(
  "widget_rotate_secret",
  `update widgets w
   set secret_sealed = $3,
     updated_at = greatest(w.updated_at, now()),
     previous_secrets = ${previousSecretsSql("w", "$4")}
   where w.workspace_id = $1
     and w.id = $2
   returning ${WIDGET_COLUMNS}`,
);

export async function findWidget(db: Queryable, workspaceId: number, ref: Ref): Promise<WidgetRecord> {
  return found("widget", await db.query<WidgetRecord>(findStatement, [workspaceId, ...refValues(ref)]));
}

/** The widget, locked until the transaction ends. */
export async function lockWidget(tx: Tx, workspaceId: number, ref: Ref): Promise<WidgetRecord> {
  return (await lock(tx, workspaceId, ref)).record;
}

export async function createWidget(
  tx: Tx,
  secretBox: SecretBox,
  caller: Caller,
  input: WidgetInput,
): Promise<WidgetRecord & { secret: string }> {
  const { workspaceId } = caller;
  await requireQuota(tx, { workspaceId, collection: "widgets", max: WIDGETS_MAX });
  const uuid = newUuid();
  const secret = newIdentitySecret();
  const sealed = secretBox.seal(secret, identitySealContext(uuid));
  const fields = fieldsOf(await resolveMailbox(tx, workspaceId, input));
  const values = [workspaceId, uuid, newPublicId(), sealed, ...valuesOf(fields)];
  const widget = found("widget", await tx.query<WidgetRecord>(insertStatement, values));
  await audit(tx, caller, { action: "widget.created", id: widget.id });
  return { ...widget, secret };
}

/** Changes the given fields. A patch that changes nothing writes nothing. */
export async function patchWidget(tx: Tx, caller: Caller, ref: Ref, patch: WidgetInput): Promise<WidgetRecord> {
  const { workspaceId } = caller;
  const { record: before } = await lock(tx, workspaceId, ref);
  const next = fieldsOf(await resolveMailbox(tx, workspaceId, patch), before);
  const changes = changesBetween(before, next);
  if (Object.keys(changes).length === 0) return before;
  const after = found(
    "widget",
    await tx.query<WidgetRecord>(updateStatement, [workspaceId, before.id, ...valuesOf(next)]),
  );
  await audit(tx, caller, { action: "widget.updated", id: before.id, changes });
  return after;
}

/** Its conversations stay. Its sessions cannot be used from here on and are deleted in the background. */
export async function deleteWidget(tx: Tx, caller: Caller, ref: Ref): Promise<WidgetRecord> {
  const { record } = await lock(tx, caller.workspaceId, ref);
  await tx.query(deleteStatement, [caller.workspaceId, record.id]);
  await audit(tx, caller, { action: "widget.deleted", id: record.id });
  return record;
}

/** Tokens that the old secret has signed are valid until the overlap ends. */
export async function rotateIdentitySecret(
  tx: Tx,
  secretBox: SecretBox,
  caller: Caller,
  { ref, overlapSeconds }: { ref: Ref; overlapSeconds: number },
): Promise<WidgetRecord & { secret: string }> {
  const { workspaceId } = caller;
  const { record } = await lock(tx, workspaceId, ref);
  const secret = newIdentitySecret();
  const sealed = secretBox.seal(secret, identitySealContext(record.uuid));
  const after = found(
    "widget",
    await tx.query<WidgetRecord>(rotateStatement, [workspaceId, record.id, sealed, overlapSeconds]),
  );
  const changes = { overlap_seconds: overlapSeconds };
  await audit(tx, caller, { action: "widget.secret_rotated", id: record.id, changes });
  return { ...after, secret };
}

/** Reading the secret leaves an audit entry. */
export async function revealIdentitySecret(tx: Tx, secretBox: SecretBox, caller: Caller, ref: Ref): Promise<string> {
  const { record, sealed } = await lock(tx, caller.workspaceId, ref);
  await audit(tx, caller, { action: "widget.secret_read", id: record.id });
  return secretBox.open(sealed, identitySealContext(record.uuid));
}

async function lock(tx: Tx, workspaceId: number, ref: Ref): Promise<{ record: WidgetRecord; sealed: string }> {
  const values = [workspaceId, ...refValues(ref)];
  const { secret_sealed: sealed, ...record } = found(
    "widget",
    await tx.query<WidgetRecord & { secret_sealed: string }>(lockStatement, values),
  );
  return { record, sealed };
}

const valuesOf = (fields: OwnFields): unknown[] => [
  fields.name,
  fields.is_active,
  fields.allowed_origins,
  fields.require_identity,
  fields.color,
  fields.position,
  JSON.stringify(fields.texts),
  fields.ask_name,
  fields.ask_email,
  fields.collect_page,
  fields.mailbox_id,
];

const PUBLIC_ID_ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";
const PUBLIC_ID_CHARS = 24;

const newPublicId = (): string =>
  `wid_${Array.from({ length: PUBLIC_ID_CHARS }, () => PUBLIC_ID_ALPHABET[randomInt(PUBLIC_ID_ALPHABET.length)]).join("")}`;
