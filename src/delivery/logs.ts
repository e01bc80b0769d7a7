import { notFound } from "../core/errors.ts";
import type { Ref } from "../core/ids.ts";
import { type Queryable, type Statement, sql } from "../db/database.ts";
import { eventPublicId } from "../events/outbox.ts";
import { logIdOf, logUuid } from "./log-uuid.ts";
import type { AttemptDetail } from "./settle.ts";

export interface LogFilter {
  status?: "success" | "failed" | undefined;
  event_type?: string | undefined;
  created_after?: Date | undefined;
  created_before?: Date | undefined;
}

interface LogRow {
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

export type DeliveryLog = Omit<LogRow, "event_uuid"> & { uuid: string; event_id: string };

const COLUMNS = `a.id, a.event_uuid, a.event_type, case when a.delivered then 'success' else 'failed' end as status,
  a.response_code, a.response_time_ms, a.attempt, a.error_message, a.delivery_id, a.next_attempt_at, a.created_at`;

const MATCHES = `a.workspace_id = $1 and a.webhook_id = $2
  and ($3::boolean is null or a.delivered = $3)
  and ($4::text is null or a.event_type = $4)
  and ($5::timestamptz is null or a.created_at >= $5)
  and ($6::timestamptz is null or a.created_at < $6)
  and ($7::bigint is null or a.id <= $7)`;

const listStatement = sql(
  "log_list",
  `select ${COLUMNS} from delivery_attempts a where ${MATCHES} order by a.id desc limit $8 offset $9`,
);
const countStatement = sql("log_count", `select count(*) as total from delivery_attempts a where ${MATCHES}`);
// Without a filter the maintained counter answers; only what is newer than the page's anchor is counted and left out.
const totalStatement = sql(
  "log_total",
  `select l.attempts_total - case when $3::bigint is null then 0 else
     (select count(*) from delivery_attempts a where a.workspace_id = $1 and a.webhook_id = $2 and a.id > $3) end as total
   from delivery_lanes l where l.workspace_id = $1 and l.webhook_id = $2`,
);
const findStatement = sql(
  "log_find",
  `select ${COLUMNS}, a.detail, e.payload
   from delivery_attempts a left join events e on e.workspace_id = a.workspace_id and e.id = a.event_id
   where a.workspace_id = $1 and a.webhook_id = $2 and a.id = $3`,
);

/** One record an attempt, highest id first. */
export function logReader(db: Queryable, workspaceId: number, webhookId: number, filter: LogFilter) {
  const values = [
    workspaceId,
    webhookId,
    filter.status === undefined ? null : filter.status === "success",
    filter.event_type ?? null,
    filter.created_after ?? null,
    filter.created_before ?? null,
  ];
  const [, , delivered, ...others] = values;
  const narrowed = others.some((value) => value !== null);

  async function countBy(statement: Statement, parameters: unknown[]): Promise<number> {
    const [row] = await db.query<{ total: number }>(statement, parameters);
    return row?.total ?? 0;
  }
  const countAll = (upToId: number | null) => countBy(totalStatement, [workspaceId, webhookId, upToId]);

  return {
    async count(upToId: number | null): Promise<number> {
      if (!narrowed && delivered === null) return countAll(upToId);
      // Failures have an index of their own: what is not one of them was a success.
      if (!narrowed && delivered === true) {
        const failed = await countBy(countStatement, [workspaceId, webhookId, false, ...others, upToId]);
        return Math.max(0, (await countAll(upToId)) - failed);
      }
      return countBy(countStatement, [...values, upToId]);
    },
    async rows(limit: number, offset: number, upToId: number | null): Promise<DeliveryLog[]> {
      return (await db.query<LogRow>(listStatement, [...values, upToId, limit, offset])).map(toLog);
    },
  };
}

export interface DeliveryLogDetail extends DeliveryLog {
  request: { method: "POST"; url: string; headers: Header[]; body: string | null };
  response: { headers: Header[]; body: string; body_truncated: boolean };
  address: string | null;
  timings: object;
}

interface Header {
  key: string;
  value: string;
}

export async function readLog(
  db: Queryable,
  workspaceId: number,
  webhookId: number,
  ref: Ref,
  mayHearApiKeys: boolean,
): Promise<DeliveryLogDetail> {
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
  const detail: AttemptDetail = JSON.parse(stored);
  const hidden = row.event_type.startsWith("api_key.") && !mayHearApiKeys;
  return {
    ...toLog(log),
    request: { method: "POST", url: detail.url, headers: pairs(detail.request_headers), body: hidden ? null : payload },
    response: {
      headers: pairs(detail.response_headers),
      body: detail.response_body,
      body_truncated: detail.response_body_truncated,
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

function toLog({ event_uuid, ...row }: LogRow): DeliveryLog {
  return { ...row, uuid: logUuid(row.id), event_id: eventPublicId(event_uuid) };
}
