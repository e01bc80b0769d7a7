import { sql, type Tx } from "../db/database.ts";
import { type Alert, alertOf, type SubjectRow } from "./alert.ts";
import { selectNewStages } from "./states.ts";

const endStatement = sql(
  "alert_keys_end",
  `delete from alert_states state
   where state.kind = 'key'
     and not exists (
       select
       from api_keys key
       where key.workspace_id = state.workspace_id
         and key.id = state.subject_id
         and key.revoked_at is null
         and key.expires_at > now()
         and key.expires_at < now() + interval '7 days'
     )`,
);
// Keys that were created for a short time need no reminder: their creator knows.
const beginStatement = sql(
  "alert_keys_begin",
  `with wanted as (
     select workspace_id, id, name, expires_at,
       case when expires_at < now() + interval '1 day' then '1_day' else '7_days' end as stage
     from api_keys
     where revoked_at is null
       and not paused
       and expires_at > now()
       and expires_at < now() + interval '7 days'
       and expires_at - created_at > case
         when expires_at < now() + interval '1 day' then interval '2 days'
         else interval '14 days'
       end
   ),

   ${selectNewStages("key")}
   order by wanted.workspace_id, wanted.expires_at`,
);

interface ExpiringKey extends SubjectRow {
  stage: string;
  expires_at: string;
}

/** Keys that expire within a week, and again within a day. */
export async function keyAlerts(tx: Tx): Promise<Alert[]> {
  await tx.query(endStatement);
  return (await tx.query<ExpiringKey>(beginStatement)).map((row) =>
    alertOf("key", row.stage, row, (t) => t("on {time}", { time: new Date(row.expires_at) })),
  );
}
