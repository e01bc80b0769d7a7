import { type Database, sql } from "../../db/database.ts";

/** Longer than any mail server waits before it reports a failure. */
const DAYS_KEPT = 30;
const EXPIRE_BATCH = 500;

// Tests, and mails with several replies to a visitor; those with a message go with it. The last mail to a visitor stays: the
// next one continues its thread.
const expireStatement = sql(
  "mail_out_expire",
  `delete from outgoing_mails
   where (workspace_id, id) in (
     select mail.workspace_id, mail.id
     from outgoing_mails mail
     where mail.message_id is null
       and mail.next_attempt_at is null
       and mail.claim_token is null
       and mail.updated_at < now() - make_interval(days => ${DAYS_KEPT})
       and (mail.conversation_id is null
         or exists (
           select
           from outgoing_mails later
           where later.workspace_id = mail.workspace_id
             and later.conversation_id = mail.conversation_id
             and later.id > mail.id))
     order by mail.updated_at
     limit ${EXPIRE_BATCH}
     for update skip locked)
   returning 1`,
);

/** Removes finished mails that no message holds. Called by the housekeeping loop. */
export async function expireMails(db: Database): Promise<void> {
  while ((await db.query(expireStatement)).length === EXPIRE_BATCH);
}
