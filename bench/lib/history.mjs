// The past of a busy installation, by SQL: for bench/growth.mjs.
import { PAYLOAD } from "./rows.mjs";

const DAYS = 10;
const FAILED_ONE_IN = 50;

/**
 * Logged attempts over the last ten days, each with its event, and pending deliveries, all spread evenly over
 * these webhooks of workspace 1. Nothing pending can be claimed: half of it waits for its retry, and half is ready in lanes
 * whose breaker is open.
 */
export async function writeHistory(sql, { webhookIds, attempts, pending }) {
  await holdLanes(sql, webhookIds, attempts / webhookIds.length);
  await writeAttempts(sql, webhookIds, attempts / webhookIds.length / DAYS);
  await writePending(sql, webhookIds, pending / webhookIds.length);
  await sql.query("vacuum (analyze)");
  await sql.query("checkpoint");
}

async function holdLanes(sql, webhookIds, attemptsEach) {
  const ready = webhookIds.filter((_, index) => index % 2 === 0);
  await sql.query(
    `update delivery_lanes set attempts_total = $2,
       breaker_open_until = case when webhook_id = any($3::bigint[]) then now() + interval '1 day' end
     where workspace_id = 1 and webhook_id = any($1::bigint[])`,
    [webhookIds, attemptsEach, ready],
  );
}

async function writeAttempts(sql, webhookIds, eventsPerDay) {
  for (let day = DAYS; day > 0; day--) {
    await sql.query(
      "select create_attempt_partition((now() at time zone 'utc')::date - $1::int + back) from generate_series(0, 1) back",
      [day],
    );
    await sql.query(
      `with event as materialized (
         insert into events (workspace_id, uuid, type, payload, created_at)
         select 1, gen_random_uuid(), 'message.created', $1, now() - make_interval(secs => 86400 * ($2::int - number::float8 / $3))
         from generate_series(0, $3::int - 1) number returning id, uuid, created_at),
       pair as materialized (
         select w.id as webhook_id, event.*, event.id % ${FAILED_ONE_IN} <> 0 as delivered
         from event, unnest($4::bigint[]) w (id) order by event.id, w.id),
       position as (
         insert into event_positions (workspace_id, position, event_id, type)
         select 1, nextval('event_position_seq'), id, 'message.created' from event order by id),
       given_up as (
         insert into dead_letters (workspace_id, webhook_id, event_id)
         select 1, webhook_id, id from pair where not delivered),
       counted as (
         insert into delivery_stats (workspace_id, webhook_id, hour, event_type, delivered, up_to_ms, attempts, ended)
         select 1, webhook_id, date_trunc('hour', created_at, 'UTC'), 'message.created', delivered, 25, count(*), count(*)
         from pair group by webhook_id, date_trunc('hour', created_at, 'UTC'), delivered
         on conflict (workspace_id, webhook_id, hour, event_type, delivered, up_to_ms)
         do update set attempts = delivery_stats.attempts + excluded.attempts, ended = delivery_stats.ended + excluded.ended)
       insert into delivery_attempts (workspace_id, webhook_id, delivery_id, event_id, event_uuid, event_type, delivered,
         response_code, response_time_ms, attempt, error_message, detail, created_at)
       select 1, webhook_id, id, id, uuid, 'message.created', delivered, case when delivered then 200 else 500 end, 12, 1,
         case when delivered then null else 'HTTP 500' end, $5::text, created_at
       from pair`,
      [PAYLOAD, day, eventsPerDay, webhookIds, JSON.stringify(DETAIL)],
    );
  }
}

async function writePending(sql, webhookIds, each) {
  await sql.query(
    `with event as (
       insert into events (workspace_id, uuid, type, payload) select 1, gen_random_uuid(), 'message.created', $1
       from generate_series(1, $2) returning id),
     webhook as (select * from unnest($3::bigint[]) with ordinality w (id, number))
     insert into deliveries (workspace_id, webhook_id, event_id, attempts_made, next_attempt_at)
     select 1, webhook.id, event.id, 1,
       case when webhook.number % 2 = 1 then now() else now() + interval '1 day' + random() * interval '1 day' end
     from event, webhook`,
    [PAYLOAD, each, webhookIds],
  );
}

/** As src/delivery/attempts/attempt-detail.ts stores it. */
const DETAIL = [
  "http://127.0.0.1/hook",
  ["webhook-timestamp", "1700000000", "webhook-signature", "v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="],
  ["date", "Mon, 01 Jan 2024 00:00:00 GMT", "connection", "keep-alive", "content-length", "0"],
  "",
  0,
  "127.0.0.1",
  null,
  null,
  null,
  3.21,
  4.56,
];
