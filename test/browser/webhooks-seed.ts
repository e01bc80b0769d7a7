import { encodeDetail } from "../../src/delivery/attempts/attempt-detail.ts";
import { insertAttempts } from "../support/logged-attempts.ts";
import type { TestParley } from "../support/parley.ts";

interface SeededAttempts {
  count: number;
  /** Spread evenly over this many hours, up to now; 20 by default. */
  hours?: number;
  /** Every nth attempt failed; never by default. */
  failEvery?: number;
  response?: { headers?: [string, string][]; body?: string };
}

const TYPES = ["message.created", "conversation.updated", "contact.created", "message.updated"];

/** Attempts as deliveries would have left them, without waiting for a day to pass. */
export async function seedAttempts(parley: TestParley, webhookId: number, seeded: SeededAttempts): Promise<void> {
  const { count, hours = 20, failEvery = 0, response = {} } = seeded;
  const detail = encodeDetail({
    url: "https://orders.example.com/hooks/parley",
    requestHeaders: [["user-agent", "Parley-Webhooks/1"]],
    responseHeaders: response.headers ?? [
      ["content-type", "application/json"],
      ["server", "nginx"],
    ],
    responseBody: response.body ?? '{"accepted":true}',
    isResponseBodyTruncated: false,
    address: "203.0.113.7",
    timings: { dnsMs: 3.2, connectMs: 18.4, tlsMs: 24.9, firstByteMs: 61.7, totalMs: 112.3 },
  });
  await insertAttempts(
    parley.database,
    `insert into delivery_attempts (workspace_id, webhook_id, delivery_id, event_id, event_uuid, event_type, delivered,
       response_code, response_time_ms, attempt, error_message, next_attempt_at, detail, created_at)
     select w.workspace_id, w.id, n, n, gen_random_uuid(), ($4::text[])[1 + n % 4], ok, case when ok then 200 else 503 end,
       20 + (n * 37) % 400, case when ok then 1 else 1 + n % 4 end, case when ok then null else 'HTTP 503' end,
       null, $5, now() - make_interval(secs => (($2::int - n) * $3::float * 3600 / $2))
     from webhooks w, generate_series(1, $2::int) n, lateral (select $6::int = 0 or n % greatest($6::int, 1) <> 0 as ok) o
     where w.id = $1`,
    [webhookId, count, hours, TYPES, detail, failEvery],
  );
  await parley.database.query("update delivery_lanes set attempts_total = attempts_total + $2 where webhook_id = $1", [
    webhookId,
    count,
  ]);
}
