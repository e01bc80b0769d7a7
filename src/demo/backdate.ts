import type { User } from "../accounts/users.ts";
import { formatTimestamp } from "../core/timestamps.ts";
import { type Database, sql, type Tx } from "../db/database.ts";
import { timestampSql } from "../db/timestamp-sql.ts";
import { isApiKeyEventSql } from "../events/catalogue.ts";
import type { ApiKeyRecord } from "../resources/api-key.ts";

const DAYS = 61;
const HOURS = DAYS * 24;

interface BackdatedTable {
  name: string;
  columns: readonly string[];
}

/** What a workspace has from its first day on. */
const TABLES: readonly BackdatedTable[] = [
  { name: "memberships", columns: ["created_at"] },
  { name: "api_keys", columns: ["created_at", "updated_at"] },
  { name: "mailboxes", columns: ["created_at", "updated_at"] },
  { name: "saved_replies", columns: ["created_at", "updated_at"] },
  { name: "webhooks", columns: ["created_at", "updated_at"] },
  { name: "audit_logs", columns: ["created_at"] },
];

const statements = TABLES.map(({ name, columns }) =>
  sql(
    `demo_begin_${name}`,
    `update ${name}
     set ${columns.map((column) => `${column} = $2`).join(",\n       ")}
     where workspace_id = $1`,
  ),
);

const stampEvents = sql(
  "demo_begin_events",
  `update events
   set created_at = $2,
     payload = replace(payload, ${timestampSql("created_at")}, $3)
   where workspace_id = $1
     and ${isApiKeyEventSql("type")}`,
);

// More by day than by night, and a bad release some days ago.
const writeUsage = sql(
  "demo_write_usage",
  `insert into api_key_usage (workspace_id, api_key_id, hour, requests, errors_4xx, errors_5xx)
   select $1,
     key.id,
     date_trunc('hour', now(), 'UTC') - make_interval(hours => ago),
     (key.per_hour * (0.25 + (1 - cos((extract(hour from now()) - ago - 3) / 24.0 * 6.283)) / 2))::int + ago * 31 % 7,
     case when ago in (51, 52) then key.per_hour / 3 else ago * 17 % 5 / 4 end,
     case when ago in (51, 52) then 9 else 0 end
   from unnest($2::bigint[], $3::integer[]) as key (id, per_hour)
   cross join generate_series(0, $4::integer) as ago
   on conflict do nothing`,
);
const writeLastUse = sql(
  "demo_write_last_use",
  `insert into api_key_last_used (workspace_id, api_key_id, last_used_at)
   select $1, id, now() - make_interval(mins => 3)
   from unnest($2::bigint[]) as key (id)
   on conflict do nothing`,
);

const writeLastSeen = sql(
  "demo_write_last_seen",
  `update users
   set last_seen_at = now() - make_interval(mins => seen.minutes_ago)
   from unnest($1::bigint[], $2::integer[]) as seen (id, minutes_ago)
   where users.id = seen.id`,
);

/** When each person was last seen: all of them today, though the demo has no sessions of theirs. */
export async function writeLastSeenTimes(tx: Tx, users: readonly User[]): Promise<void> {
  const minutesAgo = users.map((_, index) => [0, 4, 26, 145][index] ?? 300);
  await tx.query(writeLastSeen, [users.map(({ id }) => id), minutesAgo]);
}

/** Sets the times of what was set up to the first day. */
export async function backdateSetup(db: Database, workspaceId: number): Promise<void> {
  const firstDay = new Date(Date.now() - DAYS * 86_400_000);
  for (const statement of statements) await db.query(statement, [workspaceId, firstDay]);
  await db.query(stampEvents, [workspaceId, firstDay, formatTimestamp(firstDay)]);
}

/** What the keys were used for, hour by hour, as the server would have counted it. */
export async function writeKeyUsage(tx: Tx, workspaceId: number, keys: readonly ApiKeyRecord[]): Promise<void> {
  const ids = keys.map(({ id }) => id);
  const perHour = keys.map((_, index) => [140, 60, 30][index] ?? 10);
  await tx.query(writeUsage, [workspaceId, ids, perHour, HOURS]);
  await tx.query(writeLastUse, [workspaceId, ids]);
}
