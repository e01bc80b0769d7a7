import type { Caller } from "../../core/caller.ts";
import { invalid } from "../../core/errors.ts";
import { newUuid } from "../../core/ids.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import { formatTimestamp } from "../../core/timestamps.ts";
import { type Database, queryOne, sql } from "../../db/database.ts";
import { EVENT_CATALOGUE, type EventType } from "../../events/catalogue.ts";
import { eventPublicId, type Outbox } from "../../events/outbox.ts";
import { logTestAttempt, type TestEvent } from "../../queue/test-attempt.ts";
import {
  type AddressPolicy,
  checkDestination,
  type Lookup,
  type Outbound,
  REFUSED_MESSAGE,
} from "../../url-guard/index.ts";
import { readSettings } from "../../webhooks/settings.ts";
import { describeResult, sendSigned, signRequest } from "../attempts/attempt.ts";

export interface TestResult {
  success: boolean;
  status_code: number;
  response_time_ms: number;
  error: string | null;
}

interface TestSendOptions {
  db: Database;
  secretBox: SecretBox;
  outbox: Outbox;
  outbound: Outbound;
  policy: AddressPolicy;
  lookup: Lookup;
}

export interface TestRequest {
  webhookId: number;
  /** `webhook.test` unless another one is chosen, which is then sent with the example of the catalogue. */
  eventType: EventType;
}

/** The event of an attempt that belongs to no event: example data is not stored among what really happened. */
export const NO_EVENT = 0;

const readPayload = sql("test_payload", "select payload from events where workspace_id = $1 and id = $2");

/** Sends a test to this webhook alone, once, and waits for the outcome. */
export async function sendTest(options: TestSendOptions, caller: Caller, test: TestRequest): Promise<TestResult> {
  const { db, outbound, policy, lookup, secretBox } = options;
  const lane = { workspaceId: caller.workspaceId, webhookId: test.webhookId };
  const [settings] = await readSettings(db, secretBox, [lane]);
  if (!settings) throw new Error("The settings of the webhook cannot be read.");
  const verdict = await checkDestination(settings.url, { policy, lookup });
  if (!verdict.ok) throw invalid({ url: [verdict.message] });
  const { payload, ...event } =
    test.eventType === "webhook.test" ? await storeTest(options, caller, test) : exampleOf(test.eventType, caller);
  // Example data is not stored: the log has to have it.
  const signed = signRequest(settings, event.uuid, payload);
  const request = { ...signed, isEvent: signed.isEvent && event.id !== NO_EVENT };
  const result = await sendSigned(outbound, request);
  // The name resolved to a private address between the check and the connection: nothing was sent.
  if (result.error?.code === "refused_address") throw invalid({ url: [REFUSED_MESSAGE] });
  const outcome = describeResult(request, result);
  await logTestAttempt(db, lane, event, outcome);
  return {
    success: outcome.errorMessage === null,
    status_code: outcome.responseCode,
    response_time_ms: outcome.responseTimeMs,
    error: outcome.errorMessage,
  };
}

type TestPayload = TestEvent & { payload: string };

function storeTest({ db, outbox }: TestSendOptions, caller: Caller, { webhookId }: TestRequest): Promise<TestPayload> {
  const { workspaceId, actor } = caller;
  const type = "webhook.test";
  return db.transaction(async (tx) => {
    const data = { webhook_id: webhookId, message: "This is a test of your webhook." };
    const stored = await outbox.appendWithoutDeliveries(tx, { workspaceId, type, data, actor });
    const { payload } = await queryOne<{ payload: string }>(tx, readPayload, [workspaceId, stored.id]);
    return { ...stored, type, payload };
  });
}

function exampleOf(type: EventType, { actor }: Caller): TestPayload {
  const uuid = newUuid();
  const payload = JSON.stringify({
    id: eventPublicId(uuid),
    type,
    timestamp: formatTimestamp(new Date()),
    data: EVENT_CATALOGUE[type].example,
    actor: { type: actor.type, id: actor.id, name: actor.name },
  });
  return { id: NO_EVENT, uuid, type, payload };
}
