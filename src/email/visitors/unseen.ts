import type { Logger } from "../../core/logger.ts";
import { startLoop } from "../../core/loop.ts";
import { type Database, sql } from "../../db/database.ts";
import type { ComposeOptions } from "../outbound/mailbox-mail.ts";
import { mailVisitor } from "./mail.ts";

interface UnseenOptions {
  db: Database;
  logger: Logger;
  compose: ComposeOptions;
  /** How long a visitor has to see a reply before it is sent by mail. */
  afterMinutes: number;
}

const POLL_MS = 3_000;
const BATCH = 100;
/** A conversation that could not be mailed is left alone for this long. */
const FAILED_MS = 60_000;
const FAILED_MAX = 1_000;
/** While more replies follow, they wait for each other, up to this many times the minutes. */
const WAITS_MAX = 3;

const ANY_WIDGET_WITH_MAILBOX = "exists (select from widgets where mailbox_id is not null)";
// The partial index holds the conversations whose visitor may not have seen a reply, in the order of these replies. What is
// older than a day is not mailed: a mailbox that is set later does not write to everybody who ever chatted.
const findStatement = sql(
  "visitor_mail_due",
  `select c.workspace_id as "workspaceId", c.id
   from conversations c
   join widgets w
     on w.workspace_id = c.workspace_id
     and w.id = c.widget_id
     and w.mailbox_id is not null
   join workspaces workspace
     on workspace.id = c.workspace_id
     and workspace.move_state is null
   where c.visitor_reply_at > now() - interval '1 day'
     and c.contact_read_seq < c.last_seq
     and c.visitor_mailed_seq < c.last_seq
     and (
       c.last_message_at <= now() - make_interval(secs => $1)
       or exists (
         select
         from messages m
         where m.workspace_id = c.workspace_id
           and m.conversation_id = c.id
           and m.seq > greatest(c.contact_read_seq, c.visitor_mailed_seq)
           and m.direction = 'out'
           and not m.private
           and m.created_at <= now() - make_interval(secs => $1 * ${WAITS_MAX})))
   order by c.visitor_reply_at
   limit ${BATCH}`,
);

/** Writes to visitors who have not seen a reply. It may run on any number of nodes: each message is mailed once. */
export function startVisitorMail({ db, logger, compose, afterMinutes }: UnseenOptions) {
  const failed = new Map<number, number>();
  const afterSeconds = afterMinutes * 60;
  return startLoop({
    work: async () => {
      if (!(await db.isDue(ANY_WIDGET_WITH_MAILBOX))) return;
      const due = await db.query<{ workspaceId: number; id: number }>(findStatement, [afterSeconds]);
      for (const { workspaceId, id } of due) {
        if ((failed.get(id) ?? 0) > Date.now()) continue;
        try {
          await db.transaction((tx) => mailVisitor(tx, compose, { workspaceId, conversationId: id, afterSeconds }));
          failed.delete(id);
        } catch (error) {
          if (failed.size >= FAILED_MAX) failed.clear();
          failed.set(id, Date.now() + FAILED_MS);
          logger.warn({ err: (error as Error).message, conversation: id }, "mailing a visitor failed, retrying");
        }
      }
    },
    pauseMs: POLL_MS,
    onError: (error) => logger.warn({ err: error.message }, "looking for replies that nobody saw failed, retrying"),
  });
}
