import { type Queryable, sql } from "../db/database.ts";
import { readConsumer } from "./consumer-reader.ts";
import { CONSUMER_COLUMNS, type Consumer } from "./consumers.ts";

interface LateConsumer {
  workspaceId: number;
  id: number;
  name: string;
  /** The time of the oldest event that it shows and has not acknowledged. */
  oldestAt: Date;
}

interface LateConsumers {
  late: LateConsumer[];
  /** Ids of those that were looked at and are on time, because what they have not read does not match. */
  onTime: number[];
  /** All were looked at. */
  complete: boolean;
}

const EXAMINED_MAX = 1_000;
const EXAMINING_MS_MAX = 5_000;

// The next event of any type is one lookup in the index; only where it is late are types and filter looked at. In random
// order, so that those beyond the bounds get their turn.
const behindStatement = sql(
  "consumers_behind",
  `select c.workspace_id, ${CONSUMER_COLUMNS}
    from consumers c
    cross join lateral (
      select next.event_id
      from event_positions next
      where next.workspace_id = c.workspace_id
        and next.position > c.position
      order by next.position
      limit 1
    ) unread
    join events event
      on event.workspace_id = c.workspace_id
      and event.id = unread.event_id
    where event.created_at < now() - make_interval(mins => $1)
    order by random()
    limit ${EXAMINED_MAX}`,
);

/** Consumers for which an event has waited longer than this, over all workspaces. */
export async function findLateConsumers(db: Queryable, minutes: number): Promise<LateConsumers> {
  const behind = await db.query<Consumer & { workspace_id: number }>(behindStatement, [minutes]);
  const late: LateConsumer[] = [];
  const onTime: number[] = [];
  const endsAt = performance.now() + EXAMINING_MS_MAX;
  for (const { workspace_id: workspaceId, ...consumer } of behind) {
    if (performance.now() > endsAt) break;
    const { id, name } = consumer;
    const [oldest] = (await readConsumer(db, workspaceId, consumer, { limit: 1 })).events;
    const oldestAt = oldest && new Date((JSON.parse(oldest.payload) as { timestamp: string }).timestamp);
    if (oldestAt && oldestAt.getTime() < Date.now() - minutes * 60_000) late.push({ workspaceId, id, name, oldestAt });
    else onTime.push(id);
  }
  return { late, onTime, complete: late.length + onTime.length === behind.length && behind.length < EXAMINED_MAX };
}
