import { sql, type Tx } from "../db/database.ts";
import { type Alert, alertOf, type SubjectRow } from "./alert.ts";
import { selectNewStages } from "./states.ts";

/** Servers are restarted, and connections break: what lasts this long is a problem. */
const FAILING_MINUTES = 15;

const FAILING_SINCE = "least(state.failing_since, state.sending_failing_since)";

// Ends the states of mailboxes that work again, are paused or were deleted; only the first is reported.
const endStatement = sql(
  "alert_mailboxes_end",
  `with ended as (
     delete from alert_states alert
     where alert.kind = 'mailbox'
       and not exists (
         select
         from mailboxes mailbox
         join mailbox_states state
           on state.workspace_id = mailbox.workspace_id
           and state.mailbox_id = mailbox.id
         where mailbox.workspace_id = alert.workspace_id
           and mailbox.id = alert.subject_id
           and not mailbox.paused
           and ${FAILING_SINCE} is not null
       )
     returning alert.workspace_id, alert.subject_id
   )

   select ended.workspace_id, mailbox.id, mailbox.name
   from ended
   join mailboxes mailbox
     on mailbox.workspace_id = ended.workspace_id
     and mailbox.id = ended.subject_id
   where not mailbox.paused`,
);
const beginStatement = sql(
  "alert_mailboxes_begin",
  `with wanted as (
     select mailbox.workspace_id, mailbox.id, mailbox.name, 'failing' as stage,
       ${FAILING_SINCE} as failing_since, coalesce(state.error, state.sending_error) as error
     from mailboxes mailbox
     join mailbox_states state
       on state.workspace_id = mailbox.workspace_id
       and state.mailbox_id = mailbox.id
     where not mailbox.paused
       and ${FAILING_SINCE} < now() - interval '${FAILING_MINUTES} minutes'
   ),

   ${selectNewStages("mailbox")}
   order by wanted.workspace_id, wanted.id`,
);

interface BegunRow extends SubjectRow {
  failing_since: string;
  error: string | null;
}

/** Mailboxes that have not fetched or sent for a quarter of an hour, or do again. */
export async function mailboxAlerts(tx: Tx): Promise<Alert[]> {
  const ended = await tx.query<SubjectRow>(endStatement);
  const begun = await tx.query<BegunRow>(beginStatement);
  return [
    ...ended.map((row) => alertOf("mailbox", "recovered", row)),
    ...begun.map((row) =>
      alertOf("mailbox", "failing", row, (t) =>
        `${t("since {time}", { time: new Date(row.failing_since) })}. ${row.error ?? ""}`.trim(),
      ),
    ),
  ];
}
