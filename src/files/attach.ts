import type { Caller } from "../core/caller.ts";
import { invalid } from "../core/errors.ts";
import { parseRef } from "../core/ids.ts";
import { sql, type Tx } from "../db/database.ts";
import { FILE_COLUMNS, type FileRow } from "./file-row.ts";

/** What a file is being attached to. Neither: a message that is not written yet. */
export interface Holder {
  messageId?: number | undefined;
  draftId?: number | undefined;
}

export interface AttachTarget extends Holder {
  /** The field of the body that the attachments are in, if they are not at its top. */
  within?: string | undefined;
  /** The caller sends a draft: its files were attached by its author. */
  fromDraft?: boolean | undefined;
}

// In the order of their ids, so that two requests for the same files wait for each other instead of deadlocking. A caller
// who may not read messages can attach only what it has uploaded itself: the response shows a link to the file.
const lockStatement = sql(
  "file_attach_lock",
  `select ${FILE_COLUMNS},
     f.message_id is not null and f.message_id is distinct from $4
       or f.draft_id is not null and f.draft_id is distinct from $5 and not (
         d.author_type = 'user' and $6 = 'user' and d.author_id = $7) as taken
   from files f
   left join drafts d on d.workspace_id = f.workspace_id and d.id = f.draft_id
   where f.workspace_id = $1
     and (f.id = any($2::bigint[]) or f.uuid = any($3::uuid[]))
     and f.size_bytes is not null
     and ($8 or (f.uploader_type = $6 and f.uploader_id = $7))
   order by f.id
   for update of f`,
);
const holdByMessage = sql(
  "file_hold_by_message",
  `update files
   set message_id = $2,
     draft_id = null
   where workspace_id = $1
     and id = any($3::bigint[])`,
);
const holdByDraft = sql(
  "file_hold_by_draft",
  `update files
   set draft_id = $2
   where workspace_id = $1
     and id = any($3::bigint[])`,
);
const dropFromMessage = sql(
  "file_drop_from_message",
  `delete from files
   where workspace_id = $1
     and message_id = $2
     and id <> all($3::bigint[])`,
);
const dropFromDraft = sql(
  "file_drop_from_draft",
  `update files
   set draft_id = null
   where workspace_id = $1
     and draft_id = $2
     and id <> all($3::bigint[])`,
);

/** A file as an attachment of a body names it: its position in the list, and its id or uuid. */
interface NamedFile {
  position: number;
  file_id: number | string;
}

/** Locks the files that a body names, for the holder. All that is wrong with them is reported together. */
export async function lockFiles(
  tx: Tx,
  caller: Caller,
  named: readonly NamedFile[],
  { messageId, draftId, within, fromDraft = false }: AttachTarget,
): Promise<Map<number, FileRow>> {
  const refs = named.map(({ file_id }) => parseRef(String(file_id)));
  const rows = await tx.query<FileRow & { taken: boolean }>(lockStatement, [
    caller.workspaceId,
    refs.flatMap((ref) => ref?.id ?? []),
    refs.flatMap((ref) => ref?.uuid ?? []),
    messageId ?? null,
    draftId ?? null,
    caller.actor.type,
    caller.actor.id,
    fromDraft || caller.scopes.has("messages:read"),
  ]);
  const found = new Map<number, FileRow>();
  const problems: string[] = [];
  const seen = new Set<number>();
  const prefix = within === undefined ? "" : `${within}.`;
  named.forEach(({ position }, index) => {
    const ref = refs[index];
    const row = rows.find(({ id, uuid }) => id === ref?.id || uuid === ref?.uuid);
    const problem = problemOf(row, seen);
    if (problem !== null) problems.push(`${prefix}attachments[${position}] ${problem}`);
    else if (row) {
      seen.add(row.id);
      const { taken: _, ...file } = row;
      found.set(position, file);
    }
  });
  if (problems.length > 0) throw invalid({ [within ?? "attachments"]: problems });
  return found;
}

function problemOf(row: { id: number; taken: boolean } | undefined, seen: ReadonlySet<number>): string | null {
  if (!row) return "names a file that does not exist.";
  if (row.taken) return "names a file that belongs to another message or draft.";
  return seen.has(row.id) ? "repeats a file." : null;
}

/**
 * Makes the files belong to the message or draft, and no others: what a message no longer holds is deleted, what a draft
 * no longer holds is unused again.
 */
export async function holdFiles(
  tx: Tx,
  workspaceId: number,
  { messageId, draftId }: Holder,
  fileIds: readonly number[],
): Promise<void> {
  const [holder, hold, drop] =
    messageId === undefined ? [draftId, holdByDraft, dropFromDraft] : [messageId, holdByMessage, dropFromMessage];
  if (fileIds.length > 0) await tx.query(hold, [workspaceId, holder, fileIds]);
  await tx.query(drop, [workspaceId, holder, fileIds]);
}
