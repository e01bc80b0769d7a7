import { invalid } from "../core/errors.ts";
import { parseRef } from "../core/ids.ts";
import { type Queryable, sql } from "../db/database.ts";
import type { MessageRecord } from "../resources/conversations.ts";
import { findConversation } from "./conversation-find.ts";
import { listWorkspaceMembers, type WorkspaceMember } from "./members.ts";
import type { Named } from "./named-resources.ts";
import type { NewMessage } from "./new-message.ts";
import type { WriteContext } from "./write-context.ts";

/** Of one message. */
export const MENTIONS_MAX = 50;
/** Of one person, newest first: the conversations that the filter finds, and those that are counted as unread. */
const FOUND_MAX = 1_000;
const COUNTED_MAX = 100;

type Member = Pick<WorkspaceMember, "id" | "uuid" | "name">;

const storeStatement = sql(
  "mention_store",
  `insert into message_mentions (workspace_id, user_id, message_id, conversation_id, seq)
   select $1, user_id, $2, $3, $4
   from unnest($5::bigint[]) as user_id`,
);
const foundStatement = sql(
  "mention_conversations",
  `select distinct conversation_id as id
   from (
     select conversation_id
     from message_mentions
     where workspace_id = $1
       and user_id = $2
     order by message_id desc
     limit ${FOUND_MAX}) newest`,
);
const unreadStatement = sql(
  "mention_unread",
  `select count(distinct newest.conversation_id) as unread
   from (
     select conversation_id, seq
     from message_mentions
     where workspace_id = $1
       and user_id = $2
     order by message_id desc
     limit ${COUNTED_MAX}) newest
   left join conversation_reads r on r.workspace_id = $1
     and r.user_id = $2
     and r.conversation_id = newest.conversation_id
   where newest.seq > coalesce(r.read_seq, 0)`,
);

/** The members whom a note mentions: those that the request names and, if a person writes it, those whose name follows an @. */
export async function mentionedMembers({ tx, caller }: WriteContext, message: NewMessage): Promise<Member[]> {
  const named = message.mentions ?? [];
  const isWritten = caller.actor.type === "user" && message.private === true && message.body?.includes("@");
  if (named.length === 0 && !isWritten) return [];
  const members = await listWorkspaceMembers(tx, caller.workspaceId);
  const given = named.map((name) => find(members, name));
  const wrong = given.flatMap((member, index) => (member ? [] : [`mentions[${index}] is not a member.`]));
  if (wrong.length > 0) throw invalid({ mentions: wrong });
  const written = isWritten ? membersIn(message.body ?? "", members) : [];
  const mentioned = new Map([...given, ...written].flatMap((member) => (member ? [[member.id, member] as const] : [])));
  return [...mentioned.values()].slice(0, MENTIONS_MAX);
}

function find(members: readonly Member[], name: Named): Member | undefined {
  const ref = parseRef(String(name));
  return ref ? members.find(({ id, uuid }) => id === ref.id || uuid === ref.uuid) : undefined;
}

const WORD = /[\p{L}\p{N}_]/u;

/** Those whose whole name stands after an @, in any case; the longest name that fits counts. */
export function membersIn<M extends Pick<Member, "name">>(body: string, members: readonly M[]): M[] {
  const text = body.toLowerCase();
  const byLength = members
    .map((member) => ({ member, name: member.name.trim().toLowerCase() }))
    .filter(({ name }) => name !== "")
    .sort((a, b) => b.name.length - a.name.length);
  const found = new Set<M>();
  for (let at = text.indexOf("@"); at !== -1; at = text.indexOf("@", at + 1)) {
    // Not inside an e-mail address.
    if (at > 0 && WORD.test(text[at - 1] ?? "")) continue;
    const fits = ({ name }: { name: string }) =>
      text.startsWith(name, at + 1) && !WORD.test(text[at + 1 + name.length] ?? "");
    const longest = byLength.find(fits)?.name;
    for (const { member, name } of byLength) if (name === longest) found.add(member);
  }
  return [...found];
}

/** Stores who is mentioned besides the author, with one event; nothing if that is nobody. */
export async function recordMentions(
  { tx, outbox, caller }: WriteContext,
  message: MessageRecord,
  mentioned: readonly Member[],
): Promise<void> {
  const { workspaceId, actor } = caller;
  const others = mentioned.filter(({ id }) => actor.type !== "user" || id !== actor.id);
  if (others.length === 0) return;
  const ids = others.map(({ id }) => id);
  await tx.query(storeStatement, [workspaceId, message.id, message.conversation_id, message.seq, ids]);
  const conversation = await findConversation(tx, workspaceId, { id: message.conversation_id });
  const members = others.map(({ id, uuid, name }) => ({ id, uuid, name }));
  const data = { id: conversation.id, conversation, message, members };
  await outbox.append(tx, { workspaceId, type: "conversation.mentioned", data, actor });
}

/** The conversations with the newest notes that mention this person. */
export async function conversationsMentioning(db: Queryable, workspaceId: number, userId: number): Promise<number[]> {
  return (await db.query<{ id: number }>(foundStatement, [workspaceId, userId])).map(({ id }) => id);
}

/** How many conversations have a note that mentions this person and that they have not read, among the newest. */
export async function countUnreadMentions(db: Queryable, workspaceId: number, userId: number): Promise<number> {
  const [row] = await db.query<{ unread: number }>(unreadStatement, [workspaceId, userId]);
  return row?.unread ?? 0;
}
