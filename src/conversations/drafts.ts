import { isDeepStrictEqual } from "node:util";
import { found, invalid, problems } from "../core/errors.ts";
import { newUuid, type Ref, refValues } from "../core/ids.ts";
import { type Queryable, queryOne, sql, type Tx } from "../db/database.ts";
import type { EventType } from "../events/catalogue.ts";
import type { DraftRecord, MessageRecord } from "../resources/conversations.ts";
import {
  type AttachmentInput,
  comparable,
  holdAttached,
  holdsFiles,
  resolveAttachments,
  withRenewedLinks,
} from "./attachments.ts";
import { lockForMessage, viewerOf } from "./conversation-find.ts";
import { createMessage } from "./message-writer.ts";
import { BODY_OR_ATTACHMENT } from "./messages.ts";
import { isNamedBy, type Named } from "./named-resources.ts";
import type { AttachContext } from "./reply-mail.ts";
import type { WriteContext } from "./write-context.ts";

/** Null and absent are the same. */
export interface DraftInput {
  body?: string | null | undefined;
  private?: boolean | null | undefined;
  attachments?: AttachmentInput[] | null | undefined;
}

/** `conversation_id` cannot be changed; it may be given as it is. */
interface DraftPatch extends DraftInput {
  conversation_id?: Named | undefined;
}

/** Where a draft is: a draft of another conversation does not exist. */
interface DraftRef {
  conversation: Ref;
  draft: Ref;
}

const SUGGESTIONS_MAX = 100;
/** Of all suggestions in a conversation, which are listed together. */
const SUGGESTIONS_MIB_MAX = 2;
/** More conversations with unsent text than a person has; the list of them needs a limit. */
const OWN_MAX = 1_000;

const COLUMNS = `d.id, d.uuid, d.conversation_id,
  json_build_object('type', d.author_type, 'id', d.author_id, 'name', d.author_name) as author,
  d.body, d.private, d.attachments, d.created_at, d.updated_at`;

// A person's draft is visible to that person only; a key's draft is a suggestion, which everybody sees.
const visibleTo = (viewer: string): string => `(d.author_type <> 'user' or d.author_id = ${viewer}::bigint)`;

const FROM_NAMED = `from drafts d
   where d.workspace_id = $1
     and (d.id = $4 or d.uuid = $5)
     and d.conversation_id = (
       select id
       from conversations
       where workspace_id = $1
         and (id = $2 or uuid = $3))
     and ${visibleTo("$6")}`;

const listStatement = sql(
  "draft_list",
  `select ${COLUMNS}
   from drafts d
   where d.workspace_id = $1
     and d.conversation_id = $2
     and ${visibleTo("$3")}
   order by d.id desc
   limit ${SUGGESTIONS_MAX + 1}`,
);
const ownStatement = sql(
  "draft_conversations_of_person",
  `select conversation_id
   from drafts
   where workspace_id = $1
     and author_id = $2
     and author_type = 'user'
   order by conversation_id desc
   limit ${OWN_MAX}`,
);
const findStatement = sql("draft_find", `select ${COLUMNS} ${FROM_NAMED}`);
const lockStatement = sql("draft_lock", `select ${COLUMNS} ${FROM_NAMED} for update`);
const pinStatement = sql(
  "draft_pin_conversation",
  `select id
   from conversations
   where workspace_id = $1
     and (id = $2 or uuid = $3)
   for key share`,
);
const countStatement = sql(
  "draft_count",
  `select count(*) as suggestions, coalesce(sum(octet_length(body)), 0) as bytes
   from drafts
   where workspace_id = $1
     and conversation_id = $2
     and author_type <> 'user'
     and id <> $3`,
);
const insertStatement = sql(
  "draft_insert",
  `insert into drafts as d (workspace_id, uuid, conversation_id, author_type, author_id, author_name, private, body,
     attachments)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   on conflict (workspace_id, conversation_id, author_id) where author_type = 'user' do update
   set private = excluded.private,
     body = excluded.body,
     attachments = excluded.attachments,
     author_name = excluded.author_name,
     updated_at = greatest(d.updated_at, now())
   returning ${COLUMNS}, xmax <> 0 as replaced`,
);
const updateStatement = sql(
  "draft_update",
  `update drafts d
   set private = $3,
     body = $4,
     attachments = $5,
     updated_at = greatest(d.updated_at, now())
   where d.workspace_id = $1
     and d.id = $2
   returning ${COLUMNS}`,
);
const deleteStatement = sql("draft_delete", "delete from drafts where workspace_id = $1 and id = $2");

/** Newest first: the suggestions of keys, and the viewer's own draft. */
export const listDrafts = (
  db: Queryable,
  workspaceId: number,
  conversationId: number,
  viewerId: number | null,
): Promise<DraftRecord[]> => db.query<DraftRecord>(listStatement, [workspaceId, conversationId, viewerId]);

/** The conversations in which a person has left something unsent. */
export async function conversationsWithDraftOf(db: Queryable, workspaceId: number, userId: number): Promise<number[]> {
  const rows = await db.query<{ conversation_id: number }>(ownStatement, [workspaceId, userId]);
  return rows.map(({ conversation_id }) => conversation_id);
}

export async function findDraft(
  db: Queryable,
  workspaceId: number,
  ref: DraftRef,
  viewerId: number | null,
): Promise<DraftRecord> {
  return found("draft", await db.query<DraftRecord>(findStatement, valuesOf(workspaceId, ref, viewerId)));
}

/** A person has one draft per conversation: the next one replaces it. */
export async function saveDraft(
  write: AttachContext,
  conversation: Ref,
  input: DraftInput,
): Promise<{ draft: DraftRecord; replaced: boolean }> {
  const { tx, caller } = write;
  const { workspaceId, actor } = caller;
  // A suggestion has an event, and the events of a conversation are written under its lock, in their order.
  const lock = actor.type === "user" ? pinConversation : lockForMessage;
  const { id: conversationId } = await lock(tx, workspaceId, conversation);
  if (actor.type !== "user") await requireSuggestionQuota(write, { conversationId, body: input.body ?? "" });
  const attachments = await resolveAttachments(write, input.attachments);
  const rows = await tx.query<DraftRecord & { replaced: boolean }>(insertStatement, [
    workspaceId,
    newUuid(),
    conversationId,
    actor.type,
    actor.id,
    actor.name,
    input.private ?? false,
    input.body ?? "",
    JSON.stringify(attachments),
  ]);
  const { replaced, ...draft } = rows[0] as DraftRecord & { replaced: boolean };
  if (replaced || holdsFiles(attachments)) await holdAttached(write, { draftId: draft.id }, attachments);
  await appendEvent(write, "draft.created", draft);
  return { draft, replaced };
}

export async function patchDraft(write: AttachContext, ref: DraftRef, patch: DraftPatch): Promise<DraftRecord> {
  const { tx, caller, links } = write;
  const { draft: before, conversation } = await lockDraft(write, ref);
  const next = {
    private: patch.private ?? before.private,
    body: patch.body ?? before.body,
    attachments: patch.attachments
      ? await resolveAttachments(write, patch.attachments, { draftId: before.id })
      : withRenewedLinks(links, before.attachments),
  };
  const namesOther = patch.conversation_id !== undefined && !isNamedBy(conversation, patch.conversation_id);
  const wrong = problems({
    conversation_id: namesOther ? ["conversation_id cannot be changed."] : [],
    body: isSuggestion(before) && isEmpty(next) ? [BODY_OR_ATTACHMENT] : [],
  });
  if (Object.keys(wrong).length > 0) throw invalid(wrong);
  if (isDeepStrictEqual(comparable(next), comparable(before))) return before;
  if (isSuggestion(before) && Buffer.byteLength(next.body) > Buffer.byteLength(before.body))
    await requireSuggestionQuota(write, { conversationId: conversation.id, body: next.body, draftId: before.id });
  const after = found(
    "draft",
    await tx.query<DraftRecord>(updateStatement, [
      caller.workspaceId,
      before.id,
      next.private,
      next.body,
      JSON.stringify(next.attachments),
    ]),
  );
  if (patch.attachments) await holdAttached(write, { draftId: before.id }, next.attachments);
  await appendEvent(write, "draft.updated", after);
  return after;
}

export async function deleteDraft(write: WriteContext, ref: DraftRef): Promise<DraftRecord> {
  const { draft } = await lockDraft(write, ref);
  await write.tx.query(deleteStatement, [write.caller.workspaceId, draft.id]);
  await appendEvent(write, "draft.deleted", draft);
  return draft;
}

/** Writes the message and deletes the draft, in one transaction: of two concurrent sends the second finds no draft. */
export async function sendDraft(write: AttachContext, ref: DraftRef): Promise<MessageRecord> {
  const draft = await deleteDraft(write, ref);
  if (isEmpty(draft)) throw invalid({ body: [BODY_OR_ATTACHMENT] });
  const { id, author, body, attachments } = draft;
  const message = { body, private: draft.private, attachments };
  return createMessage(write, { id: draft.conversation_id }, message, { draft: { id, author } });
}

async function pinConversation(tx: Tx, workspaceId: number, ref: Ref): Promise<{ id: number }> {
  return found("conversation", await tx.query<{ id: number }>(pinStatement, [workspaceId, ...refValues(ref)]));
}

/** Room for a suggestion with this body, which may replace that of a draft. */
async function requireSuggestionQuota(
  { tx, caller }: WriteContext,
  { conversationId, body, draftId = 0 }: { conversationId: number; body: string; draftId?: number },
): Promise<void> {
  const values = [caller.workspaceId, conversationId, draftId];
  const { suggestions, bytes } = await queryOne<{ suggestions: number; bytes: number }>(tx, countStatement, values);
  if (suggestions >= SUGGESTIONS_MAX)
    throw invalid({ drafts: [`drafts must not be more than ${SUGGESTIONS_MAX} in one conversation.`] });
  if (bytes + Buffer.byteLength(body) > SUGGESTIONS_MIB_MAX * 1024 * 1024)
    throw invalid({
      drafts: [`drafts of one conversation must not be larger than ${SUGGESTIONS_MIB_MAX} MiB together.`],
    });
}

const isEmpty = ({ body, attachments }: Pick<DraftRecord, "body" | "attachments">): boolean =>
  body.trim() === "" && attachments.length === 0;

const isSuggestion = ({ author }: DraftRecord): boolean => author.type !== "user";

/** A user's own draft is private: only suggestions have events. */
async function appendEvent({ tx, outbox, caller }: WriteContext, type: EventType, draft: DraftRecord): Promise<void> {
  if (!isSuggestion(draft)) return;
  await outbox.append(tx, { workspaceId: caller.workspaceId, type, data: draft, actor: caller.actor });
}

/** The draft, locked together with its conversation. */
export async function lockDraft({ tx, caller }: WriteContext, ref: DraftRef) {
  const { workspaceId } = caller;
  const conversation = await lockForMessage(tx, workspaceId, ref.conversation, "draft");
  const values = valuesOf(workspaceId, ref, viewerOf(caller));
  const draft = found("draft", await tx.query<DraftRecord>(lockStatement, values));
  return { draft, conversation };
}

const valuesOf = (workspaceId: number, { conversation, draft }: DraftRef, viewerId: number | null) => [
  workspaceId,
  ...refValues(conversation),
  ...refValues(draft),
  viewerId,
];
