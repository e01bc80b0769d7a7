import { bigintArray, textArray } from "../db/binary-arrays.ts";
import type { Queryable } from "../db/database.ts";
import { namedSql, valuesOf } from "../db/named-sql.ts";
import { countAttempts, hourSql } from "../stats/delivery-stats.ts";
import type { ClaimedDelivery } from "./claim.ts";
import type { Lane } from "./lane.ts";
import { hasFailedTooLongSql, laneAfterSql } from "./lane-policy.ts";
import { withPartitions } from "./partitions.ts";
import { lockLanes, sameDelivery, sameLane } from "./sql-fragments.ts";

/** How an attempt went. It succeeded exactly if there is no error message. */
export interface LoggedResult {
  /** 0: no HTTP response at all, which counts towards the breaker if the result judges the receiver. */
  responseCode: number;
  responseTimeMs: number;
  errorMessage: string | null;
  /** What the log shows beyond the columns of its list, as JSON. */
  detail: string;
}

/** What is written about an attempt that has ended: its claim, the result to log, and the delay until the retry. */
export interface Settlement extends Omit<ClaimedDelivery, "readyAt" | "payload" | "attemptsMade">, LoggedResult {
  attempt: number;
  /**
   * False: it failed before the receiver was asked. It is logged, changes neither window nor breaker, and a retry uses none
   * of the attempts.
   */
  judgesReceiver: boolean;
  /** Null: this was the last attempt. */
  retryInMs: number | null;
}

/** A lane whose webhook has to be disabled, unless that has changed since this version. */
export interface FailedLane extends Lane {
  webhookVersion: number;
}

const laneAfter = laneAfterSql("lane", "tally");

/**
 * The new value of a lane's column, unchanged where every attempt was for an earlier url or from before a disable, or none
 * reached the receiver.
 */
const settledColumn = (column: keyof typeof laneAfter): string =>
  `case
          when tally.webhook_version < lane.counts_from_version
            or tally.attempts = 0
            then lane.${column}
          else ${laneAfter[column]}
        end`;

const LOGGED_AT = "coalesce(:loggedAt::timestamptz, now())";

// One statement for a batch: the log rows, the state of each delivery and the lanes. `held` are the deliveries that still
// have the token of the result's claim. A result whose delivery no longer has it is logged, so that a success counts as
// one, but it changes no delivery. In a repeated batch it is not even logged: the earlier try may have done so.
// `(select count(*) from lane) > 0` makes the statement lock all lanes before it touches a delivery, as a claim does.
// Everything is joined by index: one nested loop of a batch with itself was two thirds of the cost of a settle, and hash
// joins are off for this pool. It commits without waiting for the disk, as a claim does, so that a busy lane is never locked
// that long: what a crash of the database loses is released by its worker (delivery/worker/worker-lease.ts) and sent again.
const settleStatement = namedSql(
  "delivery_settle",
  `with async_commit as materialized (
      select set_config('synchronous_commit', 'off', true)
    ),

    result as materialized (
      select
        result.*,
        result.error_message is null as delivered,
        (result.judges_receiver = 1 and result.response_code = 0) as without_response
      from
        async_commit,
        unnest(
          :workspaceIds::bigint[], :webhookIds::bigint[], :deliveryIds::bigint[], :claimTokens::bigint[],
          :eventIds::bigint[], :eventUuids::text[], :eventTypes::text[],
          :attempts::bigint[], :responseCodes::bigint[], :responseTimesMs::bigint[], :errorMessages::text[],
          :retriesInMs::bigint[], :details::text[],
          :webhookVersions::bigint[], :judgeReceivers::bigint[]
        ) as result (
          workspace_id, webhook_id, delivery_id, lease_token,
          event_id, event_uuid, event_type,
          attempt, response_code, response_time_ms, error_message, retry_in_ms, detail,
          webhook_version, judges_receiver
        )
    ),

    lane as materialized (
      ${lockLanes("result")}
    ),

    finished as (
      delete from deliveries delivery
      using result
      where (select count(*) from lane) > 0
        and result.retry_in_ms is null
        and ${sameDelivery("delivery", "result")}
        and delivery.lease_token = result.lease_token
      returning
        delivery.workspace_id,
        delivery.webhook_id,
        delivery.id,
        delivery.event_id,
        result.delivered
    ),

    retried as (
      update deliveries delivery
      set
        worker_id = null,
        lease_token = null,
        attempts_made = case
          when result.judges_receiver = 1 then result.attempt
          else delivery.attempts_made
        end,
        next_attempt_at = now() + result.retry_in_ms * interval '1 millisecond'
      from result
      where (select count(*) from lane) > 0
        and result.retry_in_ms is not null
        and ${sameDelivery("delivery", "result")}
        and delivery.lease_token = result.lease_token
      returning delivery.workspace_id, delivery.webhook_id, delivery.id
    ),

    held as materialized (
      select workspace_id, webhook_id, id
      from finished
      union all
      select workspace_id, webhook_id, id
      from retried
    ),

    to_log as not materialized (
      select
        result.*,
        case
          when retry_in_ms is not null
            and (workspace_id, delivery_id) in (
              select workspace_id, id
              from retried
            )
            then ${LOGGED_AT} + retry_in_ms * interval '1 millisecond'
        end as next_attempt_at
      from result
      where not :repeated::boolean
        or (workspace_id, delivery_id) in (
          select workspace_id, id
          from held
        )
    ),

    dead_letter as (
      insert into dead_letters (workspace_id, webhook_id, event_id)
      select workspace_id, webhook_id, event_id
      from finished
      where not delivered
      order by workspace_id, webhook_id, event_id
      on conflict do nothing
    ),

    logged as (
      insert into delivery_attempts (
        workspace_id, webhook_id, delivery_id, event_id, event_uuid, event_type, delivered,
        response_code, response_time_ms, attempt, error_message, next_attempt_at, detail, created_at
      )
      select
        workspace_id, webhook_id, delivery_id, event_id, event_uuid::uuid, event_type, delivered,
        response_code, response_time_ms, attempt, error_message, next_attempt_at, detail, ${LOGGED_AT}
      from to_log
    ),

    counted as (
      ${countAttempts("to_log", `(select ${hourSql(LOGGED_AT)})`)}
    ),

    tally as (
      select
        workspace_id,
        webhook_id,
        sum(logged)::int as logged,
        sum(attempts)::int as attempts,
        sum(held)::int as held,
        sum(delivered)::int as delivered,
        sum(without_response)::int as without_response,
        max(webhook_version) as webhook_version
      from (
        select
          workspace_id, webhook_id, 1 as logged, judges_receiver as attempts, 0 as held,
          delivered::int, without_response::int, webhook_version
        from to_log
        union all
        select workspace_id, webhook_id, 0, 0, 1, 0, 0, null
        from held
      ) counted
      group by workspace_id, webhook_id
    ),

    settled as (
      update delivery_lanes lane
      set
        in_flight = greatest(0, lane.in_flight - tally.held),
        changes = lane.changes + 1,
        attempts_total = lane.attempts_total + tally.logged,
        window_size = ${settledColumn("window_size")},
        failures_without_response = ${settledColumn("failures_without_response")},
        breaker_open_until = ${settledColumn("breaker_open_until")},
        failing_since = ${settledColumn("failing_since")}
      from tally
      where ${sameLane("lane", "tally")}
      returning lane.workspace_id, lane.webhook_id, lane.failing_since, lane.counts_from_version
    )

    select
      workspace_id as "workspaceId",
      webhook_id as "webhookId",
      counts_from_version as "webhookVersion"
    from settled
    where ${hasFailedTooLongSql("settled")}`,
);

interface SettleOptions {
  /** An earlier try failed but may have committed: only results whose delivery still has the token of its claim are logged. */
  repeated: boolean;
  /** When they ended, if not now. */
  loggedAt?: Date;
}

/**
 * Writes how attempts ended. Returns the lanes that have only failed for longer than the limit: their webhooks have to
 * be disabled.
 */
export function settle(
  db: Queryable,
  settlements: readonly Settlement[],
  { repeated, loggedAt }: SettleOptions,
): Promise<FailedLane[]> {
  const numbers = (of: (row: Settlement) => number | null) => bigintArray(settlements.map(of));
  const texts = (of: (row: Settlement) => string | null) => textArray(settlements.map(of));
  const values = valuesOf(settleStatement, {
    workspaceIds: numbers((row) => row.workspaceId),
    webhookIds: numbers((row) => row.webhookId),
    webhookVersions: numbers((row) => row.webhookVersion),
    judgeReceivers: numbers((row) => (row.judgesReceiver ? 1 : 0)),
    deliveryIds: numbers((row) => row.deliveryId),
    claimTokens: numbers((row) => row.claimToken),
    eventIds: numbers((row) => row.eventId),
    eventUuids: texts((row) => row.eventUuid),
    eventTypes: texts((row) => row.eventType),
    attempts: numbers((row) => row.attempt),
    responseCodes: numbers((row) => row.responseCode),
    responseTimesMs: numbers((row) => row.responseTimeMs),
    errorMessages: texts((row) => row.errorMessage),
    retriesInMs: numbers((row) => row.retryInMs),
    details: texts((row) => row.detail),
    repeated,
    loggedAt: loggedAt ?? null,
  });
  return withPartitions(db, () => db.query<FailedLane>(settleStatement, values));
}
