import { type Queryable, sql, type Tx } from "../db/database.ts";
import type { Alert } from "./alert.ts";
import type { Translate } from "./text.ts";

/** Consumers for which an event waits too long; app takes them from the part that reads events. */
export interface ConsumerWatch {
  find(db: Queryable): Promise<{
    late: { workspaceId: number; id: number; name: string; oldestAt: Date }[];
    onTime: number[];
    complete: boolean;
  }>;
}

// What could not be looked at this time stays as it is.
const endStatement = sql(
  "alert_consumers_end",
  `delete from alert_states state
   where state.kind = 'consumer'
     and state.subject_id <> all($1::bigint[])
     and ($3::boolean or state.subject_id = any($2::bigint[]))
   returning state.workspace_id as "workspaceId",
     state.subject_id as id,
     (
       select consumer.name
       from consumers consumer
       where consumer.workspace_id = state.workspace_id
         and consumer.id = state.subject_id
     ) as name`,
);
const beginStatement = sql(
  "alert_consumers_begin",
  `insert into alert_states (workspace_id, kind, subject_id, stage)
   select late.workspace_id, 'consumer', late.id, 'late'
   from unnest($1::bigint[], $2::bigint[]) as late (workspace_id, id)
   on conflict (workspace_id, kind, subject_id) do nothing
   returning subject_id as id`,
);

/** Consumers that stopped reading, and those that have caught up. One that was deleted is nobody's problem any more. */
export async function consumerAlerts(tx: Tx, watch: ConsumerWatch): Promise<Alert[]> {
  const { late, onTime, complete } = await watch.find(tx);
  const ids = late.map(({ id }) => id);
  const ended = await tx.query<{ workspaceId: number; id: number; name: string | null }>(endStatement, [
    ids,
    onTime,
    complete,
  ]);
  const begun = await tx.query<{ id: number }>(beginStatement, [late.map(({ workspaceId }) => workspaceId), ids]);
  const isNew = new Set(begun.map(({ id }) => id));
  return [
    ...ended.flatMap(({ name, ...row }) => (name === null ? [] : [alertOf({ ...row, name }, "recovered")])),
    ...late
      .filter(({ id }) => isNew.has(id))
      .map((consumer) => ({
        ...alertOf(consumer, "late"),
        detail: (t: Translate) => t("its oldest event is of {time}", { time: consumer.oldestAt }),
      })),
  ];
}

const alertOf = (
  { workspaceId, id, name }: { workspaceId: number; id: number; name: string },
  stage: string,
): Alert => ({ workspaceId, kind: "consumer", stage, subject: { id, name, page: name } });
