import type { Caller } from "../../core/caller.ts";
import { notFound } from "../../core/errors.ts";
import type { Ref } from "../../core/ids.ts";
import { type Queryable, sql } from "../../db/database.ts";
import { isApiKeyEvent } from "../../events/catalogue.ts";
import { eventPublicId } from "../../events/outbox.ts";
import { mayReadApiKeyEvents } from "../../webhooks/subscriptions.ts";
import { decodeDetail, sentHeaders } from "../attempts/attempt-detail.ts";
import { logIdOf, logUuid } from "./log-uuid.ts";

/** A row of the log, one per attempt, as the list and `readLog` select it. */
export interface LogRow {
  id: number;
  event_uuid: string;
  event_type: string;
  status: "success" | "failed";
  response_code: number;
  response_time_ms: number;
  attempt: number;
  error_message: string | null;
  delivery_id: number;
  next_attempt_at: string | null;
  created_at: string;
}

/** The record that the API shows of it. */
export type DeliveryLog = Omit<LogRow, "event_uuid"> & { uuid: string; event_id: string };

export const LOG_COLUMNS = `a.id, a.event_uuid, a.event_type, case when a.delivered then 'success' else 'failed' end as status,
  a.response_code, a.response_time_ms, a.attempt, a.error_message, a.delivery_id, a.next_attempt_at, a.created_at`;

const findStatement = sql(
  "log_find",
  `select ${LOG_COLUMNS}, a.detail, e.payload
   from delivery_attempts a
   left join events e
     on e.workspace_id = a.workspace_id
     and e.id = a.event_id
   where a.workspace_id = $1
     and a.webhook_id = $2
     and a.id = $3`,
);

interface DeliveryLogDetail extends DeliveryLog {
  request: { method: "POST"; url: string; headers: Header[]; body: string | null };
  response: { headers: Header[]; body: string; body_truncated: boolean };
  address: string | null;
  timings: Record<"dns_ms" | "connect_ms" | "tls_ms" | "first_byte_ms" | "total_ms", number | null>;
}

interface Header {
  key: string;
  value: string;
}

/** One row, with what was sent and what came back. */
export async function readLog(
  db: Queryable,
  caller: Caller,
  { webhookId, log: ref }: { webhookId: number; log: Ref },
): Promise<DeliveryLogDetail> {
  const { workspaceId } = caller;
  const id = ref.id ?? logIdOf(ref.uuid);
  const [row] =
    id === null
      ? []
      : await db.query<LogRow & { detail: string; payload: string | null }>(findStatement, [
          workspaceId,
          webhookId,
          id,
        ]);
  if (!row) throw notFound("delivery log");
  const { detail: stored, payload, ...log } = row;
  const detail = decodeDetail(stored, row.event_uuid);
  const hidden = isApiKeyEvent(row.event_type) && !mayReadApiKeyEvents(caller);
  return {
    ...toLog(log),
    request: {
      method: "POST",
      url: detail.url,
      headers: pairs(sentHeaders(detail.requestHeaders)),
      body: hidden ? null : (detail.requestBody ?? payload ?? null),
    },
    response: {
      headers: pairs(detail.responseHeaders),
      body: detail.responseBody,
      body_truncated: detail.isResponseBodyTruncated,
    },
    address: detail.address,
    timings: {
      dns_ms: detail.timings.dnsMs,
      connect_ms: detail.timings.connectMs,
      tls_ms: detail.timings.tlsMs,
      first_byte_ms: detail.timings.firstByteMs,
      total_ms: detail.timings.totalMs,
    },
  };
}

const pairs = (headers: [string, string][]): Header[] => headers.map(([key, value]) => ({ key, value }));

/** The row's uuid is not stored but computed from its id. */
export function toLog({ event_uuid, ...row }: LogRow): DeliveryLog {
  return { ...row, uuid: logUuid(row.id), event_id: eventPublicId(event_uuid) };
}
