import { isDeepStrictEqual } from "node:util";
import { auditOf } from "../audit/audit.ts";
import type { Caller } from "../core/caller.ts";
import { conflict, forbidden, notFound } from "../core/errors.ts";
import { newUuid, type Ref, refValues } from "../core/ids.ts";
import type { SecretBox } from "../core/secret-box.ts";
import { type Queryable, sql, type Tx } from "../db/database.ts";
import { previousSecretsSql } from "../db/previous-secrets.ts";
import type { Outbox } from "../events/outbox.ts";
import {
  cancelApiKeyEvents,
  cancelDeliveries,
  cancelUnclaimed,
  clearLaneFailures,
  countsVersion,
  createLane,
  resetLane,
} from "../queue/lanes.ts";
import { setLaneOrdered } from "../queue/ordered.ts";
import { setRateLimit } from "../queue/rate-limit.ts";
import type { WebhookRecord } from "../resources/webhook.ts";
import { auditedChanges } from "./audited-changes.ts";
import { type Controls, controlValues } from "./controls.ts";
import type { Header } from "./headers.ts";
import { sealContext } from "./settings.ts";
import { newSigningSecret } from "./signing.ts";
import { asksForApiKeyEvents, mayReadApiKeyEvents, replaceSubscriptions } from "./subscriptions.ts";

const audit = auditOf("webhook");

interface WebhookOptions {
  outbox: Outbox;
  secretBox: SecretBox;
}

interface NewWebhook extends Controls {
  name: string;
  url: string;
  events: string[];
  headers?: Header[] | undefined;
  retry_count?: number | undefined;
  timeout_seconds?: number | undefined;
  skip_own_events?: boolean | undefined;
  ordered?: boolean | undefined;
}

type WebhookPatch = Partial<NewWebhook> & { is_active?: boolean | undefined };

const RETRY_COUNT_DEFAULT = 10;
const TIMEOUT_SECONDS_DEFAULT = 15;
export const DISABLED_BY_REQUEST = "Disabled through the API.";

export const WEBHOOK_COLUMNS = `w.id,
      w.uuid,
      w.name,
      w.url,
      w.events,
      w.headers_sealed,
      w.retry_count,
      w.timeout_seconds,
      w.skip_own_events,
      w.ordered,
      w.filter,
      w.template,
      w.rate_limit,
      w.is_active,
      w.disabled_reason,
      w.created_at,
      w.updated_at`;

const findStatement = sql(
  "webhook_find",
  `select
      ${WEBHOOK_COLUMNS}
    from webhooks w
    where w.workspace_id = $1
      and (w.id = $2 or w.uuid = $3)`,
);

const lockStatement = sql(
  "webhook_lock",
  `select
      ${WEBHOOK_COLUMNS},
      w.secret_sealed,
      w.includes_api_key_events
    from webhooks w
    where w.workspace_id = $1
      and (w.id = $2 or w.uuid = $3)
    for update`,
);

const insertStatement = sql(
  "webhook_insert",
  `insert into webhooks (
      workspace_id, uuid, name, url, events, headers_sealed, retry_count, timeout_seconds,
      skip_own_events, created_by_api_key_id, includes_api_key_events, secret_sealed, ordered,
      filter, filter_path, template, rate_limit
    )
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15::jsonpath, $16, $17)
    returning id`,
);

const updateStatement = sql(
  "webhook_update",
  `update webhooks
    set
      name = $3,
      url = $4,
      events = $5,
      headers_sealed = $6,
      retry_count = $7,
      timeout_seconds = $8,
      skip_own_events = $9,
      includes_api_key_events = $10,
      ordered = $11,
      filter = $12,
      filter_path = $13::jsonpath,
      template = $14,
      rate_limit = $15,
      version = version + 1,
      updated_at = now()
    where workspace_id = $1
      and id = $2`,
);

const deleteStatement = sql("webhook_delete", "delete from webhooks where workspace_id = $1 and id = $2");

const rotateStatement = sql(
  "webhook_rotate_secret",
  `update webhooks
    set
      secret_sealed = $3,
      version = version + 1,
      updated_at = now(),
      previous_secrets = ${previousSecretsSql("webhooks", "$4")}
    where workspace_id = $1
      and id = $2`,
);

const setActiveStatement = sql(
  "webhook_set_active",
  `update webhooks
    set is_active = $3, disabled_reason = $4, version = version + 1, updated_at = now()
    where workspace_id = $1
      and id = $2`,
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
  { secretBox }: WebhookOptions,
  caller: Caller,
  input: NewWebhook,
): Promise<WebhookRecord & { secret: string }> {
  requireMaySubscribe(caller, input.events);
  const uuid = newUuid();
  const secret = newSigningSecret();
  const [row] = await tx.query<{ id: number }>(insertStatement, [
    caller.workspaceId,
    uuid,
    input.name,
    input.url,
    [...new Set(input.events)],
    secretBox.seal(JSON.stringify(input.headers ?? []), sealContext("headers", uuid)),
    input.retry_count ?? RETRY_COUNT_DEFAULT,
    input.timeout_seconds ?? TIMEOUT_SECONDS_DEFAULT,
    input.skip_own_events ?? false,
    caller.actor.apiKeyId ?? null,
    mayReadApiKeyEvents(caller),
    secretBox.seal(secret, sealContext("secret", uuid)),
    input.ordered ?? false,
    ...controlValues(input),
  ]);
  const { id } = row as { id: number };
  const lane = { workspaceId: caller.workspaceId, webhookId: id };
  await createLane(tx, lane, { ordered: input.ordered ?? false });
  if (input.rate_limit) await setRateLimit(tx, lane, input.rate_limit);
  await replaceSubscriptions(tx, lane);
  await audit(tx, caller, { action: "webhook.created", id: id });
  return { ...(await findWebhook(tx, secretBox, caller.workspaceId, { id })), secret };
}

/** Changes the given fields. A patch that changes nothing writes nothing. */
export async function patchWebhook(
  tx: Tx,
  options: WebhookOptions,
  caller: Caller,
  { ref, patch }: { ref: Ref; patch: WebhookPatch },
): Promise<WebhookRecord> {
  const { is_active, ...fields } = patch;
  const before = await lockWebhook(tx, options.secretBox, caller.workspaceId, ref);
  // Before the other fields, which may lock the lane.
  if (is_active === false) await cancelUnclaimed(tx, { workspaceId: caller.workspaceId, webhookId: before.record.id });
  await patchFields(tx, options, caller, { before, fields });
  if (is_active === true) return enableWebhook(tx, options, caller, ref);
  if (is_active === false) return disableWebhook(tx, options, caller, { ref, reason: DISABLED_BY_REQUEST });
  return findWebhook(tx, options.secretBox, caller.workspaceId, { id: before.record.id });
}

async function patchFields(
  tx: Tx,
  { secretBox }: WebhookOptions,
  caller: Caller,
  { before, fields }: { before: Locked; fields: Partial<NewWebhook> },
): Promise<void> {
  const { workspaceId } = caller;
  // Another url is another receiver: a caller who may not subscribe to api_key events may not redirect them either.
  const redirects = fields.url !== undefined && fields.url !== before.record.url;
  if (fields.events || redirects) requireMaySubscribe(caller, fields.events ?? before.record.events);
  const after = { ...before.record, ...definedOf(fields) };
  after.events = [...new Set(after.events)];
  const changed = (Object.keys(fields) as (keyof WebhookRecord)[]).filter(
    (field) => !isDeepStrictEqual(after[field], before.record[field]),
  );
  const mayRead = mayReadApiKeyEvents(caller);
  const includesApiKeyEvents = fields.events ? mayRead : before.includesApiKeyEvents && (mayRead || !redirects);
  if (changed.length === 0 && includesApiKeyEvents === before.includesApiKeyEvents) return;
  const lane = { workspaceId, webhookId: after.id };
  await tx.query(updateStatement, [
    workspaceId,
    after.id,
    after.name,
    after.url,
    after.events,
    secretBox.seal(JSON.stringify(after.headers), sealContext("headers", after.uuid)),
    after.retry_count,
    after.timeout_seconds,
    after.skip_own_events,
    includesApiKeyEvents,
    after.ordered,
    ...controlValues(after),
  ]);
  // This one first: it takes long for a long backlog, before it locks the lane.
  if (changed.includes("ordered")) await setLaneOrdered(tx, lane, { ordered: after.ordered });
  if (redirects) await clearLaneFailures(tx, lane);
  if (changed.includes("rate_limit")) await setRateLimit(tx, lane, after.rate_limit);
  if (before.includesApiKeyEvents && !includesApiKeyEvents) await cancelApiKeyEvents(tx, lane);
  if (changed.includes("events")) await replaceSubscriptions(tx, lane);
  await audit(tx, caller, {
    action: "webhook.updated",
    id: after.id,
    changes: auditedChanges(before.record, after, changed),
  });
}

export async function deleteWebhook(
  tx: Tx,
  { secretBox }: WebhookOptions,
  caller: Caller,
  ref: Ref,
): Promise<WebhookRecord> {
  const { record } = await lockWebhook(tx, secretBox, caller.workspaceId, ref);
  await cancelDeliveries(tx, { workspaceId: caller.workspaceId, webhookId: record.id });
  await tx.query(deleteStatement, [caller.workspaceId, record.id]);
  await audit(tx, caller, { action: "webhook.deleted", id: record.id });
  return record;
}

export async function enableWebhook(
  tx: Tx,
  { secretBox }: WebhookOptions,
  caller: Caller,
  ref: Ref,
): Promise<WebhookRecord> {
  const { workspaceId } = caller;
  const { record } = await lockWebhook(tx, secretBox, workspaceId, ref);
  if (record.is_active) return record;
  await tx.query(setActiveStatement, [workspaceId, record.id, true, null]);
  const lane = { workspaceId, webhookId: record.id };
  await resetLane(tx, lane);
  await replaceSubscriptions(tx, lane);
  await audit(tx, caller, { action: "webhook.enabled", id: record.id });
  return findWebhook(tx, secretBox, workspaceId, { id: record.id });
}

/**
 * Pending deliveries leave the queue and count as not delivered: `recover` queues them again once the webhook is enabled.
 * With `failedVersion`, only if the webhook was neither enabled nor given another url since that version.
 */
export async function disableWebhook(
  tx: Tx,
  { secretBox, outbox }: WebhookOptions,
  caller: Omit<Caller, "scopes">,
  { ref, reason, failedVersion }: { ref: Ref; reason: string; failedVersion?: number },
): Promise<WebhookRecord> {
  const { workspaceId } = caller;
  const { record } = await lockWebhook(tx, secretBox, workspaceId, ref);
  if (!record.is_active) return record;
  const lane = { workspaceId, webhookId: record.id };
  if (failedVersion !== undefined && !(await countsVersion(tx, lane, failedVersion))) return record;
  await tx.query(setActiveStatement, [workspaceId, record.id, false, reason]);
  await replaceSubscriptions(tx, lane);
  await cancelDeliveries(tx, lane);
  await audit(tx, caller, { action: "webhook.disabled", id: record.id, changes: { reason } });
  const disabled = await findWebhook(tx, secretBox, workspaceId, { id: record.id });
  // Header values may be credentials, and every reader of events sees this event: names only.
  const data = { ...disabled, headers: disabled.headers.map(({ key }) => ({ key, value: "[redacted]" })) };
  await outbox.append(tx, { workspaceId, type: "webhook.disabled", data, actor: caller.actor });
  return disabled;
}

/** The old secret keeps signing together with the new one until the overlap ends. */
export async function rotateSecret(
  tx: Tx,
  { secretBox }: WebhookOptions,
  caller: Caller,
  { ref, overlapSeconds }: { ref: Ref; overlapSeconds: number },
): Promise<WebhookRecord & { secret: string }> {
  const { workspaceId } = caller;
  const { record } = await lockWebhook(tx, secretBox, workspaceId, ref);
  const secret = newSigningSecret();
  const sealed = secretBox.seal(secret, sealContext("secret", record.uuid));
  await tx.query(rotateStatement, [workspaceId, record.id, sealed, overlapSeconds]);
  await audit(tx, caller, {
    action: "webhook.secret_rotated",
    id: record.id,
    changes: { overlap_seconds: overlapSeconds },
  });
  return { ...(await findWebhook(tx, secretBox, workspaceId, { id: record.id })), secret };
}

/** Reading the secret leaves an audit entry. */
export async function revealSecret(tx: Tx, { secretBox }: WebhookOptions, caller: Caller, ref: Ref): Promise<string> {
  const { record, secret } = await lockWebhook(tx, secretBox, caller.workspaceId, ref);
  await audit(tx, caller, { action: "webhook.secret_read", id: record.id });
  return secret;
}

interface Locked {
  record: WebhookRecord;
  secret: string;
  includesApiKeyEvents: boolean;
}

async function lockWebhook(tx: Tx, box: SecretBox, workspaceId: number, ref: Ref): Promise<Locked> {
  const [row] = await tx.query<WebhookRow & { secret_sealed: string; includes_api_key_events: boolean }>(
    lockStatement,
    [workspaceId, ...refValues(ref)],
  );
  if (!row) throw notFound("webhook");
  const { secret_sealed, includes_api_key_events, ...rest } = row;
  const secret = box.open(secret_sealed, sealContext("secret", row.uuid));
  return { record: toRecord(rest, box), secret, includesApiKeyEvents: includes_api_key_events };
}

export function requireMaySubscribe(caller: Pick<Caller, "scopes">, events: readonly string[]): void {
  if (asksForApiKeyEvents(events) && !mayReadApiKeyEvents(caller))
    throw forbidden("Subscribing to api_key events also requires the scope api-keys:manage.");
}

export function requireActive(webhook: WebhookRecord): void {
  if (!webhook.is_active) throw conflict("The webhook is disabled; enable it first.");
}

const definedOf = (patch: Partial<NewWebhook>) =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as Partial<WebhookRecord>;
