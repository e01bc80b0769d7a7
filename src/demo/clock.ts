import { formatTimestamp } from "../core/timestamps.ts";
import { type Database, sql, type Tx } from "../db/database.ts";

/**
 * The clock of the demo. Domain functions stamp what they write with the time of their transaction; `at` runs them in a
 * transaction whose stamps are then set to the given moment, in the rows and in the bodies of events. So the history is
 * made by the same code as any other conversation, and only its times are the demo's own.
 */
export interface DemoClock {
  /** `conversations`: those that existed before and are changed. */
  at<T>(moment: Date, work: (tx: Tx) => Promise<T>, conversations?: readonly number[]): Promise<T>;
}

interface StampedTable {
  name: string;
  columns: readonly string[];
}

/** Whose rows carry times that people see. All have the primary key `(workspace_id, id)`. */
const TABLES: readonly StampedTable[] = [
  { name: "contacts", columns: ["created_at", "updated_at"] },
  { name: "conversations", columns: ["created_at", "updated_at", "last_message_at", "waiting_since"] },
  { name: "messages", columns: ["created_at", "updated_at"] },
  { name: "drafts", columns: ["created_at", "updated_at"] },
];

const highest = sql(
  "demo_highest_ids",
  `select ${TABLES.map(({ name }) => `(select coalesce(max(id), 0) from ${name} where workspace_id = $1) as ${name}`).join(",\n     ")},
     (select coalesce(max(id), 0) from events where workspace_id = $1) as events,
     now() as present`,
);
const stampEvents = sql(
  "demo_stamp_events",
  `update events
   set created_at = $3,
     payload = replace(payload, $4, $5)
   where workspace_id = $1
     and id > $2`,
);

// A first response was counted from the moment of the contact's message to the present: the time between the moment of
// the response and the present is subtracted.
const stampResponse = sql(
  "demo_stamp_response",
  `update conversations
   set first_response_seconds = greatest(0,
     first_response_seconds - round(extract(epoch from now() - $2::timestamptz))::integer)
   where workspace_id = $1
     and id = any($3::bigint[])
     and exists (
       select
       from conversation_stat_deltas
       where workspace_id = $1
         and kind = 'first_response'
         and xmin = pg_current_xact_id()::xid)`,
);
const stampStats = sql(
  "demo_stamp_conversation_stats",
  `update conversation_stat_deltas
   set hour = date_trunc('hour', $2::timestamptz, 'UTC'),
     seconds = case when kind = 'first_response' then two_digits((
       select first_response_seconds
       from conversations
       where workspace_id = $1
         and id = any($3::bigint[])
       limit 1)) else seconds end
   where workspace_id = $1
     and xmin = pg_current_xact_id()::xid`,
);

const stampStatements = TABLES.map(({ name, columns }) => ({
  name,
  statement: sql(
    `demo_stamp_${name}`,
    `update ${name}
     set ${columns.map((column) => `${column} = case when ${column} = now() then $3 else ${column} end`).join(",\n       ")}
     where workspace_id = $1
       and (id > $2 or id = any($4::bigint[]))`,
  ),
}));

export function createDemoClock(db: Database, workspaceId: number): DemoClock {
  return {
    at: (moment, work, conversations = []) =>
      db.transaction(async (tx) => {
        const [before] = await tx.query<Record<string, number> & { present: string }>(highest, [workspaceId]);
        if (!before) throw new Error("The database returned no time.");
        const result = await work(tx);
        for (const { name, statement } of stampStatements) {
          const touched = name === "conversations" ? conversations : [];
          await tx.query(statement, [workspaceId, before[name], moment, touched]);
        }
        await tx.query(stampResponse, [workspaceId, moment, conversations]);
        await tx.query(stampStats, [workspaceId, moment, conversations]);
        const texts = [before.present, formatTimestamp(moment)];
        await tx.query(stampEvents, [workspaceId, before.events, moment, ...texts]);
        return result;
      }),
  };
}
