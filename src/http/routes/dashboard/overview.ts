import { Type } from "typebox";
import { MANAGERS } from "../../../accounts/roles.ts";
import { readUsage, USAGE_RANGES, type UsagePoint } from "../../../auth/usage.ts";
import { countConversations } from "../../../conversations/counts.ts";
import { countWaitingLong } from "../../../conversations/waiting.ts";
import type { Database } from "../../../db/database.ts";
import { readBacklog } from "../../../delivery/index.ts";
import { NullableInteger, NullableTimestamp, oneOf, Timestamp } from "../../../resources/common.ts";
import { readFirstResponses, readMessageCounts } from "../../../stats/conversation-stats.ts";
import { readDeliveryCounts, readLatencies } from "../../../stats/delivery-stats.ts";
import { BACKUP_STATES, route } from "./services.ts";

const Range = oneOf(["24h", "7d", "30d"] as const, { title: "OverviewRange" });

const MESSAGES = { received: Type.Integer(), sent: Type.Integer() };
const DELIVERIES = {
  delivered: Type.Integer({ description: "Events that arrived, however many attempts it took." }),
  failed: Type.Integer({ description: "Events that will not be retried." }),
};
const REQUESTS = { requests: Type.Integer(), errors_4xx: Type.Integer(), errors_5xx: Type.Integer() };

const OverviewRecord = Type.Object(
  {
    range: Range,
    bucket: oneOf(["hour", "day"]),
    conversations: Type.Object({
      open: Type.Integer(),
      waiting: Type.Integer(),
      waiting_over_an_hour: Type.Object({ count: Type.Integer(), is_lower_bound: Type.Boolean() }),
    }),
    first_response: Type.Object({ responses: Type.Integer(), median_seconds: NullableInteger }),
    totals: Type.Object({ ...MESSAGES, ...DELIVERIES, ...REQUESTS }),
    latency: Type.Object({ p50_ms: NullableInteger, p95_ms: NullableInteger }),
    backlog: Type.Object({
      pending: Type.Integer(),
      overdue: Type.Integer(),
      overdue_since: NullableTimestamp,
    }),
    backups: oneOf(BACKUP_STATES),
    points: Type.Array(
      Type.Object({ at: Timestamp, ...MESSAGES, ...DELIVERIES, ...REQUESTS }, { title: "OverviewPoint" }),
    ),
  },
  { title: "Overview" },
);

/** The numbers of the overview page, from counters and rollups: nothing that happened is counted again. */
export const overviewRoutes = [
  route({
    method: "GET",
    path: "/overview",
    summary: "How the workspace is doing",
    access: "any",
    roles: MANAGERS,
    query: Type.Object({ range: Type.Optional(Range) }),
    success: { status: 200, data: OverviewRecord },
    handler: async ({ principal: { workspaceId }, query: { range = "24h" } }, { db, usage, backups }) => {
      const { bucket } = USAGE_RANGES[range];
      // A user who has just tried a key wants to see that here.
      await usage.flush();
      const requests = await readUsage(db, workspaceId, null, range);
      const since = requests[0]?.at as string;
      const [counts, waitingLong, firstResponse, latency, backlog] = await Promise.all([
        countConversations(db, workspaceId, null),
        countWaitingLong(db, workspaceId),
        readFirstResponses(db, workspaceId, since),
        readLatencies(db, workspaceId, since),
        readBacklog(db, workspaceId),
      ]);
      const points = await pointsOf(db, workspaceId, { requests, since, bucket });
      return {
        data: {
          range,
          bucket,
          conversations: {
            open: counts.by_status.open,
            waiting: counts.waiting,
            waiting_over_an_hour: waitingLong,
          },
          first_response: firstResponse,
          totals: totalsOf(points),
          latency,
          backlog,
          backups,
          points,
        },
      };
    },
  }),
];

const NOTHING = { received: 0, sent: 0, delivered: 0, failed: 0 };
type OverviewPoint = UsagePoint & typeof NOTHING;

interface Steps {
  /** One per step, without a gap. */
  requests: UsagePoint[];
  since: string;
  bucket: "hour" | "day";
}

async function pointsOf(db: Database, workspaceId: number, { requests, ...steps }: Steps): Promise<OverviewPoint[]> {
  const [messages, deliveries] = await Promise.all([
    readMessageCounts(db, workspaceId, steps),
    readDeliveryCounts(db, workspaceId, steps),
  ]);
  const messagesAt = new Map(messages.map((count) => [count.at, count]));
  const deliveriesAt = new Map(deliveries.map((count) => [count.at, count]));
  return requests.map((point) => ({
    ...NOTHING,
    ...messagesAt.get(point.at),
    ...deliveriesAt.get(point.at),
    ...point,
  }));
}

function totalsOf(points: readonly OverviewPoint[]) {
  const total = (name: Exclude<keyof OverviewPoint, "at">) => points.reduce((sum, point) => sum + point[name], 0);
  return {
    received: total("received"),
    sent: total("sent"),
    delivered: total("delivered"),
    failed: total("failed"),
    requests: total("requests"),
    errors_4xx: total("errors_4xx"),
    errors_5xx: total("errors_5xx"),
  };
}
