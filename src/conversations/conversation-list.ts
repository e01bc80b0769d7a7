import { type Ref, refValues } from "../core/ids.ts";
import type { Queryable } from "../db/database.ts";
import { createListReader, type ListReader } from "../db/list.ts";
import type { Condition, ListSource } from "../db/list-sql.ts";
import { CONVERSATION_STATUSES, type ConversationRecord } from "../resources/conversations.ts";
import type { ConversationSort } from "../resources/view.ts";
import {
  CONVERSATION_COLUMNS,
  CONVERSATION_JOINS,
  type ConversationRow,
  readSeqSql,
  toConversation,
  unreadCountSql,
  type WholeConversation,
} from "./conversation-row.ts";
import { conversationTotal } from "./counts.ts";
import { partCondition } from "./part-of-text.ts";

export interface ConversationFilter {
  status?: ConversationRecord["status"][] | undefined;
  priority?: NonNullable<ConversationRecord["priority"]> | "none" | undefined;
  channel?: ConversationRecord["channel"] | undefined;
  label?: string | undefined;
  search?: string | undefined;
  /** Only those that are in each of these. */
  idLists?: readonly (readonly number[])[] | undefined;
  updated_since?: Date | undefined;
  contact?: Ref | undefined;
  assignee?: Ref | "nobody" | undefined;
  /** Whether the contact waits for a reply. */
  waiting?: boolean | undefined;
  /** Whether the viewer has unread messages there. */
  unread?: boolean | undefined;
}

interface ConversationListOptions {
  /** All of them apply. */
  filters: readonly ConversationFilter[];
  /** The signed-in person whose unread messages are counted; null for an API key. */
  viewerId: number | null;
  sort?: ConversationSort | undefined;
}

type Source = ListSource<ConversationRow, WholeConversation>;

// `$2` is the viewer: see `viewer` below.
const ROWS = { columns: `${CONVERSATION_COLUMNS}, ${unreadCountSql("$2")}`, toRecord: toConversation };

const BY_CREATION: Source = {
  ...ROWS,
  name: "conversations",
  table: "conversations c",
  order: [{ column: "c.id", type: "bigint" }],
  joins: `join conversations c on c.workspace_id = $1 and c.id = any(array[picked.key0]) ${CONVERSATION_JOINS}`,
};

const BY_ACTIVITY: Source = {
  ...ROWS,
  name: "conversations_active",
  table: "conversation_inbox i",
  order: [
    { column: "i.activity_at", type: "timestamptz" },
    { column: "i.conversation_id", type: "bigint" },
  ],
  joins: `join conversations c on c.workspace_id = $1 and c.id = any(array[picked.key1]) ${CONVERSATION_JOINS}`,
};

// Those with a label, in either order. This table has the columns of the inbox.
const LABELLED_BY_ACTIVITY: Source = {
  ...BY_ACTIVITY,
  name: "conversations_labelled_active",
  table: "labelled_conversations i",
};
const LABELLED_BY_CREATION: Source = {
  ...BY_CREATION,
  name: "conversations_labelled",
  table: "labelled_conversations i",
  order: [{ column: "i.conversation_id", type: "bigint" }],
};

/** Newest first, or those with the latest message first. */
export function conversationReader(
  db: Queryable,
  workspaceId: number,
  { filters: given, sort, viewerId }: ConversationListOptions,
): ListReader<WholeConversation> {
  const byActivity = sort === "last_activity";
  const [label, ...otherLabels] = [...new Set(given.flatMap((filter) => filter.label ?? []))];
  const labelled = labelCondition(label);
  const isLabelled = labelled.length > 0;
  const alias = byActivity || isLabelled ? "i" : "c";
  const assignee = given.flatMap((filter) => assigneeCondition(filter.assignee, alias));
  const about = [
    ...given.flatMap((filter) => aboutConversation(workspaceId, filter)),
    ...otherLabels.map(otherLabelCondition),
  ];
  const activity = given.flatMap(activityConditions);
  const common = commonStatuses(given);
  const statuses = common ?? [];
  const idLists = common?.length === 0 ? [[]] : given.flatMap((filter) => filter.idLists ?? []);
  const named = idLists.map((ids) => idsCondition(ids, alias));
  const filters =
    alias === "i"
      ? [...named, ...labelled, ...assignee, ...activity, ...through("conversations c", about)]
      : [...named, ...assignee, ...about, ...through("conversation_inbox i", activity)];
  const readState = given.flatMap(({ unread }) => (unread === undefined ? [] : [unreadCondition(viewerId, unread)]));
  const sparse = alias === "i" ? through("conversations c", readState) : readState;
  const isWhole = filters.length === 0 && statuses.length === 0 && sparse.length === 0;
  // Each status is a range of its own in the indexes by activity and by assignee.
  const hasRanges = byActivity || (assignee.length > 0 && !isLabelled);
  const read = statuses.length === 0 && hasRanges ? CONVERSATION_STATUSES : statuses;
  const branches = read.map((status) => ({ name: "status", sql: `${alias}.status = ?`, values: [status] }));
  const [only] = branches.length === 1 ? branches : [];
  // A condition that is always true, so that the viewer is the second parameter.
  const viewer = { name: "", sql: "(?::bigint is null or true)", values: [viewerId] };
  const reader = createListReader(db, sourceOf({ byActivity, isLabelled }), {
    workspaceId,
    base: [{ name: "", sql: `${alias}.workspace_id = ?`, values: [workspaceId] }, viewer],
    filters: only ? [only, ...filters] : filters,
    ...(only ? {} : { branches }),
    sparse,
    total: isWhole ? () => conversationTotal(db, workspaceId) : null,
  });
  // A cursor of one order is good for all of its filters.
  const { name } = byActivity ? BY_ACTIVITY : BY_CREATION;
  return { ...reader, name, ...(isWhole ? { isFiltered: false } : {}) };
}

function sourceOf({ byActivity, isLabelled }: { byActivity: boolean; isLabelled: boolean }): Source {
  if (isLabelled) return byActivity ? LABELLED_BY_ACTIVITY : LABELLED_BY_CREATION;
  return byActivity ? BY_ACTIVITY : BY_CREATION;
}

const labelCondition = (label: string | undefined): Condition[] =>
  label === undefined ? [] : [{ name: "label", sql: "i.label = ?", values: [label] }];

/** A conversation has been found by its first label; this one it must have as well. */
const otherLabelCondition = (label: string): Condition => ({
  name: "other_label",
  sql: "? = any(c.labels)",
  values: [label],
  skewed: true,
});

/** Those that all filters admit, perhaps none; null: no filter names a status. */
function commonStatuses(filters: readonly ConversationFilter[]): ConversationRecord["status"][] | null {
  const wanted = filters.flatMap(({ status }) => (status && status.length > 0 ? [status] : []));
  if (wanted.length === 0) return null;
  return CONVERSATION_STATUSES.filter((status) => wanted.every((each) => each.includes(status)));
}

function idsCondition(ids: readonly number[], alias: "i" | "c"): Condition {
  const column = alias === "i" ? "i.conversation_id" : "c.id";
  return { name: "ids", sql: `${column} = any(?::bigint[])`, values: [ids], skewed: true };
}

function assigneeCondition(assignee: ConversationFilter["assignee"], alias: "i" | "c"): Condition[] {
  if (assignee === undefined) return [];
  if (assignee === "nobody")
    return [{ name: "nobody", sql: alias === "i" ? "i.assignee_id = 0" : "c.assignee_id is null", values: [] }];
  const column = `${alias}.assignee_id`;
  const [id, uuid] = refValues(assignee);
  return id === null
    ? [{ name: "assignee_uuid", sql: `${column} = (select id from users where uuid = ?)`, values: [uuid] }]
    : [{ name: "assignee", sql: `${column} = ?`, values: [id] }];
}

/** Conditions on columns that messages do not change: these have their indexes in `conversations`. */
function aboutConversation(workspaceId: number, filter: ConversationFilter): Condition[] {
  const { channel, priority, search, contact } = filter;
  const conditions: Condition[] = [];
  const add = (name: string, sql: string, ...values: unknown[]) => conditions.push({ name, sql, values, skewed: true });
  if (channel !== undefined) add("channel", "c.channel = ?", channel);
  if (priority === "none") add("no_priority", "c.priority is null");
  else if (priority !== undefined) add("priority", "c.priority = ?", priority);
  if (search !== undefined)
    conditions.push(
      partCondition({
        search,
        text: "c.subject",
        fields: "c.subject",
        row: { alias: "c", table: "conversations", workspaceId },
      }),
    );
  if (contact !== undefined) conditions.push(contactCondition(workspaceId, contact));
  return conditions;
}

const unreadCondition = (viewerId: number | null, unread: boolean): Condition => ({
  name: "unread",
  sql: `(c.last_in_seq > ${readSeqSql("?")}) = ?`,
  values: [viewerId, unread],
  skewed: true,
});

function contactCondition(workspaceId: number, contact: Ref): Condition {
  const [id, uuid] = refValues(contact);
  if (id !== null) return { name: "contact", sql: "c.contact_id = ?", values: [id] };
  const lookup = "(select id from contacts where workspace_id = ? and uuid = ?)";
  return { name: "contact_uuid", sql: `c.contact_id = ${lookup}`, values: [workspaceId, uuid] };
}

/** Conditions on what messages change: only the inbox has indexes for it. */
function activityConditions({ waiting, updated_since }: ConversationFilter): Condition[] {
  const conditions: Condition[] = [];
  // Written out, so that the index of those who wait serves it.
  if (waiting !== undefined)
    conditions.push({ name: waiting ? "waiting" : "idle", sql: waiting ? "i.waiting" : "not i.waiting", values: [] });
  if (updated_since !== undefined)
    conditions.push({ name: "since", sql: "i.updated_at >= ?", values: [updated_since], skewed: true });
  return conditions;
}

/** Conditions on the other one of the two tables. The planner begins with whichever side leaves fewer rows. */
function through(table: "conversations c" | "conversation_inbox i", conditions: readonly Condition[]): Condition[] {
  if (conditions.length === 0) return [];
  const sql = `exists (
          select from ${table}
          where c.workspace_id = i.workspace_id
            and c.id = i.conversation_id
            and ${conditions.map((condition) => condition.sql).join("\n            and ")})`;
  const name = conditions.map((condition) => condition.name).join("_");
  return [{ name, sql, values: conditions.flatMap(({ values }) => values), skewed: true }];
}
