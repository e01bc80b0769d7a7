import type { AlertKind } from "./alert.ts";

/**
 * Follows the CTE `wanted` (`workspace_id`, `id`, `stage`): stores the stage of each of its rows and selects those whose
 * stage is new. Of two nodes that find the same, the second one changes nothing and selects nothing.
 */
export const selectNewStages = (kind: AlertKind): string => `changed as (
     insert into alert_states (workspace_id, kind, subject_id, stage)
     select workspace_id, '${kind}', id, stage
     from wanted
     on conflict (workspace_id, kind, subject_id) do update
     set stage = excluded.stage
     where alert_states.stage <> excluded.stage
     returning workspace_id, subject_id
   )

   select wanted.*
   from changed
   join wanted
     on wanted.workspace_id = changed.workspace_id
     and wanted.id = changed.subject_id`;
