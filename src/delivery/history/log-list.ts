import type { Queryable } from "../../db/database.ts";
import { createListReader, type ListReader } from "../../db/list.ts";
import type { Condition, ListSource } from "../../db/list-sql.ts";
import { type AttemptCount, attemptCounts } from "../../stats/delivery-stats.ts";
import { type DeliveryLog, LOG_COLUMNS, type LogRow, toLog } from "./logs.ts";

interface LogFilter {
  status?: "success" | "failed" | undefined;
  event_types?: readonly string[] | undefined;
  created_after?: Date | undefined;
  created_before?: Date | undefined;
}

const LOGS: ListSource<LogRow, DeliveryLog> = {
  name: "logs",
  table: "delivery_attempts a",
  order: [{ column: "a.id", type: "bigint" }],
  columns: LOG_COLUMNS,
  // The list reader picks the ids of a page first, as `picked.key0` (db/list.ts): the first column of `order`.
  joins: "join delivery_attempts a on a.workspace_id = $1 and a.webhook_id = $2 and a.id = any(array[picked.key0])",
  toRecord: toLog,
};

const HOUR_MS = 3_600_000;
/** Above this share of the log, rows of one outcome are found soonest by reading along the whole log. */
const COMMON_SHARE = 0.1;

/** One record per attempt, highest id first. The rollup gives the totals and says which ranges of the log to read. */
export async function logReader(
  db: Queryable,
  workspaceId: number,
  webhookId: number,
  filter: LogFilter,
): Promise<ListReader<DeliveryLog>> {
  const counts = await attemptCounts(db, { workspaceId, webhookId }, hoursOf(filter));
  const matching = counts.filter((count) => matches(filter, count));
  const { filters = [], branches = [] } = narrow(filter, counts, matching);
  return createListReader(db, LOGS, {
    workspaceId,
    owner: webhookId,
    base: [
      { name: "", sql: "a.workspace_id = ?", values: [workspaceId] },
      { name: "", sql: "a.webhook_id = ?", values: [webhookId] },
      // By the rollup no attempt matches. That is exact: a settle counts its attempts in the statement that logs them.
      ...(matching.length === 0 ? [{ name: "none", sql: "false", values: [] }] : []),
    ],
    filters: [...filters, ...timeConditions(filter)],
    branches,
    total: isFullHours(filter) ? async () => attemptsIn(matching) : null,
  });
}

/** Each event type with its outcome is a range of an index; failures have an index of their own. */
function narrow(
  { status, event_types }: LogFilter,
  counts: AttemptCount[],
  matching: AttemptCount[],
): { filters?: Condition[]; branches?: Condition[] } {
  const ranges = matching.map(({ event_type, delivered }) => ({
    name: "type_outcome",
    sql: "(a.event_type = ? and a.delivered = ?)",
    values: [event_type, delivered],
  }));
  if (event_types !== undefined) return { branches: ranges };
  if (status === undefined) return {};
  if (status === "failed") return { filters: [{ name: "failed", sql: "not a.delivered", values: [] }] };
  const isCommon = attemptsIn(matching) >= COMMON_SHARE * attemptsIn(counts);
  return isCommon ? { filters: [{ name: "success", sql: "a.delivered", values: [] }] } : { branches: ranges };
}

function timeConditions({ created_after, created_before }: LogFilter): Condition[] {
  return [
    ...(created_after ? [{ name: "after_time", sql: "a.created_at >= ?", values: [created_after] }] : []),
    ...(created_before ? [{ name: "before_time", sql: "a.created_at < ?", values: [created_before] }] : []),
  ];
}

const matches = ({ status, event_types }: LogFilter, count: AttemptCount): boolean =>
  (status === undefined || count.delivered === (status === "success")) &&
  (event_types === undefined || event_types.includes(count.event_type));

/** The hours that hold every attempt between the two times. */
const hoursOf = ({ created_after, created_before }: LogFilter) => ({
  from: created_after && new Date(Math.floor(created_after.getTime() / HOUR_MS) * HOUR_MS),
  to: created_before && new Date(Math.ceil(created_before.getTime() / HOUR_MS) * HOUR_MS),
});

const isFullHours = ({ created_after, created_before }: LogFilter): boolean =>
  [created_after, created_before].every((time) => !time || time.getTime() % HOUR_MS === 0);

const attemptsIn = (counts: readonly AttemptCount[]): number =>
  counts.reduce((total, { attempts }) => total + attempts, 0);
