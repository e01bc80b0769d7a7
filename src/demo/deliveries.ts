import { operatorCaller } from "../auth/operator.ts";
import type { SecretBox } from "../core/secret-box.ts";
import { sql } from "../db/database.ts";
import { encodeDetail, eventHeaders } from "../delivery/attempts/attempt-detail.ts";
import { coveredTypes, type EventType } from "../events/catalogue.ts";
import { ensurePartitionsSince } from "../queue/partitions.ts";
import { writePastAttempt } from "../queue/past-attempt.ts";
import type { Settlement } from "../queue/settle.ts";
import type { WebhookRecord } from "../resources/webhook.ts";
import { createWebhook } from "../webhooks/webhooks.ts";
import { WEBHOOKS } from "./content.ts";
import type { DemoWriter } from "./history.ts";
import type { Random } from "./random.ts";

const DAYS = 7;
const HOUR_MS = 3_600_000;
const CLAIM_TOKEN = 0;
/** Of the webhook: each attempt counts for the destination that it has now. */
const NEWEST_VERSION = Number.MAX_SAFE_INTEGER;

const recentEvents = sql(
  "demo_recent_events",
  `select id, uuid, type, extract(epoch from created_at) * 1000 as ms,
     nextval(pg_get_serial_sequence('deliveries', 'id')) as delivery_id
   from events
   where workspace_id = $1
     and created_at > now() - make_interval(days => ${DAYS})
     and type = any($2::text[])
   order by created_at`,
);
type State = (typeof WEBHOOKS)[number]["state"];

interface RecentEvent {
  id: number;
  uuid: string;
  type: EventType;
  ms: string;
  delivery_id: number;
}

interface DeliveryWriter extends Omit<DemoWriter, "links" | "callers"> {
  secretBox: SecretBox;
}

/**
 * Webhooks, and what the engine would have logged for the events of the last week: one webhook that is healthy, one that
 * failed for some hours and recovered, and one that fails. Nothing is sent, and nothing is left in the queue.
 */
export async function writeDeliveries(writer: DeliveryWriter): Promise<void> {
  const { db, workspaceId, outbox, secretBox } = writer;
  await ensurePartitionsSince(db, DAYS);
  for (const { state, ...input } of WEBHOOKS) {
    const events = [...input.events];
    const webhook = await db.transaction((tx) =>
      createWebhook(tx, { outbox, secretBox }, operatorCaller(workspaceId), { ...input, events }),
    );
    const recent = await db.query<RecentEvent>(recentEvents, [workspaceId, coveredTypes(events)]);
    const attempts = recent.flatMap((event) => attemptsAt(writer, event, state));
    // In the order of time, as the engine makes them: an attempt with a higher id is a later one.
    for (const attempt of attempts.sort((a, b) => a.at - b.at)) await writeAttempt(writer, webhook, attempt);
  }
}

interface TimedAttempt {
  event: RecentEvent;
  at: number;
  outcome: Omit<Outcome, "afterMs">;
}

function attemptsAt({ random }: DeliveryWriter, event: RecentEvent, state: State): TimedAttempt[] {
  const happenedAt = Number(event.ms);
  const attempts: TimedAttempt[] = [];
  for (const { afterMs, ...outcome } of attemptsOf(state, Date.now() - happenedAt, random)) {
    const at = happenedAt + afterMs;
    if (at > Date.now()) break;
    attempts.push({ event, at, outcome });
  }
  return attempts;
}

async function writeAttempt(
  { db, workspaceId }: DeliveryWriter,
  { id: webhookId, url }: WebhookRecord,
  { event, at, outcome }: TimedAttempt,
): Promise<void> {
  const settlement: Settlement = {
    workspaceId,
    webhookId,
    webhookVersion: NEWEST_VERSION,
    deliveryId: event.delivery_id,
    claimToken: CLAIM_TOKEN,
    orderKey: null,
    judgesReceiver: true,
    eventId: event.id,
    eventUuid: event.uuid,
    eventType: event.type,
    detail: detailOf(url, event, outcome),
    ...outcome,
  };
  await db.transaction((tx) => writePastAttempt(tx, settlement, new Date(at)));
}

/** How one attempt went. */
interface Outcome
  extends Pick<Settlement, "attempt" | "responseCode" | "responseTimeMs" | "errorMessage" | "retryInMs"> {
  /** After the event. */
  afterMs: number;
}

/** The attempts of one delivery, by the state of its webhook and the age of its event. */
function attemptsOf(state: State, ageMs: number, random: Random): Outcome[] {
  const quick = random.between(200, 2_000);
  const success = (attempt: number, afterMs: number): Outcome => ({
    attempt,
    afterMs,
    responseCode: 200,
    responseTimeMs: Math.round(40 + random.next() ** 3 * 400),
    errorMessage: null,
    retryInMs: null,
  });
  const failure = (attempt: number, afterMs: number, retryInMs: number | null): Outcome => ({
    attempt,
    afterMs,
    responseCode: 503,
    responseTimeMs: Math.round(random.between(900, 4_000)),
    errorMessage: "HTTP 503",
    retryInMs,
  });
  const isDown = state === "recovering" && ageMs > 20 * HOUR_MS && ageMs < 34 * HOUR_MS;
  if (state === "failing" && ageMs < 3 * 24 * HOUR_MS)
    return [failure(1, quick, 5_000), failure(2, quick + 5_000, 30_000), failure(3, quick + 35_000, null)];
  if (isDown)
    return [failure(1, quick, 600_000), failure(2, quick + 600_000, 3_600_000), success(3, quick + 4_200_000)];
  if (random.next() < 0.03) return [failure(1, quick, 5_000), success(2, quick + 5_000)];
  return [success(1, quick)];
}

function detailOf(url: string, event: RecentEvent, outcome: Pick<Outcome, "responseCode" | "responseTimeMs">) {
  const totalMs = outcome.responseTimeMs;
  return encodeDetail({
    url,
    requestHeaders: eventHeaders(event.uuid),
    responseHeaders: [["content-type", "text/plain"]],
    responseBody: outcome.responseCode === 200 ? "ok" : "Service Unavailable",
    isResponseBodyTruncated: false,
    address: "192.0.2.20",
    timings: { dnsMs: 1, connectMs: 9, tlsMs: 14, firstByteMs: totalMs - 2, totalMs },
  });
}
