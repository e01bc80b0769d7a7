import type { Caller } from "../core/caller.ts";
import { conflict, found } from "../core/errors.ts";
import { type Ref, refValues } from "../core/ids.ts";
import { type Database, type Queryable, sql, type Tx } from "../db/database.ts";
import { FILE_COLUMNS, type FileRow } from "./file-row.ts";

const HOURS_UNUSED_MAX = 24;
const EXPIRE_BATCH = 50;

// What a person has not sent yet is visible to that person only, as the draft is that holds it.
const FROM_NAMED = `from files f
   left join drafts d on d.workspace_id = f.workspace_id and d.id = f.draft_id
   where f.workspace_id = $1
     and (f.id = $2 or f.uuid = $3)
     and f.size_bytes is not null
     and (d.author_type is null
       or d.author_type <> 'user'
       or (d.author_type = $4 and d.author_id = $5))`;

const findStatement = sql("file_find", `select ${FILE_COLUMNS} ${FROM_NAMED}`);
const lockStatement = sql(
  "file_lock",
  `select ${FILE_COLUMNS}, f.message_id is not null or f.draft_id is not null as held
   ${FROM_NAMED}
   for update of f`,
);
const deleteStatement = sql("file_delete", "delete from files where workspace_id = $1 and id = $2");
const expireStatement = sql(
  "file_expire",
  `delete from files
   where (workspace_id, id) in (
     select workspace_id, id
     from files
     where message_id is null
       and draft_id is null
       and created_at < now() - make_interval(hours => ${HOURS_UNUSED_MAX})
     order by created_at
     limit ${EXPIRE_BATCH}
     for update skip locked)
   returning 1`,
);

const valuesOf = ({ workspaceId, actor }: Caller, ref: Ref) => [workspaceId, ...refValues(ref), actor.type, actor.id];

export async function findFile(db: Queryable, caller: Caller, ref: Ref): Promise<FileRow> {
  return found("file", await db.query<FileRow>(findStatement, valuesOf(caller, ref)));
}

/** Only a file that nothing holds: one that was sent is deleted with its message. */
export async function deleteFile(tx: Tx, caller: Caller, ref: Ref): Promise<FileRow> {
  const rows = await tx.query<FileRow & { held: boolean }>(lockStatement, valuesOf(caller, ref));
  const { held, ...file } = found("file", rows);
  if (held) throw conflict("The file is attached to a message or a draft. Remove it there.");
  await tx.query(deleteStatement, [caller.workspaceId, file.id]);
  return file;
}

/** Removes files that nothing has held for a day, and uploads that never ended. Called by the housekeeping loop. */
export async function expireFiles(db: Database): Promise<void> {
  while ((await db.query(expireStatement)).length === EXPIRE_BATCH);
}
