import { randomUUID } from "node:crypto";
import type { Logger } from "../core/logger.ts";
import { startLoop } from "../core/loop.ts";
import { type Database, queryOne, sql } from "./database.ts";

const HEARTBEAT_MS = 1_000;
/** A node that has not been seen for this long does not count. */
const NODE_SECONDS_MAX = 5;
const WINDOWS_KEPT_SECONDS = 3_600;

// The windows begin at multiples of their length, by the database's clock: the same for all nodes. `last_grant` says what
// this statement added.
const leaseStatement = sql(
  "rate_limit_lease",
  `insert into rate_limit_windows as held (name, window_start, granted, last_grant)
   values (
     $1,
     to_timestamp(floor(extract(epoch from clock_timestamp()) / $4::int) * $4::int),
     least($2::int, $3::int),
     least($2::int, $3::int)
   )
   on conflict (name, window_start) do update
     set granted = greatest(held.granted, least(held.granted + $2::int, $3::int)),
         last_grant = greatest(0, least(held.granted + $2::int, $3::int) - held.granted)
   returning
     last_grant as granted,
     greatest(0, $3::int - granted) as left,
     (extract(epoch from window_start + make_interval(secs => $4::int) - clock_timestamp()) * 1000)::float8 as "endsInMs"`,
);
const heartbeat = sql(
  "node_heartbeat",
  `with mine as (
     insert into nodes (id, seen_at)
     values ($1, clock_timestamp())
     on conflict (id) do update set seen_at = excluded.seen_at
   )

   select count(*) as others
   from nodes
   where id <> $1 and seen_at > clock_timestamp() - make_interval(secs => ${NODE_SECONDS_MAX})`,
);
const leaveStatement = sql(
  "node_leave",
  `delete from nodes where id = $1 or seen_at < now() - make_interval(hours => 1)`,
);
const expireStatement = sql(
  "rate_limit_expire",
  `delete from rate_limit_windows where window_start < now() - make_interval(secs => ${WINDOWS_KEPT_SECONDS})`,
);

/** Windows of rate limits that all nodes share, and how many nodes there are. */
export interface PostgresLeaseStore {
  nodes(): number;
  lease(
    key: string,
    want: number,
    limit: { requests: number; windowSeconds: number },
  ): Promise<{ granted: number; left: number; endsInMs: number }>;
  close(): Promise<void>;
}

/** Resolves when this node is registered: from then on the others count it. */
export async function createLeaseStore(db: Database, logger: Logger): Promise<PostgresLeaseStore> {
  const id = randomUUID();
  let others = 0;

  async function beat(): Promise<void> {
    ({ others } = await queryOne<{ others: number }>(db, heartbeat, [id]));
  }

  await beat();
  const loop = startLoop({
    work: beat,
    pauseMs: HEARTBEAT_MS,
    onError: ({ message }) => logger.warn({ err: message }, "registering this node failed, retrying"),
  });
  return {
    nodes: () => others + 1,
    lease(key, want, { requests, windowSeconds }) {
      return queryOne(db, leaseStatement, [key, want, requests, windowSeconds]);
    },
    async close() {
      await loop.close();
      await db.query(leaveStatement, [id]).catch(() => {});
    },
  };
}

export const expireRateLimits = (db: Database): Promise<unknown> => db.query(expireStatement);
