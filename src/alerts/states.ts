import type { AlertKind } from "./alert.ts";

/**
 * The CTE `changed`: writes the stage of each row of `wanted` (`workspace_id`, `id`, `stage`) and returns those whose stage is
 * new. Of two nodes that find the same, the second one changes nothing and returns nothing.
 */
export const changedStages = (kind: AlertKind): string => `changed as (
     insert into alert_states (workspace_id, kind, subject_id, stage)
     select workspace_id, '${kind}', id, stage
     from wanted
     on conflict (workspace_id, kind, subject_id) do update
     set stage = excluded.stage
     where alert_states.stage <> excluded.stage
     returning workspace_id, subject_id
   )`;
