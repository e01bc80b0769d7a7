import { createBatchWriter } from "../core/batch-writer.ts";
import type { Logger } from "../core/logger.ts";
import { type Database, type Queryable, sql } from "../db/database.ts";

export type Usage = ReturnType<typeof createUsage>;

const FLUSH_MS = 10_000;
const DAYS_KEPT = 400;

// Sorted, so that two nodes that flush the same keys lock them in the same order. The hour is that of the database's
// clock when the batch is written: what was counted in the seconds before a full hour may count in the next.
const addCounts = sql(
  "key_usage_add",
  `insert into api_key_usage (workspace_id, api_key_id, hour, requests, errors_4xx, errors_5xx)
   select workspace_id, api_key_id, date_trunc('hour', now(), 'UTC'), requests, errors_4xx, errors_5xx
   from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
     as count (workspace_id, api_key_id, requests, errors_4xx, errors_5xx)
   order by workspace_id, api_key_id
   on conflict (workspace_id, api_key_id, hour) do update
     set requests = api_key_usage.requests + excluded.requests,
         errors_4xx = api_key_usage.errors_4xx + excluded.errors_4xx,
         errors_5xx = api_key_usage.errors_5xx + excluded.errors_5xx`,
);
const expireCounts = sql(
  "key_usage_expire",
  `delete from api_key_usage where hour < now() - make_interval(days => ${DAYS_KEPT})`,
);

interface Count {
  workspaceId: number;
  apiKeyId: number;
  requests: number;
  errors4xx: number;
  errors5xx: number;
}

/** Counts the responses sent to each key and writes them in batches, within FLUSH_MS. */
export function createUsage(db: Database, logger: Logger) {
  const batches = createBatchWriter<Count>({
    flushMs: FLUSH_MS,
    merge: (held, count) => {
      held.requests += count.requests;
      held.errors4xx += count.errors4xx;
      held.errors5xx += count.errors5xx;
    },
    write: (counts) =>
      db.query(addCounts, [
        counts.map((count) => count.workspaceId),
        counts.map((count) => count.apiKeyId),
        counts.map((count) => count.requests),
        counts.map((count) => count.errors4xx),
        counts.map((count) => count.errors5xx),
      ]),
    onError: ({ message }) => logger.warn({ err: message }, "writing the usage of API keys failed, retrying"),
  });

  return {
    // Key ids come from one sequence, so they are unique across workspaces.
    record(workspaceId: number, apiKeyId: number, status: number): void {
      const errors4xx = status >= 400 && status < 500 ? 1 : 0;
      batches.add(apiKeyId, { workspaceId, apiKeyId, requests: 1, errors4xx, errors5xx: status >= 500 ? 1 : 0 });
    },
    flush: batches.flush,
    close: batches.close,
  };
}

export const expireUsage = (db: Queryable): Promise<unknown> => db.query(expireCounts);

/** How far back to look, and in which steps. */
export const USAGE_RANGES = {
  "24h": { bucket: "hour", bucketHours: 1, steps: 24 },
  "7d": { bucket: "hour", bucketHours: 1, steps: 168 },
  "30d": { bucket: "day", bucketHours: 24, steps: 30 },
  "90d": { bucket: "day", bucketHours: 24, steps: 90 },
} as const;
export type UsageRange = keyof typeof USAGE_RANGES;

export interface UsagePoint {
  at: string;
  requests: number;
  errors_4xx: number;
  errors_5xx: number;
}

// Every step is there, those without a request too; the last one is still in progress. Days are 24 hours of UTC: the
// interval '1 day' would follow the clock changes of the connection's own zone.
const readCounts = sql(
  "key_usage_read",
  `with step as (
     select generate_series(
       date_trunc($3, now(), 'UTC') - make_interval(hours => $4::int * ($5::int - 1)),
       date_trunc($3, now(), 'UTC'),
       make_interval(hours => $4::int)
     ) as at
   ),

   count as (
     select
       date_trunc($3, hour, 'UTC') as at,
       sum(requests)::bigint as requests,
       sum(errors_4xx)::bigint as errors_4xx,
       sum(errors_5xx)::bigint as errors_5xx
     from api_key_usage
     where workspace_id = $1
       and ($2::bigint is null or api_key_id = $2)
       and hour >= (select min(at) from step)
     group by 1
   )

   select
     at,
     coalesce(requests, 0) as requests,
     coalesce(errors_4xx, 0) as errors_4xx,
     coalesce(errors_5xx, 0) as errors_5xx
   from step
   left join count using (at)
   order by at`,
);

/** Without a key: of all keys of the workspace together. */
export function readUsage(
  db: Queryable,
  workspaceId: number,
  apiKeyId: number | null,
  range: UsageRange,
): Promise<UsagePoint[]> {
  const { bucket, bucketHours, steps } = USAGE_RANGES[range];
  return db.query<UsagePoint>(readCounts, [workspaceId, apiKeyId, bucket, bucketHours, steps]);
}
