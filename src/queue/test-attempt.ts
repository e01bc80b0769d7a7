import { type Database, sql } from "../db/database.ts";
import { countAttempts, hourSql } from "../stats/delivery-stats.ts";
import type { Lane } from "./lane.ts";
import { withPartitions } from "./partitions.ts";
import type { LoggedResult } from "./settle.ts";

const logStatement = sql(
  "test_attempt_log",
  `with logged as (
      insert into delivery_attempts (
        workspace_id, webhook_id, delivery_id, event_id, event_uuid, event_type, delivered,
        response_code, response_time_ms, attempt, error_message, detail
      )
      values (
        $1, $2, nextval(pg_get_serial_sequence('deliveries', 'id')), $3, $4, $10, $5,
        $6, $7, 1, $8, $9
      )
      returning workspace_id, webhook_id, event_type, delivered, response_time_ms, next_attempt_at, created_at
    ),

    counted as (
      ${countAttempts("logged", hourSql("created_at"))}
    )

    update delivery_lanes
    set
      attempts_total = attempts_total + 1,
      failing_since = case when $5 then null else failing_since end
    where workspace_id = $1
      and webhook_id = $2`,
);

export interface TestEvent {
  id: number;
  uuid: string;
  type: string;
}

/** Logs the attempt of a test, which never was in the queue. */
export async function logTestAttempt(
  db: Database,
  { workspaceId, webhookId }: Lane,
  event: TestEvent,
  result: LoggedResult,
): Promise<void> {
  const values = [
    workspaceId,
    webhookId,
    event.id,
    event.uuid,
    result.errorMessage === null,
    result.responseCode,
    result.responseTimeMs,
    result.errorMessage,
    result.detail,
    event.type,
  ];
  await withPartitions(db, () => db.query(logStatement, values));
}
