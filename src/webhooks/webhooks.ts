import { recordAudit } from "../audit/audit.ts";
import type { Origin } from "../core/actor.ts";
import { conflict, forbidden, notFound } from "../core/errors.ts";
import { newUuid, type Ref, refValues } from "../core/ids.ts";
import type { SecretBox } from "../core/secret-box.ts";
import { type Queryable, sql, type Tx } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import type { WebhookRecord } from "../resources/webhook.ts";
import type { Header } from "./headers.ts";
import { sealContext } from "./settings.ts";
import { newSigningSecret } from "./signing.ts";
import { asksForKeyEvents } from "./subscriptions.ts";

export interface WebhookDeps {
  outbox: Outbox;
  secretBox: SecretBox;
}

export interface NewWebhook {
  name: string;
  url: string;
  events: string[];
  headers?: Header[] | undefined;
  retry_count?: number | undefined;
  timeout_seconds?: number | undefined;
  skip_own_events?: boolean | undefined;
}

export type WebhookPatch = Partial<NewWebhook>;

const RETRY_COUNT_DEFAULT = 10;
const TIMEOUT_SECONDS_DEFAULT = 15;
const PREVIOUS_SECRETS_MAX = 5;

export const WEBHOOK_COLUMNS = `w.id, w.uuid, w.name, w.url, w.events, w.headers_sealed, w.retry_count, w.timeout_seconds,
  w.skip_own_events, w.is_active, w.disabled_reason, w.created_at, w.updated_at`;

const findStatement = sql(
  "webhook_find",
  `select ${WEBHOOK_COLUMNS} from webhooks w where w.workspace_id = $1 and (w.id = $2 or w.uuid = $3)`,
);
const lockStatement = sql(
  "webhook_lock",
  `select ${WEBHOOK_COLUMNS}, w.secret_sealed, w.hears_api_keys from webhooks w
   where w.workspace_id = $1 and (w.id = $2 or w.uuid = $3) for update`,
);
const insertWebhook = sql(
  "webhook_insert",
  `with made as (
     insert into webhooks (workspace_id, uuid, name, url, events, headers_sealed, retry_count, timeout_seconds,
       skip_own_events, created_by_api_key_id, hears_api_keys, secret_sealed)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning workspace_id, id)
   insert into delivery_lanes (workspace_id, webhook_id) select workspace_id, id from made returning webhook_id as id`,
);
const updateWebhook = sql(
  "webhook_update",
  `update webhooks set name = $3, url = $4, events = $5, headers_sealed = $6, retry_count = $7, timeout_seconds = $8,
     skip_own_events = $9, hears_api_keys = $10, version = version + 1, updated_at = now()
   where workspace_id = $1 and id = $2`,
);
const deleteStatement = sql("webhook_delete", "delete from webhooks where workspace_id = $1 and id = $2");
const rotateStatement = sql(
  "webhook_rotate_secret",
  `update webhooks set secret_sealed = $3, version = version + 1, updated_at = now(), previous_secrets = (
     select coalesce(jsonb_agg(jsonb_build_object('sealed', sealed, 'ends_at', ends_at) order by ends_at desc), '[]')
     from (
       select old ->> 'sealed' as sealed, least((old ->> 'ends_at')::timestamptz, now() + make_interval(secs => $4)) as ends_at
       from jsonb_array_elements(
         jsonb_build_array(jsonb_build_object('sealed', secret_sealed, 'ends_at', 'infinity')) || previous_secrets) old
       order by 2 desc limit ${PREVIOUS_SECRETS_MAX}) kept
     where ends_at > now())
   where workspace_id = $1 and id = $2`,
);
const setActive = sql(
  "webhook_set_active",
  `update webhooks set is_active = $3, disabled_reason = $4, version = version + 1, updated_at = now()
   where workspace_id = $1 and id = $2`,
);
// Lanes before deliveries, as everywhere: two statements that lock both never wait for each other in a circle.
const resetLane = sql(
  "lane_reset",
  `update delivery_lanes set in_flight = 0, window_size = 4, silent_failures = 0, open_until = null, failing_since = null
   where workspace_id = $1 and webhook_id = $2`,
);
const cancelDeliveries = sql(
  "deliveries_cancel",
  `with canceled as (delete from deliveries where workspace_id = $1 and webhook_id = $2 returning event_id)
   insert into deliveries_given_up (workspace_id, webhook_id, event_id)
   select $1, $2, event_id from canceled on conflict do nothing`,
);

// What was queued for a listener that may no longer hear of keys.
const cancelKeyEvents = sql(
  "deliveries_cancel_key_events",
  `delete from deliveries d using events e
   where d.workspace_id = $1 and d.webhook_id = $2 and d.worker_id is null
     and e.workspace_id = d.workspace_id and e.id = d.event_id and starts_with(e.type, 'api_key.')`,
);
// A new url is a new destination: what the old one did is not held against it.
const forgiveLane = sql(
  "lane_forgive",
  `update delivery_lanes set silent_failures = 0, open_until = null, failing_since = null
   where workspace_id = $1 and webhook_id = $2`,
);

export type WebhookRow = Omit<WebhookRecord, "headers"> & { headers_sealed: string };

export function toRecord(row: WebhookRow, box: SecretBox): WebhookRecord {
  const { headers_sealed, ...record } = row;
  return { ...record, headers: JSON.parse(box.open(headers_sealed, sealContext("headers", row.uuid))) as Header[] };
}

export async function findWebhook(
  db: Queryable,
  box: SecretBox,
  workspaceId: number,
  ref: Ref,
): Promise<WebhookRecord> {
  const [row] = await db.query<WebhookRow>(findStatement, [workspaceId, ...refValues(ref)]);
  if (!row) throw notFound("webhook");
  return toRecord(row, box);
}

export async function createWebhook(
  tx: Tx,
  { secretBox }: WebhookDeps,
  origin: Origin,
  workspaceId: number,
  mayHearApiKeys: boolean,
  input: NewWebhook,
): Promise<WebhookRecord & { secret: string }> {
  requireMayHear(input.events, mayHearApiKeys);
  const uuid = newUuid();
  const secret = newSigningSecret();
  const [row] = await tx.query<{ id: number }>(insertWebhook, [
    workspaceId,
    uuid,
    input.name,
    input.url,
    [...new Set(input.events)],
    secretBox.seal(JSON.stringify(input.headers ?? []), sealContext("headers", uuid)),
    input.retry_count ?? RETRY_COUNT_DEFAULT,
    input.timeout_seconds ?? TIMEOUT_SECONDS_DEFAULT,
    input.skip_own_events ?? false,
    origin.actor.apiKeyId ?? null,
    mayHearApiKeys,
    secretBox.seal(secret, sealContext("secret", uuid)),
  ]);
  const { id } = row as { id: number };
  await recordAudit(tx, origin, { workspaceId, action: "webhook.created", resource: { type: "webhook", id } });
  return { ...(await findWebhook(tx, secretBox, workspaceId, { id })), secret };
}

export async function patchWebhook(
  tx: Tx,
  { secretBox }: WebhookDeps,
  origin: Origin,
  workspaceId: number,
  mayHearApiKeys: boolean,
  ref: Ref,
  patch: WebhookPatch,
): Promise<WebhookRecord> {
  const before = await lockWebhook(tx, secretBox, workspaceId, ref);
  // Another url is another listener: whoever may not subscribe to key events may not redirect them either.
  const redirects = patch.url !== undefined && patch.url !== before.record.url;
  if (patch.events || redirects) requireMayHear(patch.events ?? before.record.events, mayHearApiKeys);
  const hearsApiKeys = patch.events ? mayHearApiKeys : before.hearsApiKeys && (mayHearApiKeys || !redirects);
  if (redirects) await tx.query(forgiveLane, [workspaceId, before.record.id]);
  if (before.hearsApiKeys && !hearsApiKeys) await tx.query(cancelKeyEvents, [workspaceId, before.record.id]);
  const after = { ...before.record, ...definedOf(patch) };
  await tx.query(updateWebhook, [
    workspaceId,
    after.id,
    after.name,
    after.url,
    [...new Set(after.events)],
    secretBox.seal(JSON.stringify(after.headers), sealContext("headers", after.uuid)),
    after.retry_count,
    after.timeout_seconds,
    after.skip_own_events,
    hearsApiKeys,
  ]);
  const changed = Object.keys(definedOf(patch));
  await recordAudit(tx, origin, {
    workspaceId,
    action: "webhook.updated",
    resource: { type: "webhook", id: after.id },
    changes: { fields: changed },
  });
  return findWebhook(tx, secretBox, workspaceId, { id: after.id });
}

export async function deleteWebhook(
  tx: Tx,
  { secretBox }: WebhookDeps,
  origin: Origin,
  workspaceId: number,
  ref: Ref,
): Promise<WebhookRecord> {
  const { record } = await lockWebhook(tx, secretBox, workspaceId, ref);
  await tx.query(resetLane, [workspaceId, record.id]);
  await tx.query(cancelDeliveries, [workspaceId, record.id]);
  await tx.query(deleteStatement, [workspaceId, record.id]);
  await recordAudit(tx, origin, {
    workspaceId,
    action: "webhook.deleted",
    resource: { type: "webhook", id: record.id },
  });
  return record;
}

export async function enableWebhook(
  tx: Tx,
  { secretBox }: WebhookDeps,
  origin: Origin,
  workspaceId: number,
  ref: Ref,
): Promise<WebhookRecord> {
  const { record } = await lockWebhook(tx, secretBox, workspaceId, ref);
  if (record.is_active) return record;
  await tx.query(setActive, [workspaceId, record.id, true, null]);
  await tx.query(resetLane, [workspaceId, record.id]);
  await recordAudit(tx, origin, {
    workspaceId,
    action: "webhook.enabled",
    resource: { type: "webhook", id: record.id },
  });
  return findWebhook(tx, secretBox, workspaceId, { id: record.id });
}

/** What is waiting leaves the queue and counts as not delivered: `recover` brings it back once the webhook is enabled. */
export async function disableWebhook(
  tx: Tx,
  { secretBox, outbox }: WebhookDeps,
  origin: Origin,
  workspaceId: number,
  ref: Ref,
  reason: string,
): Promise<WebhookRecord> {
  const { record } = await lockWebhook(tx, secretBox, workspaceId, ref);
  if (!record.is_active) return record;
  await tx.query(setActive, [workspaceId, record.id, false, reason]);
  await tx.query(resetLane, [workspaceId, record.id]);
  await tx.query(cancelDeliveries, [workspaceId, record.id]);
  await recordAudit(tx, origin, {
    workspaceId,
    action: "webhook.disabled",
    resource: { type: "webhook", id: record.id },
    changes: { reason },
  });
  const disabled = await findWebhook(tx, secretBox, workspaceId, { id: record.id });
  // Header values may be credentials, and an event goes to whoever reads events: names only.
  const data = { ...disabled, headers: disabled.headers.map(({ key }) => ({ key, value: "[redacted]" })) };
  await outbox.append(tx, { workspaceId, type: "webhook.disabled", data, actor: origin.actor });
  return disabled;
}

/** The old secret keeps signing beside the new one until the overlap ends. */
export async function rotateSecret(
  tx: Tx,
  { secretBox }: WebhookDeps,
  origin: Origin,
  workspaceId: number,
  ref: Ref,
  overlapSeconds: number,
): Promise<WebhookRecord & { secret: string }> {
  const { record } = await lockWebhook(tx, secretBox, workspaceId, ref);
  const secret = newSigningSecret();
  const sealed = secretBox.seal(secret, sealContext("secret", record.uuid));
  await tx.query(rotateStatement, [workspaceId, record.id, sealed, overlapSeconds]);
  await recordAudit(tx, origin, {
    workspaceId,
    action: "webhook.secret_rotated",
    resource: { type: "webhook", id: record.id },
    changes: { overlap_seconds: overlapSeconds },
  });
  return { ...(await findWebhook(tx, secretBox, workspaceId, { id: record.id })), secret };
}

/** Reading the secret leaves a trace. */
export async function revealSecret(
  tx: Tx,
  { secretBox }: WebhookDeps,
  origin: Origin,
  workspaceId: number,
  ref: Ref,
): Promise<string> {
  const { record, secret } = await lockWebhook(tx, secretBox, workspaceId, ref);
  await recordAudit(tx, origin, {
    workspaceId,
    action: "webhook.secret_read",
    resource: { type: "webhook", id: record.id },
  });
  return secret;
}

interface Locked {
  record: WebhookRecord;
  secret: string;
  hearsApiKeys: boolean;
}

async function lockWebhook(tx: Tx, box: SecretBox, workspaceId: number, ref: Ref): Promise<Locked> {
  const [row] = await tx.query<WebhookRow & { secret_sealed: string; hears_api_keys: boolean }>(lockStatement, [
    workspaceId,
    ...refValues(ref),
  ]);
  if (!row) throw notFound("webhook");
  const { secret_sealed, hears_api_keys, ...rest } = row;
  const secret = box.open(secret_sealed, sealContext("secret", row.uuid));
  return { record: toRecord(rest, box), secret, hearsApiKeys: hears_api_keys };
}

export function requireMayHear(events: readonly string[], mayHearApiKeys: boolean): void {
  if (asksForKeyEvents(events) && !mayHearApiKeys)
    throw forbidden("Subscribing to api_key events also asks for the scope api-keys:manage.");
}

export function requireActive(webhook: WebhookRecord): void {
  if (!webhook.is_active) throw conflict("The webhook is disabled; enable it first.");
}

const definedOf = (patch: WebhookPatch) =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as WebhookPatch & object;
