import { type Queryable, sql } from "../db/database.ts";
import { quietPeople } from "./quiet-hours.ts";
import type { Person } from "./settings.ts";

/** A message that has arrived, as far as it decides who is notified. */
export interface Arrival {
  conversation_id: number;
  seq: number;
  /** Written by the contact, not by a person or key of the workspace. */
  from_contact: boolean;
  /** The person who wrote it; null: nobody of the workspace. */
  author_id: number | null;
}

/**
 * Why a person is notified: a note mentions them, the conversation is theirs, an earlier note in it mentions them, or it is
 * nobody's.
 */
export const NOTICE_REASONS = ["mention", "assigned", "followed", "unassigned"] as const;
type NoticeReason = (typeof NOTICE_REASONS)[number];

/** How much a reason concerns its person: nobody's conversation least, a note to them most. */
const concern = (reason: string): string => `case ${reason} when 'mention' then 3 when 'unassigned' then 1 else 2 end`;

export interface Notice {
  user_id: number;
  conversation_id: number;
  seq: number;
  reason: NoticeReason;
}

const readSeq = (user: string, conversation: string): string => `coalesce((
         select r.read_seq
         from conversation_reads r
         where r.workspace_id = $1
           and r.user_id = ${user}
           and r.conversation_id = ${conversation}), 0)`;

const isMentioned = (more = ""): string => `exists (
           select
           from message_mentions mention
           where mention.workspace_id = $1
             and mention.conversation_id = arrived.conversation_id
             and mention.user_id = person.user_id${more})`;

/** `people`: a CTE with the `user_id` of the members in question. Nobody is notified of what they wrote or have read. */
const MEANT = `meant as (
     select person.user_id, arrived.conversation_id, arrived.seq,
       case
         when coalesce(chosen.mentions, true)
           and ${isMentioned("\n             and mention.seq = arrived.seq")} then 'mention'
         when c.assignee_id = person.user_id then
           case when coalesce(chosen.assigned, true) then 'assigned' end
         when coalesce(chosen.mentions, true)
           and ${isMentioned()} then 'followed'
         when c.assignee_id is null
           and arrived.from_contact
           and coalesce(chosen.unassigned, true) then 'unassigned'
       end as reason
     from unnest($2::bigint[], $3::bigint[], $4::boolean[], $5::bigint[])
       as arrived (conversation_id, seq, from_contact, author_id)
     join conversations c
       on c.workspace_id = $1
       and c.id = arrived.conversation_id
     join contacts contact
       on contact.workspace_id = $1
       and contact.id = c.contact_id
       and not contact.blocked
     cross join people person
     left join notification_settings chosen
       on chosen.workspace_id = $1
       and chosen.user_id = person.user_id
     where person.user_id is distinct from arrived.author_id
       and arrived.seq > ${readSeq("person.user_id", "c.id")}
       and person.user_id <> all($6::bigint[])
   )`;

const claimStatement = sql(
  "notice_claim",
  `with people as materialized (
     select distinct session.user_id
     from push_subscriptions subscription
     join sessions session
       on session.id = subscription.session_id
       and session.expires_at > now()
     join memberships member
       on member.user_id = session.user_id
       and member.workspace_id = $1
   ),

   ${MEANT},

   newest as (
     select distinct on (conversation_id, user_id) conversation_id, user_id, seq, reason
     from meant
     where reason is not null
     order by conversation_id, user_id, reason <> 'mention', seq desc
   ),

   claimed as (
     insert into conversation_notices as held (workspace_id, conversation_id, user_id, seq, reason)
     select $1, conversation_id, user_id, seq, reason
     from newest
     order by conversation_id, user_id
     on conflict (workspace_id, conversation_id, user_id) do update
     set seq = excluded.seq,
         reason = excluded.reason
     where held.seq <= ${readSeq("held.user_id", "held.conversation_id")}
       or ${concern("excluded.reason")} > ${concern("held.reason")}
     returning conversation_id, user_id
   )

   select newest.user_id, newest.conversation_id, newest.seq, newest.reason
   from claimed
   join newest
     on newest.conversation_id = claimed.conversation_id
     and newest.user_id = claimed.user_id`,
);
const lookStatement = sql(
  "notice_look",
  `with people as (
     select user_id
     from memberships
     where workspace_id = $1
       and user_id = $7
   ),

   ${MEANT}

   select conversation_id, seq, reason, ${readSeq("meant.user_id", "meant.conversation_id")} as read_seq
   from meant
   where reason is not null`,
);

const arraysOf = (arrivals: readonly Arrival[]): unknown[] => [
  arrivals.map(({ conversation_id }) => conversation_id),
  arrivals.map(({ seq }) => seq),
  arrivals.map(({ from_contact }) => from_contact),
  arrivals.map(({ author_id }) => author_id),
];

/**
 * Who of those with a push subscription is notified of what. Each is stored: a person is notified once in a conversation,
 * until they have read it, and once more when it begins to concern them more.
 */
export async function claimNotices(
  tx: Queryable,
  workspaceId: number,
  arrivals: readonly Arrival[],
): Promise<Notice[]> {
  const quiet = await quietPeople(tx, workspaceId);
  return tx.query<Notice>(claimStatement, [workspaceId, ...arraysOf(arrivals), quiet]);
}

/** `read_seq`: up to which message the person has read the conversation. */
type Look = Omit<Notice, "user_id"> & { read_seq: number };

/** The same question for one person who has the dashboard open, whose browser remembers what it showed. */
export async function noticesFor(
  db: Queryable,
  { workspaceId, userId }: Person,
  arrivals: readonly Arrival[],
): Promise<Look[]> {
  const quiet = await quietPeople(db, workspaceId);
  return db.query<Look>(lookStatement, [workspaceId, ...arraysOf(arrivals), quiet, userId]);
}
