import type { Actor } from "../core/actor.ts";
import { invalid } from "../core/errors.ts";
import type { SecretBox } from "../core/secret-box.ts";
import { type Database, sql, type Tx } from "../db/database.ts";
import { isMissingPartition } from "../db/errors.ts";
import type { Outbox } from "../events/outbox.ts";
import {
  type AddressPolicy,
  checkDestination,
  type Lookup,
  type Outbound,
  REFUSED_MESSAGE,
} from "../url-guard/index.ts";
import { readSettings } from "../webhooks/settings.ts";
import { describeResult, signRequest } from "./attempt.ts";
import { ensurePartitions } from "./settle.ts";

export interface TestResult {
  success: boolean;
  status_code: number;
  response_time_ms: number;
  error: string | null;
}

export interface TestSendDeps {
  db: Database;
  secretBox: SecretBox;
  outbox: Outbox;
  outbound: Outbound;
  policy: AddressPolicy;
  lookup: Lookup;
}

const readPayload = sql("test_payload", "select payload from events where workspace_id = $1 and id = $2");
const logTest = sql(
  "test_log",
  `with logged as (
     insert into delivery_attempts (workspace_id, webhook_id, delivery_id, event_id, event_uuid, event_type, delivered,
       response_code, response_time_ms, attempt, error_message, detail)
     values ($1, $2, nextval(pg_get_serial_sequence('deliveries', 'id')), $3, $4, 'webhook.test', $5, $6, $7, 1, $8, $9)
     returning 1)
   update delivery_lanes set attempts_total = attempts_total + 1,
     failing_since = case when $5 then null else failing_since end
   where workspace_id = $1 and webhook_id = $2`,
);

/** Sends `webhook.test` to this webhook alone, once, and waits for the outcome. */
export async function sendTest(
  deps: TestSendDeps,
  workspaceId: number,
  webhookId: number,
  actor: Actor,
): Promise<TestResult> {
  const { db, outbox, outbound, policy, lookup, secretBox } = deps;
  const [settings] = await readSettings(db, secretBox, [{ workspaceId, webhookId }]);
  if (!settings) throw new Error("The webhook vanished.");
  const verdict = await checkDestination(settings.url, { policy, lookup });
  if (!verdict.ok) throw invalid({ url: [verdict.message] });
  const { event, payload } = await db.transaction(async (tx: Tx) => {
    const stored = await outbox.appendUnannounced(tx, {
      workspaceId,
      type: "webhook.test",
      data: { webhook_id: webhookId, message: "This is a test of your webhook." },
      actor,
    });
    const [row] = await tx.query<{ payload: string }>(readPayload, [workspaceId, stored.id]);
    return { event: stored, payload: (row as { payload: string }).payload };
  });
  const request = signRequest(settings, event.uuid, payload);
  const result = await outbound.send(request);
  // The name turned private between the check and the connection: nothing was sent.
  if (result.error?.code === "refused_address") throw invalid({ url: [REFUSED_MESSAGE] });
  const outcome = describeResult(request, result);
  const values = [
    workspaceId,
    webhookId,
    event.id,
    event.uuid,
    outcome.errorMessage === null,
    outcome.responseCode,
    outcome.responseTimeMs,
    outcome.errorMessage,
    outcome.detail,
  ];
  await db.query(logTest, values).catch(async (error) => {
    if (!isMissingPartition(error)) throw error;
    await ensurePartitions(db);
    await db.query(logTest, values);
  });
  return {
    success: outcome.errorMessage === null,
    status_code: outcome.responseCode,
    response_time_ms: outcome.responseTimeMs,
    error: outcome.errorMessage,
  };
}
