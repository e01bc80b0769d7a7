import { Type } from "typebox";
import type { Caller } from "../../../core/caller.ts";
import { NAME_PATTERN } from "../../../core/control-characters.ts";
import { problems } from "../../../core/errors.ts";
import { requireQuota } from "../../../db/quota.ts";
import { createRowLock } from "../../../db/row-lock.ts";
import { readCurrentHealth } from "../../../delivery/index.ts";
import type { EventType } from "../../../events/catalogue.ts";
import type { PayloadFilter } from "../../../events/payload-filter.ts";
import { optionalBoolean, optionalInteger, optionalString } from "../../../resources/common.ts";
import { WebhookRecord, WebhookWithHealth, WebhookWithSecret } from "../../../resources/webhook.ts";
import { type Header, parseHeaders } from "../../../webhooks/headers.ts";
import { eventTypeProblems, subscriptionProblems } from "../../../webhooks/subscriptions.ts";
import { webhookReader } from "../../../webhooks/webhook-list.ts";
import {
  createWebhook,
  DISABLED_BY_REQUEST,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  findWebhook,
  patchWebhook,
  requireMaySubscribe,
  revealSecret,
  rotateSecret,
} from "../../../webhooks/webhooks.ts";
import { PageQuery, readPage } from "../../pipeline/paging.ts";
import { API_BASE } from "../../pipeline/route.ts";
import { requireMatch, withEtag } from "../../pipeline/versions.ts";
import { route, type Services } from "./services.ts";
import { Controls, controlProblems, RateLimit } from "./webhook-controls.ts";

const lockWebhookRow = createRowLock("webhooks");

const access = "webhooks:manage";

export const SubscribedEvents = Type.Array(Type.String({ maxLength: 64, "x-event-pattern": true }), {
  minItems: 1,
  maxItems: 100,
  description: "Event names, groups such as `message.*`, or `*`.",
  examples: [["message.created", "conversation.*"]],
});

/** The forms that are taken: parseHeaders says what is wrong with any other. */
const HEADER_FORMS = [
  Type.Array(Type.Object({ key: Type.String(), value: Type.String() })),
  Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  Type.Array(Type.Array(Type.String())),
  Type.Array(Type.Record(Type.String(), Type.String())),
  Type.Record(Type.String(), Type.String()),
];

const Fields = {
  name: Type.String({
    trim: true,
    minLength: 1,
    maxLength: 255,
    pattern: NAME_PATTERN,
    examples: ["Order service"],
  }),
  url: Type.String({
    description: "http or https, at most 2,048 characters; private addresses are refused.",
    examples: ["https://orders.example.com/hooks/parley"],
  }),
  events: SubscribedEvents,
  headers: Type.Optional(
    Type.Unsafe<unknown>({
      "x-forms": HEADER_FORMS,
      description:
        'Custom headers: `[{ "key": "X-Team", "value": "a" }]`. Also accepted: `name` for `key`, `[{ "X-Team": "a" }]`, `[["X-Team", "a"]]` and `{ "X-Team": "a" }`.',
    }),
  ),
  retry_count: optionalInteger(0, 10, "Attempts after the first; 10 by default."),
  timeout_seconds: optionalInteger(5, 60, "For the whole attempt; 15 by default."),
  skip_own_events: optionalBoolean(
    "Leave out events caused by the key that created the webhook, to avoid loops. Messages from contacts are always sent.",
  ),
  ordered: optionalBoolean(
    "Send the events of one conversation strictly in their order: the next one is sent when the one before it has succeeded or will not be retried. Different conversations are sent in parallel. False by default.",
  ),
};

const Settings = { ...Fields, ...Controls, rate_limit: RateLimit };

const CreateBody = Type.Object(Settings);
const PatchBody = Type.Object({
  ...Settings,
  name: Type.Optional(Fields.name),
  url: Type.Optional(Fields.url),
  events: Type.Optional(Fields.events),
  is_active: optionalBoolean("The same as enable and disable."),
});

/** Fields that change by deliveries, not by an update: they are not part of the version. */
const VOLATILE = ["health"];

const Overlap = Type.Object({
  overlap_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 604_800,
      description: "How long both secrets sign; 86,400 by default.",
      examples: [3_600],
    }),
  ),
});
const CREATED = "Webhook created successfully.";
const OVERLAP_SECONDS_DEFAULT = 86_400;

const Reason = Type.Object({
  reason: Type.Optional(
    Type.String({
      trim: true,
      minLength: 1,
      maxLength: 500,
      description: "Shown as `disabled_reason`.",
      examples: ["Moving to another address."],
    }),
  ),
});

const TestResult = Type.Object(
  {
    success: Type.Boolean(),
    status_code: Type.Integer({ description: "0 when there was no HTTP response." }),
    response_time_ms: Type.Integer(),
    error: Type.Unsafe<string | null>({ type: ["string", "null"] }),
  },
  { title: "WebhookTestResult" },
);

interface CheckContext {
  caller: Caller;
  body: { url?: string; events?: string[]; headers?: unknown; filter?: PayloadFilter | null; template?: unknown };
}

export const webhookRoutes = [
  route({
    method: "GET",
    path: "/webhooks",
    summary: "List webhooks",
    description: "Newest first.",
    access,
    query: Type.Object({
      is_active: Type.Optional(Type.Boolean()),
      search: optionalString(255, "Part of the name or url, case-insensitive."),
      ...PageQuery,
    }),
    success: { status: 200, data: Type.Array(WebhookRecord), paged: "always" },
    handler: ({ caller, query }, { db, secretBox }) =>
      readPage(webhookReader(db, secretBox, caller.workspaceId, query), query, `${API_BASE}/webhooks`),
  }),
  route({
    method: "POST",
    path: "/webhooks",
    summary: "Create a webhook",
    description: "Subscribes a url to events. Keep the `secret`: deliveries are signed with it.",
    access,
    body: CreateBody,
    success: { status: 201, data: WebhookWithSecret, message: CREATED },
    check,
    handler: ({ caller, body, write }, services) => {
      const input = { ...body, headers: headersOf(body.headers) };
      return write(async (tx) => {
        await requireQuota(tx, { workspaceId: caller.workspaceId, collection: "webhooks", max: services.webhooksMax });
        return { data: await createWebhook(tx, services, caller, input), message: CREATED };
      });
    },
  }),
  route({
    method: "GET",
    path: "/webhooks/{webhook}",
    summary: "Get a webhook",
    access,
    success: { status: 200, data: WebhookWithHealth },
    handler: async ({ caller: { workspaceId }, params, reply }, { db, secretBox }) => {
      const webhook = await findWebhook(db, secretBox, workspaceId, params.webhook);
      const health = await readCurrentHealth(db, { workspaceId, webhookId: webhook.id });
      return { data: withEtag(reply, { ...webhook, health }, VOLATILE) };
    },
  }),
  route({
    method: "PATCH",
    path: "/webhooks/{webhook}",
    summary: "Update a webhook",
    description:
      "With `If-Match` and the `ETag` of a read, a webhook that has changed since that read is not updated (412).",
    access,
    body: PatchBody,
    errors: ["PRECONDITION_FAILED"],
    success: { status: 200, data: WebhookRecord },
    exists: ({ caller, params }, { db, secretBox }) => findWebhook(db, secretBox, caller.workspaceId, params.webhook),
    check,
    handler: ({ caller, params, body, request, reply, write }, services) => {
      const { workspaceId } = caller;
      const patch = { ...body, headers: headersOf(body.headers) };
      return write(async (tx) => {
        const readLocked = async () => {
          await lockWebhookRow(tx, workspaceId, params.webhook);
          return findWebhook(tx, services.secretBox, workspaceId, params.webhook);
        };
        await requireMatch(request, readLocked, VOLATILE);
        const data = await patchWebhook(tx, services, caller, { ref: params.webhook, patch });
        return { data: withEtag(reply, data, VOLATILE) };
      });
    },
  }),
  route({
    method: "DELETE",
    path: "/webhooks/{webhook}",
    summary: "Delete a webhook",
    description: "Its logs can no longer be read; pending deliveries are canceled.",
    access,
    success: { status: 200, data: WebhookRecord },
    handler: ({ caller, params, write }, services) =>
      write(async (tx) => ({ data: await deleteWebhook(tx, services, caller, params.webhook) })),
  }),
  route({
    method: "POST",
    path: "/webhooks/{webhook}/enable",
    summary: "Enable a webhook",
    description: "Events that happened while it was disabled can be recovered.",
    access,
    success: { status: 200, data: WebhookRecord },
    handler: ({ caller, params, write }, services) =>
      write(async (tx) => ({ data: await enableWebhook(tx, services, caller, params.webhook) })),
  }),
  route({
    method: "POST",
    path: "/webhooks/{webhook}/disable",
    summary: "Disable a webhook",
    description: "Nothing is sent until it is enabled again; missed events can be recovered then.",
    access,
    body: Reason,
    success: { status: 200, data: WebhookRecord },
    exists: ({ caller, params }, { db, secretBox }) => findWebhook(db, secretBox, caller.workspaceId, params.webhook),
    handler: ({ caller, params, body, write }, services) => {
      const disabling = { ref: params.webhook, reason: body.reason ?? DISABLED_BY_REQUEST };
      return write(async (tx) => ({ data: await disableWebhook(tx, services, caller, disabling) }));
    },
  }),
  route({
    method: "GET",
    path: "/webhooks/{webhook}/secret",
    summary: "Read the signing secret",
    description: "Each read is recorded in the audit log.",
    access,
    success: { status: 200, data: Type.Object({ secret: Type.String() }) },
    handler: ({ caller, params, write }, services) =>
      write(async (tx) => ({ data: { secret: await revealSecret(tx, services, caller, params.webhook) } })),
  }),
  route({
    method: "POST",
    path: "/webhooks/{webhook}/rotate-secret",
    summary: "Rotate the signing secret of a webhook",
    description: "Until the overlap ends, deliveries carry one signature per secret.",
    access,
    body: Overlap,
    success: { status: 200, data: WebhookWithSecret },
    exists: ({ caller, params }, { db, secretBox }) => findWebhook(db, secretBox, caller.workspaceId, params.webhook),
    handler: ({ caller, params, body, write }, services) => {
      const overlapSeconds = body.overlap_seconds ?? OVERLAP_SECONDS_DEFAULT;
      return write(async (tx) => ({
        data: await rotateSecret(tx, services, caller, { ref: params.webhook, overlapSeconds }),
      }));
    },
  }),
  route({
    method: "POST",
    path: "/webhooks/{webhook}/test",
    waitsOutside: true,
    summary: "Send a test payload",
    description:
      "Sends `webhook.test`, or the example of another event, to this webhook alone, once, and returns the outcome.",
    access,
    query: Type.Object({
      event_type: optionalString(64, "`webhook.test` by default."),
    }),
    exists: ({ caller, params }, { db, secretBox }) => findWebhook(db, secretBox, caller.workspaceId, params.webhook),
    check: ({ query }) => problems({ event_type: eventTypeProblems(query.event_type) }),
    errors: ["VALIDATION_ERROR"],
    success: { status: 201, data: TestResult },
    handler: async ({ caller, params, query, writeWithoutTransaction }, { db, delivery, secretBox }) => {
      const webhook = await findWebhook(db, secretBox, caller.workspaceId, params.webhook);
      const eventType = (query.event_type ?? "webhook.test") as EventType;
      return writeWithoutTransaction(async () => ({
        data: await delivery.test(caller, { webhookId: webhook.id, eventType }),
      }));
    },
  }),
];

async function check({ caller, body }: CheckContext, { checkUrl }: Pick<Services, "checkUrl">) {
  // 403 comes before 422.
  requireMaySubscribe(caller, body.events ?? []);
  const headers = body.headers === undefined ? null : parseHeaders(body.headers);
  const destination = body.url === undefined ? null : await checkUrl(body.url, caller.workspaceId);
  return problems({
    events: subscriptionProblems(body.events ?? []),
    headers: headers && !headers.ok ? headers.problems : [],
    url: destination && !destination.ok ? [destination.message] : [],
    ...controlProblems(body),
  });
}

/** Already checked. */
function headersOf(input: unknown): Header[] | undefined {
  const parsed = input === undefined ? null : parseHeaders(input);
  return parsed?.ok ? parsed.headers : undefined;
}
