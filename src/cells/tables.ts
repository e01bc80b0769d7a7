import type { ClientBase } from "pg";
import { TABLE_LEVELS } from "../db/table-levels.ts";

/** A table with rows of workspaces. */
export interface MovedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** Which column says whose row it is. */
  readonly workspaceColumn: "workspace_id" | "id";
  /** Columns that refer to a person by a foreign key. */
  readonly people: readonly string[];
}

/** Tables that do not move: each cell has its own. Sessions end with a move: their cookies name the cell that they were created in. */
const TABLES_OF_EACH_CELL: ReadonlySet<string> = new Set([
  "alert_checks",
  "attempt_counters",
  "auth_revision",
  "event_traces",
  "installation",
  "nodes",
  "password_resets",
  "push_subscriptions",
  "rate_limit_windows",
  "schema_migrations",
  "second_factor_failures",
  "sessions",
  "sign_in_challenges",
  "workers",
]);

/** People belong to no workspace; people.ts copies those of the moved one. The first is what the others refer to. */
export const TABLES_OF_PEOPLE = [
  "users",
  "totp_secrets",
  "recovery_codes",
  "passkeys",
  "user_identities",
  "known_devices",
] as const;

// Tables that others refer to come first, and of the others those without triggers last: what triggers write while their
// tables are loaded (counters, the inbox) is replaced by the rows of the source.
const TABLES = `
  with recursive ${TABLE_LEVELS}

  select
    table_level.name,
    (
      select array_agg(a.attname::text order by a.attnum)
      from pg_attribute a
      where a.attrelid = table_level.oid
        and a.attnum > 0
        and not a.attisdropped
        and a.attgenerated = ''
    ) as columns,
    (
      select coalesce(array_agg(a.attname::text), '{}')
      from pg_constraint k
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any(k.conkey)
      where k.conrelid = table_level.oid
        and k.contype = 'f'
        and k.confrelid = 'public.users'::regclass
    ) as people,
    exists (
      select
      from pg_trigger t
      where t.tgrelid = table_level.oid
        and not t.tgisinternal
        and t.tgname not like 'moving\\_%'
    ) or exists (
      select
      from pg_constraint k
      where k.contype = 'f'
        and table_level.oid in (k.conrelid, k.confrelid)
    ) as first
  from table_level
  order by first desc, table_level.level, table_level.name`;

/**
 * Every table whose rows belong to a workspace, in the order in which they can be loaded. From the catalogue, so that a
 * new table is moved too. A table that does not say which workspace its rows belong to is refused: it has to be named above.
 */
export async function readMovedTables(client: ClientBase): Promise<MovedTable[]> {
  const { rows } = await client.query<Omit<MovedTable, "workspaceColumn">>(TABLES);
  const unknown: string[] = [];
  const tables = rows.flatMap(({ name, columns, people }): MovedTable[] => {
    if (TABLES_OF_EACH_CELL.has(name) || TABLES_OF_PEOPLE.some((other) => other === name)) return [];
    if (name === "workspaces") return [{ name, columns, people, workspaceColumn: "id" }];
    if (columns.includes("workspace_id")) return [{ name, columns, people, workspaceColumn: "workspace_id" }];
    unknown.push(name);
    return [];
  });
  if (unknown.length > 0)
    throw new Error(
      `It is not defined whether rows of ${unknown.join(", ")} move with their workspace: ` +
        "give the table a workspace_id, or name it in cells/tables.ts.",
    );
  return tables;
}

/** A person whom a column names without a foreign key, and when it does. */
interface PersonColumn {
  readonly column: string;
  readonly when: string;
  /** The column has several. */
  readonly isArray?: true;
}

/** In addition to the foreign keys: authors and actors, who may also be keys, and the counters by assignee. */
export const PEOPLE_BY_KIND: Readonly<Record<string, readonly PersonColumn[]>> = {
  api_keys: [{ column: "creator_id", when: "creator_type = 'user'" }],
  audit_logs: [
    { column: "actor_id", when: "actor_type = 'user'" },
    { column: "resource_id", when: "resource_type = 'user'" },
  ],
  contact_notes: [{ column: "author_id", when: "true" }],
  conversation_counts: [{ column: "assignee_id", when: "true" }],
  conversation_deltas: [{ column: "assignee_id", when: "true" }],
  conversation_inbox: [{ column: "assignee_id", when: "true" }],
  drafts: [{ column: "author_id", when: "author_type = 'user'" }],
  files: [{ column: "uploader_id", when: "uploader_type = 'user'" }],
  idempotency_keys: [{ column: "caller_id", when: "caller_type = 'user'" }],
  labelled_conversations: [{ column: "assignee_id", when: "true" }],
  conversation_notices: [{ column: "user_id", when: "true" }],
  message_mentions: [{ column: "user_id", when: "true" }],
  messages: [
    { column: "sender_id", when: "sender_type = 'user'" },
    { column: "mentions", when: "true", isArray: true },
  ],
  notification_settings: [{ column: "user_id", when: "true" }],
  views: [
    { column: "owner_id", when: "owner_type = 'user'" },
    { column: "person_id", when: "true" },
  ],
};

/** What is different in the other cell. */
export const REPLACED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  workspaces: { move_state: "null", moved_to_cell: "null" },
  // The bootstrap key of a cell is that of its settings; this one continues as an ordinary key.
  api_keys: { bootstrap: "false", revision: "0" },
  delivery_lanes: {
    in_flight: "0",
    paused: "false",
    // The column may still count the attempts of a day that retention is removing, which does not move.
    attempts_total: `(
      select count(*)
      from delivery_attempts attempt
      where attempt.workspace_id = delivery_lanes.workspace_id
        and attempt.webhook_id = delivery_lanes.webhook_id
    )`,
  },
  deliveries: { worker_id: "null", lease_token: "null" },
  mailbox_states: { lease_owner: "null", lease_until: "null", is_connected: "false" },
};

/** Requests that are still in progress have no response to keep. */
export const COPIED_WHERE: Readonly<Record<string, string>> = { idempotency_keys: "status is not null" };
