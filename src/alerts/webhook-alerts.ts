import { sql, type Tx } from "../db/database.ts";
import { type Alert, alertOf, type SubjectRow } from "./alert.ts";
import { whyDisabled } from "./alert-texts.ts";
import { selectNewStages } from "./states.ts";

interface WebhookAlertOptions {
  /** The reasons with which Parley itself disables a webhook (delivery/pump/disabler.ts); one that a person disables needs no alert. */
  disabledReasons: readonly string[];
}

// Ends the states of webhooks that work again, were enabled or disabled by a person, or were deleted. The end is reported
// only if something was delivered since: a changed URL resets the lane too.
const endStatement = sql(
  "alert_webhooks_end",
  `with ended as (
     delete from alert_states state
     where state.kind = 'webhook'
       and not exists (
         select
         from webhooks webhook
         join delivery_lanes lane
           on lane.workspace_id = webhook.workspace_id
           and lane.webhook_id = webhook.id
         where webhook.workspace_id = state.workspace_id
           and webhook.id = state.subject_id
           and case
             when state.stage = 'disabled' then
               not webhook.is_active and webhook.disabled_reason = any($1)
             when webhook.is_active then
               lane.failing_since < now() - interval '1 hour'
             else webhook.disabled_reason = any($1)
           end
       )
     returning state.workspace_id, state.subject_id, state.stage, state.since
   )

   select ended.workspace_id, webhook.id, webhook.name
   from ended
   join webhooks webhook
     on webhook.workspace_id = ended.workspace_id
     and webhook.id = ended.subject_id
   where webhook.is_active
     and ended.stage <> 'disabled'
     and exists (
       select
       from delivery_attempts attempt
       where attempt.workspace_id = ended.workspace_id
         and attempt.webhook_id = ended.subject_id
         and attempt.delivered
         and attempt.created_at > ended.since
     )`,
);
const beginStatement = sql(
  "alert_webhooks_begin",
  `with wanted as (
     select webhook.workspace_id, webhook.id, webhook.name, webhook.disabled_reason, lane.failing_since,
       case
         when not webhook.is_active then 'disabled'
         when lane.failing_since < now() - interval '24 hours' then 'failing_24_hours'
         else 'failing_1_hour'
       end as stage
     from delivery_lanes lane
     join webhooks webhook
       on webhook.workspace_id = lane.workspace_id
       and webhook.id = lane.webhook_id
     where (webhook.is_active and lane.failing_since < now() - interval '1 hour')
       or (not webhook.is_active and webhook.disabled_reason = any($1))
   ),

   ${selectNewStages("webhook")}
   order by wanted.workspace_id, wanted.id`,
);

interface BegunRow extends SubjectRow {
  stage: string;
  disabled_reason: string | null;
  failing_since: string | null;
}

/** Webhooks that have failed for an hour, for a day, were disabled for it, or deliver again. */
export async function webhookAlerts(tx: Tx, { disabledReasons }: WebhookAlertOptions): Promise<Alert[]> {
  const ended = await tx.query<SubjectRow>(endStatement, [disabledReasons]);
  const begun = await tx.query<BegunRow>(beginStatement, [disabledReasons]);
  return [
    ...ended.map((row) => alertOf("webhook", "recovered", row)),
    ...begun.map((row) =>
      alertOf("webhook", row.stage, row, (t) =>
        row.stage === "disabled"
          ? whyDisabled(t, row.disabled_reason ?? "")
          : t("since {time}", { time: new Date(row.failing_since ?? 0) }),
      ),
    ),
  ];
}
