import { isDeepStrictEqual } from "node:util";
import { conflict, found, invalid } from "../core/errors.ts";
import { newUuid, type Ref, refValues } from "../core/ids.ts";
import { type Queryable, sql, type Tx } from "../db/database.ts";
import { isUniqueViolation } from "../db/errors.ts";
import { requireQuota } from "../db/quota.ts";
import type { SavedReplyRecord } from "../resources/conversations.ts";
import { given, textOf } from "./fields.ts";

interface SavedReplyInput {
  name?: string | undefined;
  /** Empty: none. */
  shortcut?: string | undefined;
  body?: string | undefined;
}

/** What is filled in where a saved reply is inserted. */
const VARIABLES = ["contact.name", "contact.email", "agent.name", "conversation.id"] as const;

const SAVED_REPLIES_MAX = 1_000;
/** Of all texts together: the list is read as a whole. */
const TEXT_BYTES_MAX = 4 * 1024 * 1024;

const COLUMNS = "s.id, s.uuid, s.name, s.shortcut, s.body, s.created_at, s.updated_at";
const FROM_NAMED = `from saved_replies s
   where s.workspace_id = $1
     and (s.id = $2 or s.uuid = $3)`;

const listStatement = sql(
  "saved_reply_list",
  `select ${COLUMNS}
   from saved_replies s
   where s.workspace_id = $1
     and ($2::text is null
       or position(lower($2) in lower(concat_ws(E'\\n', s.name, s.shortcut, s.body))) > 0)
   order by lower(s.name), s.id
   limit ${SAVED_REPLIES_MAX}`,
);
const textBytesStatement = sql(
  "saved_reply_text_bytes",
  "select sum(octet_length(body)) as bytes from saved_replies where workspace_id = $1",
);
const findStatement = sql("saved_reply_find", `select ${COLUMNS} ${FROM_NAMED}`);
const lockStatement = sql("saved_reply_lock", `select ${COLUMNS} ${FROM_NAMED} for update`);
const insertStatement = sql(
  "saved_reply_insert",
  `insert into saved_replies as s (workspace_id, uuid, name, shortcut, body)
   values ($1, $2, $3, $4, $5)
   returning ${COLUMNS}`,
);
const updateStatement = sql(
  "saved_reply_update",
  `update saved_replies s
   set name = $3,
     shortcut = $4,
     body = $5,
     updated_at = greatest(s.updated_at, now())
   where s.workspace_id = $1
     and s.id = $2
   returning ${COLUMNS}`,
);
const deleteStatement = sql("saved_reply_delete", "delete from saved_replies where workspace_id = $1 and id = $2");

/** By name: there are few, and the author of a reply looks through all of them. */
export const listSavedReplies = (db: Queryable, workspaceId: number, search?: string): Promise<SavedReplyRecord[]> =>
  db.query<SavedReplyRecord>(listStatement, [workspaceId, search ?? null]);

export async function findSavedReply(db: Queryable, workspaceId: number, ref: Ref): Promise<SavedReplyRecord> {
  return found("saved reply", await db.query<SavedReplyRecord>(findStatement, [workspaceId, ...refValues(ref)]));
}

export async function lockSavedReply(tx: Tx, workspaceId: number, ref: Ref): Promise<SavedReplyRecord> {
  return found("saved reply", await tx.query<SavedReplyRecord>(lockStatement, [workspaceId, ...refValues(ref)]));
}

export async function createSavedReply(tx: Tx, workspaceId: number, input: SavedReplyInput): Promise<SavedReplyRecord> {
  await requireQuota(tx, { workspaceId, collection: "saved_replies", max: SAVED_REPLIES_MAX });
  const values = [newUuid(), input.name, textOf(input.shortcut) ?? null, input.body];
  const rows = await unlessTaken(() => tx.query<SavedReplyRecord>(insertStatement, [workspaceId, ...values]));
  await requireTextRoom(tx, workspaceId);
  return found("saved reply", rows);
}

export async function patchSavedReply(
  tx: Tx,
  workspaceId: number,
  ref: Ref,
  patch: SavedReplyInput,
): Promise<SavedReplyRecord> {
  const before = await lockSavedReply(tx, workspaceId, ref);
  const next = [patch.name ?? before.name, given(textOf(patch.shortcut), before.shortcut), patch.body ?? before.body];
  if (isDeepStrictEqual(next, [before.name, before.shortcut, before.body])) return before;
  const values = [workspaceId, before.id, ...next];
  const rows = await unlessTaken(() => tx.query<SavedReplyRecord>(updateStatement, values));
  if (Buffer.byteLength(patch.body ?? "") > Buffer.byteLength(before.body)) await requireTextRoom(tx, workspaceId);
  return found("saved reply", rows);
}

async function requireTextRoom(tx: Tx, workspaceId: number): Promise<void> {
  const [row] = await tx.query<{ bytes: number | null }>(textBytesStatement, [workspaceId]);
  if ((row?.bytes ?? 0) > TEXT_BYTES_MAX)
    throw invalid({ saved_replies: ["This workspace has reached its limit of 4 MiB of saved replies."] });
}

export async function deleteSavedReply(tx: Tx, workspaceId: number, ref: Ref): Promise<SavedReplyRecord> {
  const reply = await lockSavedReply(tx, workspaceId, ref);
  await tx.query(deleteStatement, [workspaceId, reply.id]);
  return reply;
}

/** What is wrong with the variables of a text. */
export function variableProblems(body: string | undefined): string[] {
  const names = [...(body ?? "").matchAll(/\{\{([^{}]*)\}\}/g)].map(([, name = ""]) => name.trim());
  return [...new Set(names)]
    .filter((name) => !VARIABLES.some((known) => known === name))
    .map((name) => `body has an unknown variable {{${name.slice(0, 64)}}}. Known are ${KNOWN}.`);
}

const KNOWN = VARIABLES.map((name) => `{{${name}}}`).join(", ");

async function unlessTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error, "saved_replies_workspace_id_shortcut_key"))
      throw conflict("Another saved reply has this shortcut.");
    throw error;
  }
}
