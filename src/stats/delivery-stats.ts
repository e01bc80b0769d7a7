import { type Queryable, sql } from "../db/database.ts";
import { createFold } from "../db/fold.ts";

/** Upper bounds of the classes that response times are counted in; the last one holds all longer ones too. */
const LATENCY_BOUNDS_MS = [10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 15_000, 60_000] as const;

const LAST_BOUND_MS = LATENCY_BOUNDS_MS[LATENCY_BOUNDS_MS.length - 1];

const KEY = ["workspace_id", "webhook_id", "hour", "event_type", "delivered", "up_to_ms"];

export const foldDeliveryStats = createFold({
  table: "delivery_stats",
  deltas: "delivery_stat_deltas",
  key: KEY,
  sums: ["attempts", "ended"],
});

/** The hour that an attempt is counted in, given its `created_at`. */
export const hourSql = (createdAt: string): string => `date_trunc('hour', ${createdAt}, 'UTC')`;

/** Counts rows that a statement inserts into `delivery_attempts`, as a part of that statement. */
export const countAttempts = (rows: string, hour: string): string =>
  `insert into delivery_stat_deltas (${KEY.join(", ")}, attempts, ended)
      select
        workspace_id,
        webhook_id,
        ${hour} as hour,
        event_type,
        delivered,
        case
          ${LATENCY_BOUNDS_MS.slice(0, -1)
            .map((bound) => `when response_time_ms <= ${bound} then ${bound}`)
            .join("\n          ")}
          else ${LAST_BOUND_MS}
        end as up_to_ms,
        count(*),
        count(*) filter (where next_attempt_at is null)
      from ${rows}
      group by ${KEY.map((_, index) => index + 1).join(", ")}`;

export interface AttemptCount {
  event_type: string;
  delivered: boolean;
  attempts: number;
}

/** Both tables in one snapshot: a fold moves rows from one to the other. */
export const bothTables = (columns: string, where: string): string => `
     select ${columns} from delivery_stats where ${where}
     union all
     select ${columns} from delivery_stat_deltas where ${where}`;

const COUNTED = "event_type, delivered, attempts";
const OF_WEBHOOK = `workspace_id = $1 and webhook_id = $2
       and hour >= coalesce($3, '-infinity'::timestamptz) and hour < coalesce($4, 'infinity'::timestamptz)`;

const byTypeAndOutcome = sql(
  "delivery_stats_webhook",
  `select event_type, delivered, sum(attempts)::bigint as attempts
   from (${bothTables(COUNTED, OF_WEBHOOK)}) counted
   group by event_type, delivered
   having sum(attempts) > 0`,
);

/** Exact numbers of a webhook's logged attempts by event type and outcome; the bounds are full hours. */
export const attemptCounts = (
  db: Queryable,
  { workspaceId, webhookId }: { workspaceId: number; webhookId: number },
  { from, to }: { from?: Date | undefined; to?: Date | undefined },
): Promise<AttemptCount[]> =>
  db.query<AttemptCount>(byTypeAndOutcome, [workspaceId, webhookId, from ?? null, to ?? null]);

interface DeliveryCount {
  at: string;
  delivered: number;
  failed: number;
}

const IN_WORKSPACE = "workspace_id = $1 and hour >= $2";
const byStep = sql(
  "delivery_stats_steps",
  `select date_trunc($3, hour, 'UTC') as at,
     coalesce(sum(ended) filter (where delivered), 0)::bigint as delivered,
     coalesce(sum(ended) filter (where not delivered), 0)::bigint as failed
   from (${bothTables("hour, delivered, ended", IN_WORKSPACE)}) counted
   group by 1
   having sum(ended) > 0
   order by 1`,
);

/** Events that arrived, and events that will not be retried, over all webhooks, per step that has any. */
export const readDeliveryCounts = (
  db: Queryable,
  workspaceId: number,
  { since, bucket }: { since: string; bucket: "hour" | "day" },
): Promise<DeliveryCount[]> => db.query<DeliveryCount>(byStep, [workspaceId, since, bucket]);

const latencies = sql(
  "delivery_stats_latencies",
  `select up_to_ms, sum(attempts)::bigint as attempts
   from (${bothTables("up_to_ms, attempts", IN_WORKSPACE)}) counted
   group by up_to_ms
   order by up_to_ms`,
);

/** Half of the attempts, and 95 of 100, took at most this long: the upper bound of the class that holds them. */
export async function readLatencies(
  db: Queryable,
  workspaceId: number,
  since: string,
): Promise<{ p50_ms: number | null; p95_ms: number | null }> {
  const classes = await db.query<{ up_to_ms: number; attempts: number }>(latencies, [workspaceId, since]);
  const total = classes.reduce((sum, { attempts }) => sum + attempts, 0);
  const boundOf = (share: number) => {
    let counted = 0;
    const found = classes.find(({ attempts }) => {
      counted += attempts;
      return counted >= total * share;
    });
    return found?.up_to_ms ?? null;
  };
  return { p50_ms: boundOf(0.5), p95_ms: boundOf(0.95) };
}
