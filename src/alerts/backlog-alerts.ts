import { sql, type Tx } from "../db/database.ts";
import type { Alert } from "./alert.ts";
import type { Translate } from "./text.ts";

/** After an outage all deliveries are late for a short time: an alert needs them to stay late for this long. */
const NOTICED_MINUTES = 5;

// The oldest delivery of each webhook that should have been attempted by now. Those of failing webhooks wait for their
// destination and are reported as failing.
const OLDEST_DUE = `
  select lane.workspace_id, min(first.next_attempt_at) as due_since
  from delivery_lanes lane
  cross join lateral (
    select delivery.next_attempt_at
    from deliveries delivery
    where delivery.webhook_id = lane.webhook_id
    order by delivery.next_attempt_at
    limit 1
  ) first
  where lane.failing_since is null
  group by lane.workspace_id`;

const endStatement = sql(
  "alert_backlog_end",
  `with late as materialized (
     select oldest.workspace_id
     from (${OLDEST_DUE}) oldest
     where oldest.due_since < now() - interval '1 minute'
   )

   delete from alert_states state
   where state.kind = 'backlog'
     and state.workspace_id not in (select workspace_id from late)
   returning state.workspace_id, state.stage`,
);
// Noticed in the future: before the clock was set back.
const beginStatement = sql(
  "alert_backlog_begin",
  `with wanted as materialized (
     select oldest.workspace_id, oldest.due_since
     from (${OLDEST_DUE}) oldest
     where oldest.due_since < now() - make_interval(mins => $1)
   ),

   changed as (
     insert into alert_states (workspace_id, kind, subject_id, stage)
     select workspace_id, 'backlog', 0, 'noticed'
     from wanted
     on conflict (workspace_id, kind, subject_id) do update
     set stage = 'late'
     where alert_states.stage = 'noticed'
       and alert_states.since not between now() - interval '${NOTICED_MINUTES} minutes'
         and now() + interval '${NOTICED_MINUTES} minutes'
     returning workspace_id, stage
   )

   select wanted.workspace_id, wanted.due_since
   from changed
   join wanted on wanted.workspace_id = changed.workspace_id
   where changed.stage = 'late'`,
);

/** Workspaces whose deliveries are not attempted in time, although their destinations work. */
export async function backlogAlerts(tx: Tx, minutes: number): Promise<Alert[]> {
  const ended = await tx.query<{ workspace_id: number; stage: string }>(endStatement);
  const begun = await tx.query<{ workspace_id: number; due_since: string }>(beginStatement, [minutes]);
  return [
    ...ended
      .filter(({ stage }) => stage === "late")
      .map((row) => ({ workspaceId: row.workspace_id, kind: "backlog" as const, stage: "recovered" })),
    ...begun.map((row) => ({
      workspaceId: row.workspace_id,
      kind: "backlog" as const,
      stage: "late",
      detail: (t: Translate) => t("since {time}", { time: new Date(row.due_since) }),
    })),
  ];
}
