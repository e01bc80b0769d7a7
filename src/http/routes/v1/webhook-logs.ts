import { Type } from "typebox";
import { formatTimestamp } from "../../../core/timestamps.ts";
import { logReader, readLog, recover, redeliver } from "../../../delivery/index.ts";
import {
  Id,
  NullableString,
  NullableTimestamp,
  nullableString,
  oneOf,
  optionalBoolean,
  Timestamp,
  Uuid,
} from "../../../resources/common.ts";
import { findWebhook, requireActive } from "../../../webhooks/webhooks.ts";
import { EventTypeQuery, eventTypeProblems, eventTypesIn } from "../../pipeline/event-types.ts";
import { PageQuery, readPage } from "../../pipeline/paging.ts";
import { CreatedBetween, timestampParameter } from "../../pipeline/query.ts";
import { API_BASE } from "../../pipeline/route.ts";
import { route } from "./services.ts";

const access = "webhooks:manage";

const REDELIVERED = "The event will be sent again.";

const DeliveryLog = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    event_id: Type.String({ description: "The event's id, equal to the `webhook-id` header." }),
    event_type: Type.String(),
    status: oneOf(["success", "failed"]),
    response_code: Type.Integer({ description: "0 when there was no HTTP response." }),
    response_time_ms: Type.Integer(),
    attempt: Type.Integer({ minimum: 1 }),
    error_message: NullableString,
    delivery_id: Id,
    next_attempt_at: NullableTimestamp,
    created_at: Timestamp,
  },
  { title: "DeliveryLog" },
);

const Headers = Type.Array(Type.Object({ key: Type.String(), value: Type.String() }));
const Milliseconds = Type.Unsafe<number | null>({ type: ["number", "null"] });

const DeliveryLogDetail = Type.Object(
  {
    ...DeliveryLog.properties,
    request: Type.Object({
      method: Type.String(),
      url: Type.String(),
      headers: Headers,
      body: nullableString(
        "Null once the event is past retention, and for api_key events where the key lacks api-keys:manage.",
      ),
    }),
    response: Type.Object({
      headers: Headers,
      body: Type.String({ description: "The first 16 KiB." }),
      body_truncated: Type.Boolean(),
    }),
    address: nullableString("The address connected to."),
    timings: Type.Object(
      {
        dns_ms: Milliseconds,
        connect_ms: Milliseconds,
        tls_ms: Milliseconds,
        first_byte_ms: Milliseconds,
        total_ms: Milliseconds,
      },
      { description: "Milliseconds; null for steps that a reused connection did not need." },
    ),
  },
  { title: "DeliveryLogDetail" },
);

export const webhookLogRoutes = [
  route({
    method: "GET",
    path: "/webhooks/{webhook}/logs",
    summary: "List the delivery logs of a webhook",
    description: "One record per attempt, newest first.",
    access,
    query: Type.Object({
      status: Type.Optional(oneOf(["success", "failed"])),
      ...EventTypeQuery,
      ...CreatedBetween,
      ...PageQuery,
    }),
    success: { status: 200, data: Type.Array(DeliveryLog), paged: "always" },
    exists: ({ caller, params }, { db, secretBox }) => findWebhook(db, secretBox, caller.workspaceId, params.webhook),
    check: ({ query }) => eventTypeProblems(query),
    handler: async ({ caller, params, query }, { db, secretBox }) => {
      const webhook = await findWebhook(db, secretBox, caller.workspaceId, params.webhook);
      const filter = { ...query, event_types: eventTypesIn(query) };
      const reader = await logReader(db, caller.workspaceId, webhook.id, filter);
      return readPage(reader, query, `${API_BASE}/webhooks/${webhook.id}/logs`);
    },
  }),
  route({
    method: "GET",
    path: "/webhooks/{webhook}/logs/{log}",
    summary: "Get one attempt in detail",
    description:
      "The request as sent, with the values of custom headers redacted, the response, and how long each step took.",
    access,
    success: { status: 200, data: DeliveryLogDetail },
    handler: async ({ caller, params }, { db, secretBox }) => {
      const webhook = await findWebhook(db, secretBox, caller.workspaceId, params.webhook);
      return { data: await readLog(db, caller, { webhookId: webhook.id, log: params.log }) };
    },
  }),
  route({
    method: "POST",
    path: "/webhooks/{webhook}/logs/{log}/redeliver",
    summary: "Send the event of an attempt again",
    access,
    success: { status: 202, data: Type.Object({ delivery_id: Id }), message: REDELIVERED },
    handler: async ({ caller, params, write }, { delivery, secretBox }) => {
      const { workspaceId } = caller;
      return write(async (tx) => {
        const webhook = await findWebhook(tx, secretBox, workspaceId, params.webhook);
        const deliveryId = await redeliver(tx, caller, { webhookId: webhook.id, log: params.log });
        requireActive(webhook);
        tx.afterCommit(() => delivery.wake([{ workspaceId, webhookId: webhook.id }]));
        return { data: { delivery_id: deliveryId }, message: REDELIVERED };
      });
    },
  }),
  route({
    method: "POST",
    path: "/webhooks/{webhook}/recover",
    summary: "Send every missed event again",
    description:
      "Queues every event since then that was not delivered: those that will not be retried, and those that happened while the webhook was disabled.",
    access,
    body: Type.Object({
      since: timestampParameter("Any ISO 8601 form."),
      dry_run: optionalBoolean("Only counts the events; sends nothing."),
    }),
    success: {
      status: 202,
      data: Type.Object({ events: Type.Integer({ minimum: 0 }), since: Timestamp, dry_run: Type.Boolean() }),
      message: "3 events will be sent.",
    },
    exists: ({ caller, params }, { db, secretBox }) => findWebhook(db, secretBox, caller.workspaceId, params.webhook),
    handler: ({ caller, params, body, write }, { delivery, secretBox }) => {
      const { workspaceId } = caller;
      const dryRun = body.dry_run ?? false;
      return write(async (tx) => {
        const webhook = await findWebhook(tx, secretBox, workspaceId, params.webhook);
        if (!dryRun) requireActive(webhook);
        const events = await recover(tx, caller, { webhookId: webhook.id, since: body.since, dryRun });
        if (!dryRun) tx.afterCommit(() => delivery.wake([{ workspaceId, webhookId: webhook.id }]));
        // Not "again": events that happened while the webhook was disabled were never sent.
        const message = `${events} ${events === 1 ? "event" : "events"} ${dryRun ? "would" : "will"} be sent.`;
        return { data: { events, since: formatTimestamp(body.since), dry_run: dryRun }, message };
      });
    },
  }),
];
