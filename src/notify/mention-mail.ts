import { type Mention, mentionText } from "../alerts/mention-text.ts";
import { enqueue } from "../alerts/queue.ts";
import type { Logger } from "../core/logger.ts";
import { type Loop, startLoop } from "../core/loop.ts";
import type { SecretBox } from "../core/secret-box.ts";
import { type Database, sql, type Tx } from "../db/database.ts";

interface MentionMailOptions {
  db: Database;
  secretBox: SecretBox;
  logger: Logger;
  /** Links lead there. */
  publicUrl: string;
  onQueued: () => void;
}

/** Who was seen within this time reads it in the dashboard. */
const AWAY_MINUTES = 10;
/** A note that is still unread after a day, by a person who was there all the time, needs no e-mail. */
const HOURS_MAX = 24;
const PAUSE_MS = 5_000;
const BATCH = 200;

const ANY_UNDECIDED = "exists (select from message_mentions where mailed is null)";
// Decided once: read, or of a person who does not want it, means no e-mail; otherwise as soon as they have been away long
// enough. One in a conversation about which the person has an e-mail already, and has not read since, means none either.
const decideStatement = sql(
  "mention_mail_decide",
  `with undecided as materialized (
     select mention.workspace_id, mention.user_id, mention.message_id, mention.conversation_id, mention.seq,
       person.email, coalesce(person.language, person.browser_language) as language,
       message.created_at < now() - interval '${HOURS_MAX} hours' as is_old,
       coalesce(r.read_seq, 0) >= mention.seq
         or not coalesce(chosen.mention_mail, true)
         or workspace.is_demo
         or exists (
           select
           from message_mentions earlier
           where earlier.workspace_id = mention.workspace_id
             and earlier.user_id = mention.user_id
             and earlier.conversation_id = mention.conversation_id
             and earlier.mailed
             and earlier.seq > coalesce(r.read_seq, 0)
         ) as is_settled,
       coalesce(person.last_seen_at, '-infinity') < now() - interval '${AWAY_MINUTES} minutes' as is_away,
       workspace.name as workspace,
       message.sender_name as author
     from message_mentions mention
     join users person on person.id = mention.user_id
     join workspaces workspace
       on workspace.id = mention.workspace_id
       and workspace.move_state is null
     join messages message
       on message.workspace_id = mention.workspace_id
       and message.id = mention.message_id
     left join conversation_reads r
       on r.workspace_id = mention.workspace_id
       and r.user_id = mention.user_id
       and r.conversation_id = mention.conversation_id
     left join notification_settings chosen
       on chosen.workspace_id = mention.workspace_id
       and chosen.user_id = mention.user_id
     where mention.mailed is null
   ),

   due as (
     select *
     from undecided
     where is_old or is_settled or is_away
     order by message_id, user_id
     limit ${BATCH}
   )

   update message_mentions mention
   set mailed = due.is_away and not due.is_old and not due.is_settled
   from due
   where mention.workspace_id = due.workspace_id
     and mention.user_id = due.user_id
     and mention.message_id = due.message_id
     and mention.mailed is null
   returning mention.workspace_id, due.conversation_id, due.email, due.language, due.workspace, due.author, mention.mailed`,
);

interface Decided extends Pick<Mention, "language"> {
  workspace_id: number;
  conversation_id: number;
  email: string;
  workspace: string;
  author: string | null;
  mailed: boolean;
}

/** E-mails to those whom a note mentions and who have been away. Whether there is one is stored with the e-mail itself. */
export function startMentionMail(options: MentionMailOptions): Loop {
  const { db, logger, onQueued } = options;
  return startLoop({
    async work() {
      if (!(await db.isDue(ANY_UNDECIDED))) return;
      for (;;) {
        const decided = await db.transaction(async (tx) => {
          const rows = await tx.query<Decided>(decideStatement);
          await queueMails(tx, options, rows);
          tx.afterCommit(onQueued);
          return rows.length;
        });
        if (decided < BATCH) return;
      }
    },
    pauseMs: PAUSE_MS,
    onError: (error) => logger.warn({ err: error.message }, "looking for mentions to mail failed, retrying"),
  });
}

/** Several notes in one conversation that were found together are one e-mail. */
async function queueMails(tx: Tx, { secretBox, publicUrl }: MentionMailOptions, rows: readonly Decided[]) {
  const named = new Map(rows.filter(({ mailed }) => mailed).map((row) => [`${row.conversation_id} ${row.email}`, row]));
  for (const row of named.values())
    await enqueue(tx, secretBox, {
      channel: "email",
      recipient: row.email,
      workspaceId: row.workspace_id,
      kind: "mention",
      content: { ...textOf(row, publicUrl) },
      hoursMax: HOURS_MAX,
    });
}

const textOf = (row: Decided, publicUrl: string) =>
  mentionText({
    ...row,
    conversation: row.conversation_id,
    url: `${publicUrl}/w/${row.workspace_id}/inbox/${row.conversation_id}`,
  });
