import type { Tx } from "../db/database.ts";
import type { Lane } from "./lane.ts";
import { updateLane } from "./sql-fragments.ts";

/**
 * A limit of N deliveries per second over all workers, kept in the lane, which every claim locks. `rate_paid_until` is the
 * time up to which the deliveries claimed so far have used the limit up (GCRA, a leaky bucket in one column). Half a second
 * of the limit may be claimed at once, rounded up, because a discovery looks twice a second and an odd limit would never be
 * used up: with the time from a claim to the start of its deliveries, no more than 2 N start within a second and no more than
 * 11 N within ten. What is above waits for the next discovery.
 */
const SECONDS_AT_ONCE = 0.5;
/** Further in the future than any claim leaves it: the clock was set back. */
const SECONDS_AHEAD_MAX = 2;

/** How many deliveries may be claimed now; null: any number. */
export const rateRoomSql = (lane: string): string =>
  `floor(
       ceil(${lane}.rate_limit * ${SECONDS_AT_ONCE})
       - ${lane}.rate_limit * case
         when ${lane}.rate_paid_until between now() and now() + interval '${SECONDS_AHEAD_MAX} seconds'
           then extract(epoch from ${lane}.rate_paid_until - now())
         else 0
       end
     )::int`;

/** What a claim of this many deliveries leaves in `rate_paid_until`. */
export const ratePaidUntilSql = (lane: string, deliveries: string): string =>
  `case
          when ${lane}.rate_paid_until between now() and now() + interval '${SECONDS_AHEAD_MAX} seconds'
            then ${lane}.rate_paid_until
          else now()
        end + interval '1 second' * ${deliveries} / ${lane}.rate_limit`;

const setStatement = updateLane("lane_set_rate_limit", "rate_limit = $3, rate_paid_until = null");

/** Null: no limit. */
export const setRateLimit = (tx: Tx, { workspaceId, webhookId }: Lane, perSecond: number | null): Promise<unknown> =>
  tx.query(setStatement, [workspaceId, webhookId, perSecond]);
