import { type Queryable, queryOne, sql } from "../../db/database.ts";
import { timestampSql } from "../../db/timestamp-sql.ts";

/** Counted up to here: a larger backlog is shown as this many. */
const PENDING_MAX = 10_000;

const readStatement = sql(
  "delivery_backlog",
  `with pending as (
     select next_attempt_at
     from deliveries
     where workspace_id = $1
     order by id
     limit ${PENDING_MAX}
   )

   select count(*)::int as pending,
     (count(*) filter (where next_attempt_at < now() - interval '1 minute'))::int as overdue,
     ${timestampSql("min(next_attempt_at) filter (where next_attempt_at < now() - interval '1 minute')")} as overdue_since
   from pending`,
);

/** Deliveries that are not finished, and those that should have been attempted more than a minute ago. */
interface Backlog {
  pending: number;
  overdue: number;
  overdue_since: string | null;
}

export const readBacklog = (db: Queryable, workspaceId: number): Promise<Backlog> =>
  queryOne(db, readStatement, [workspaceId]);
