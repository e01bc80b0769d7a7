import { type Queryable, queryOne, sql } from "../db/database.ts";
import { createFold } from "../db/fold.ts";

export const foldConversationStats = createFold({
  table: "conversation_stats",
  deltas: "conversation_stat_deltas",
  key: ["workspace_id", "hour", "kind", "seconds"],
  sums: ["amount"],
});

/** Both tables in one snapshot: a fold moves rows from one to the other. */
const SINCE = `
     select hour, kind, seconds, amount from conversation_stats where workspace_id = $1 and hour >= $2
     union all
     select hour, kind, seconds, amount from conversation_stat_deltas where workspace_id = $1 and hour >= $2`;

interface MessageCount {
  at: string;
  received: number;
  sent: number;
}

const countMessages = sql(
  "conversation_stats_messages",
  `select date_trunc($3, hour, 'UTC') as at,
     coalesce(sum(amount) filter (where kind = 'received'), 0)::bigint as received,
     coalesce(sum(amount) filter (where kind = 'sent'), 0)::bigint as sent
   from (${SINCE}) counted
   where kind in ('received', 'sent')
   group by 1
   order by 1`,
);

/** Messages from contacts and public replies since then, per step that has any; notes are not counted. */
export const readMessageCounts = (
  db: Queryable,
  workspaceId: number,
  { since, bucket }: { since: string; bucket: "hour" | "day" },
): Promise<MessageCount[]> => db.query<MessageCount>(countMessages, [workspaceId, since, bucket]);

interface FirstResponses {
  responses: number;
  /** To two digits; null without a response. */
  median_seconds: number | null;
}

const firstResponses = sql(
  "conversation_stats_first_responses",
  `with counted as (
     select seconds, sum(amount) as amount
     from (${SINCE}) rollup
     where kind = 'first_response'
     group by seconds
   ),

   ranked as (
     select seconds,
       sum(amount) over (order by seconds) as up_to,
       sum(amount) over () as total
     from counted
   )

   select coalesce(max(total), 0)::bigint as responses,
     min(seconds) filter (where up_to >= total / 2.0) as median_seconds
   from ranked`,
);

/** How long contacts waited for the first response of those that were given since then. */
export const readFirstResponses = (db: Queryable, workspaceId: number, since: string): Promise<FirstResponses> =>
  queryOne(db, firstResponses, [workspaceId, since]);
