import { Type } from "typebox";
import { MANAGERS } from "../../../accounts/roles.ts";
import { findKey } from "../../../auth/key-record.ts";
import { readUsage, USAGE_RANGES, type UsageRange } from "../../../auth/usage.ts";
import { problems } from "../../../core/errors.ts";
import { readEventOutcomes, readWebhookHealth } from "../../../delivery/index.ts";
import { eventPublicId } from "../../../events/outbox.ts";
import {
  Id,
  NullableInteger,
  NullableString,
  NullableTimestamp,
  nullable,
  oneOf,
  Timestamp,
  Uuid,
} from "../../../resources/common.ts";
import { route } from "./services.ts";

const roles = MANAGERS;

const COUNTS = { requests: Type.Integer(), errors_4xx: Type.Integer(), errors_5xx: Type.Integer() };

const Range = oneOf(Object.keys(USAGE_RANGES) as UsageRange[], { title: "UsageRange" });

const UsageRecord = Type.Object(
  {
    range: Range,
    bucket: oneOf(["hour", "day"]),
    api_key_id: NullableInteger,
    points: Type.Array(Type.Object({ at: Timestamp, ...COUNTS }, { title: "UsagePoint" })),
    totals: Type.Object(COUNTS, { title: "UsageTotals" }),
  },
  { title: "Usage" },
);

/** `attempts` and `successes` count attempts, `delivered` and `failed` the events that came to an end by them. */
const ATTEMPTS = {
  attempts: Type.Integer(),
  successes: Type.Integer(),
  delivered: Type.Integer(),
  failed: Type.Integer(),
};

const WebhookHealth = Type.Object(
  {
    webhook_id: Id,
    uuid: Uuid,
    name: Type.String(),
    is_active: Type.Boolean(),
    disabled_reason: NullableString,
    failing_since: NullableTimestamp,
    ...ATTEMPTS,
    retrying: Type.Integer(),
    points: Type.Array(Type.Object({ at: Timestamp, ...ATTEMPTS }, { title: "WebhookHealthPoint" })),
    last_failure: nullable(
      Type.Object({ log_id: Id, at: Timestamp, response_code: Type.Integer(), error_message: NullableString }),
    ),
  },
  { title: "WebhookHealth" },
);

const OUTCOMES_MAX = 100;

const EventOutcome = Type.Object(
  {
    event_id: Type.String(),
    webhooks: Type.Integer(),
    delivered: Type.Integer(),
    pending: Type.Integer(),
    canceled: Type.Integer(),
  },
  { title: "EventOutcome" },
);

const eventIdsIn = (list: string): string[] => list.split(",").map((id) => id.trim());
const uuidOf = (eventId: string): string => eventId.replace(/^evt_/, "");

/** The numbers behind the dashboard's charts. */
export const chartRoutes = [
  route({
    method: "GET",
    path: "/usage",
    summary: "How much API keys are used, over time",
    access: "any",
    roles,
    query: Type.Object({
      api_key_id: Type.Optional(Type.Integer({ minimum: 1 })),
      range: Type.Optional(Range),
    }),
    success: { status: 200, data: UsageRecord },
    handler: async ({ principal: { workspaceId }, query }, { db, usage }) => {
      const { api_key_id: apiKeyId = null, range = "24h" } = query;
      if (apiKeyId !== null) await findKey(db, workspaceId, { id: apiKeyId });
      // A user who has just tried a key wants to see that here.
      await usage.flush();
      const points = await readUsage(db, workspaceId, apiKeyId, range);
      const total = (field: keyof typeof COUNTS) => points.reduce((sum, point) => sum + point[field], 0);
      const totals = {
        requests: total("requests"),
        errors_4xx: total("errors_4xx"),
        errors_5xx: total("errors_5xx"),
      };
      return { data: { range, bucket: USAGE_RANGES[range].bucket, api_key_id: apiKeyId, points, totals } };
    },
  }),
  route({
    method: "GET",
    path: "/webhook-health",
    summary: "How deliveries went in the last 24 hours, by webhook",
    access: "any",
    roles,
    query: Type.Object({ webhook_id: Type.Optional(Type.Integer({ minimum: 1 })) }),
    success: { status: 200, data: Type.Array(WebhookHealth) },
    handler: async ({ principal, query }, { db }) => ({
      data: await readWebhookHealth(db, principal.workspaceId, query.webhook_id ?? null),
    }),
  }),
  route({
    method: "GET",
    path: "/event-outcomes",
    summary: "At how many webhooks each of these events has arrived",
    access: "any",
    roles,
    query: Type.Object({ event_ids: Type.String({ maxLength: 4_096, description: "Comma separated." }) }),
    check: ({ query }) => {
      const ids = eventIdsIn(query.event_ids ?? "");
      return problems({
        event_ids: [
          ...(ids.every((id) => /^evt_[0-9a-f]{32}$/.test(id)) ? [] : ["event_ids must be ids of events."]),
          ...(ids.length > OUTCOMES_MAX ? [`event_ids must name at most ${OUTCOMES_MAX} events.`] : []),
        ],
      });
    },
    success: { status: 200, data: Type.Array(EventOutcome) },
    handler: async ({ principal, query }, { db }) => {
      const outcomes = await readEventOutcomes(db, principal.workspaceId, eventIdsIn(query.event_ids).map(uuidOf));
      return {
        data: outcomes.map(({ uuid, ...outcome }) => ({ event_id: eventPublicId(uuid), ...outcome })),
      };
    },
  }),
];
