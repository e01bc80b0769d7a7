import { type Actor, ownKeyId } from "../core/actor.ts";
import { type Statement, sql, type Tx } from "../db/database.ts";
import { isStatementError } from "../db/errors.ts";
import { timestampSql } from "../db/timestamp-sql.ts";
import { conversationIdSql, type EventType, isApiKeyEvent, subscriptionsTo } from "./catalogue.ts";
import { newEventUuid, tracesCte, tracesOf } from "./event-traces.ts";

interface NewEvent {
  workspaceId: number;
  type: EventType;
  /** The resource as the API returns it, as of this transaction. */
  data: object;
  actor: Actor;
}

interface StoredEvent {
  id: number;
  uuid: string;
}

/** How an event's statement also writes its deliveries. Passed in by `app`: events does not know about webhooks. */
export interface FanOut {
  /**
   * CTEs that read the rows of the CTE `event` and store its deliveries. `queued` has `workspace_id` and `webhook_id` of
   * each delivery that waits to be claimed and, with parameters for a claim, `claimed` those that this statement claimed.
   * The other names are SQL expressions to use in them.
   */
  sql(names: {
    event: string;
    subscriptions: string;
    isApiKeyEvent: string;
    apiKeyId: string;
    /** Null: nothing is claimed. */
    claim: Record<"workerId" | "claimToken" | "claimMax", string> | null;
  }): string;
  /** Called after the commit if any deliveries were queued. */
  onQueued(workspaceId: number, webhookIds: number[]): void;
  /** Null: this process has no use for a claim now. */
  beginEarlyClaim(workspaceId: number): EarlyClaim | null;
}

/** Lets one statement store deliveries as claimed by this process, which sends them without a claim of their own. */
interface EarlyClaim {
  workerId: number;
  claimToken: number;
  /** How many deliveries it may claim; of an event with more it claims none. */
  claimMax: number;
  /** The rows of `claimed`. Null: the statement failed, perhaps after its commit. */
  returned(claimed: readonly object[] | null): void;
}

/**
 * Changes that are stored together with their events, in one statement: a message costs one round trip instead of five.
 * The last of the CTEs is `source`, with one row per change: `workspace_id`, `api_key_id`, `data` and `actor` as JSON in
 * text, and `event_uuid`, which is null where no event is to be stored.
 */
export interface Change {
  name: string;
  ctes: string;
  /** How many parameters they have, from $1 on. */
  parameters: number;
  /** What to return, from `source`. */
  columns: string;
  /** How many changes it may have. With `one`, $1 is the id of its workspace, which an early claim needs. */
  rows: "one" | "several";
}

export interface Outbox {
  append(tx: Tx, event: NewEvent): Promise<StoredEvent>;
  /** Appends events of one type, in one statement. Each has its uuid already (`newEventUuid`). */
  appendEach(tx: Tx, type: EventType, events: readonly (Omit<NewEvent, "type"> & { uuid: string })[]): Promise<void>;
  /** Stores the event without queuing deliveries; it still appears in `GET /events`. */
  appendWithoutDeliveries(tx: Tx, event: NewEvent): Promise<StoredEvent>;
  /** Runs changes and appends their events, all of one type. Returns the rows of `source`. */
  appendChanges<T extends object>(tx: Tx, change: Change, values: readonly unknown[], type: EventType): Promise<T[]>;
}

/** What the statement returns besides the columns of its change. */
interface Appended {
  /** The webhook and the workspace of each delivery that was queued. */
  queued: number[];
  queuedIn: number[];
  claimed?: object[] | null;
}

interface OutboxOptions {
  fanOut: FanOut;
  /** Called after the commit of a transaction that appended events: the sequencer can assign their positions. */
  onAppended: () => void;
}

/** One event whose fields are parameters of the statement. */
const ONE_EVENT: Omit<Change, "name"> = {
  ctes: `source as (
     select $1::bigint as workspace_id,
       $2::text as data,
       $3::text as actor,
       $4::uuid as event_uuid,
       $5::bigint as api_key_id)`,
  parameters: 5,
  columns: '(select id from event) as "eventId"',
  rows: "one",
};
const APPEND_EACH: Change = {
  name: "event_append_each",
  ctes: `source as (
     select item.*
     from json_to_recordset($1::json) as item (
       workspace_id bigint, data text, actor text, event_uuid uuid, api_key_id bigint, position integer)
     order by item.position)`,
  parameters: 1,
  columns: "source.position",
  rows: "several",
};
const APPEND: Change = { ...ONE_EVENT, name: "event_append" };
const APPEND_WITHOUT_DELIVERIES: Change = { ...ONE_EVENT, name: "event_append_without_deliveries" };
const queuesDeliveries = (change: Change): boolean => change !== APPEND_WITHOUT_DELIVERIES;

interface StatementForm {
  /** Whether the trace of the request is stored with each event. */
  isTraced: boolean;
  /** Whether deliveries are claimed. */
  claims: boolean;
}

interface StatementOptions extends StatementForm {
  /** Null: no deliveries are queued. */
  fanOut: FanOut | null;
}

/** Each form of a change's statement is prepared under its own name. */
const nameOf = ({ name }: Change, { isTraced, claims }: StatementForm): string =>
  `${name}${claims ? "_claiming" : ""}${isTraced ? "_traced" : ""}`;

// The body is put together in the database, so that its timestamp is the transaction's own.
function statementOf(change: Change, options: StatementOptions): Statement {
  const { ctes, columns, rows } = change;
  const { fanOut, isTraced, claims } = options;
  // The parameters after those of the change: the event type; with a fan-out, the subscriptions that match the type, whether
  // it is a key event, and those for the claim; with traces, the uuids of the events and their traces.
  let parameters = change.parameters;
  const parameter = (): string => `$${++parameters}`;
  const type = parameter();
  const queued = fanOut?.sql({
    event: "event",
    subscriptions: parameter(),
    isApiKeyEvent: parameter(),
    apiKeyId: "event.api_key_id",
    claim: claims ? { workerId: parameter(), claimToken: parameter(), claimMax: parameter() } : null,
  });
  return sql(
    nameOf(change, options),
    `with ${ctes},
     ${isTraced ? `${tracesCte(parameter(), parameter())},` : ""}
     event as (
       insert into events (workspace_id, uuid, type, api_key_id, payload)
       select workspace_id, event_uuid, ${type}::text, api_key_id,
         format('{"id":"evt_%s","type":"%s","timestamp":"%s","data":%s,"actor":%s}',
           replace(event_uuid::text, '-', ''), ${type}::text, ${timestampSql("now()")}, data, actor)
       from source
       where event_uuid is not null
       returning workspace_id, id, uuid, type, api_key_id, payload),

     unsequenced as (
       insert into events_unsequenced (workspace_id, event_id, type, conversation_id)
       select workspace_id, id, type, ${conversationIdSql("type", "payload")}
       from event)
     ${queued ? `, ${queued}` : ""}

     select ${columns},
       ${queued ? QUEUED[rows]("webhook_id") : NONE} as queued,
       ${queued ? QUEUED[rows]("workspace_id") : NONE} as "queuedIn"
       ${claims ? ", (select json_agg(claimed) from claimed) as claimed" : ""}
     from source`,
  );
}

const NONE = "'{}'::bigint[]";
// They are the same for every row; only the first of several carries them.
const QUEUED: Record<Change["rows"], (column: string) => string> = {
  one: (column) => `array(select queued.${column} from queued)`,
  several: (column) => `case when row_number() over () = 1 then ${QUEUED.one(column)} else '{}' end`,
};

/** The public id of an event, equal to the `webhook-id` of its deliveries. */
export const eventPublicId = (uuid: string): string => `evt_${uuid.replaceAll("-", "")}`;

/** The statement of each change in each form, written out once. */
function createStatements(fanOut: FanOut) {
  const statements = new Map<string, Statement>();
  return (change: Change, form: StatementForm): Statement => {
    const name = nameOf(change, form);
    let statement = statements.get(name);
    if (!statement) {
      statement = statementOf(change, { fanOut: queuesDeliveries(change) ? fanOut : null, ...form });
      statements.set(name, statement);
    }
    return statement;
  };
}

/** Passes on what the statement has claimed, or that it failed. */
function reportClaimed<T extends Appended>(claim: EarlyClaim, running: Promise<T[]>): Promise<T[]> {
  return running.then(
    (rows) => {
      claim.returned(rows[0]?.claimed ?? []);
      return rows;
    },
    (error: unknown) => {
      claim.returned(isStatementError(error) ? [] : null);
      throw error;
    },
  );
}

export function createOutbox({ fanOut, onAppended }: OutboxOptions): Outbox {
  const statementFor = createStatements(fanOut);

  async function appendChanges<T extends object>(
    tx: Tx,
    change: Change,
    values: readonly unknown[],
    type: EventType,
  ): Promise<T[]> {
    const traced = tracesOf(values);
    const queues = queuesDeliveries(change);
    // Only where the statement's end is the commit: a claim locks lanes, and what it claimed is sent at once.
    const mayClaim = queues && change.rows === "one" && tx.isSingleStatement;
    const claim = mayClaim ? fanOut.beginEarlyClaim(values[0] as number) : null;
    const statement = statementFor(change, { isTraced: traced !== null, claims: claim !== null });
    const running = tx.query<T & Appended>(statement, [
      ...values,
      type,
      ...(queues ? [subscriptionsTo(type), isApiKeyEvent(type)] : []),
      ...(claim ? [claim.workerId, claim.claimToken, claim.claimMax] : []),
      ...(traced ? [traced.uuids, traced.traces] : []),
    ]);
    const rows = await (claim ? reportClaimed(claim, running) : running);
    if (rows.length > 0) tx.afterCommit(onAppended);
    for (const [workspaceId, webhookIds] of byWorkspace(rows[0]))
      tx.afterCommit(() => fanOut.onQueued(workspaceId, [...webhookIds]));
    return rows;
  }

  async function appendOne(tx: Tx, change: Change, event: NewEvent): Promise<StoredEvent> {
    const { workspaceId, type, data, actor } = event;
    const uuid = newEventUuid();
    const values = [workspaceId, JSON.stringify(data), actorJson(actor), uuid, ownKeyId(actor)];
    const [row] = await appendChanges<{ eventId: number }>(tx, change, values, type);
    return { id: (row as { eventId: number }).eventId, uuid };
  }

  async function appendEach(
    tx: Tx,
    type: EventType,
    events: readonly (Omit<NewEvent, "type"> & { uuid: string })[],
  ): Promise<void> {
    if (events.length === 0) return;
    const sources = events.map(({ workspaceId, data, actor, uuid }, position) => ({
      position,
      workspace_id: workspaceId,
      data: JSON.stringify(data),
      actor: actorJson(actor),
      event_uuid: uuid,
      api_key_id: ownKeyId(actor),
    }));
    await appendChanges(tx, APPEND_EACH, [JSON.stringify(sources)], type);
  }

  return {
    append: (tx, event) => appendOne(tx, APPEND, event),
    appendEach,
    appendWithoutDeliveries: (tx, event) => appendOne(tx, APPEND_WITHOUT_DELIVERIES, event),
    appendChanges,
  };
}

/** The webhooks that got deliveries, each once. */
function byWorkspace({ queued, queuedIn }: Appended = { queued: [], queuedIn: [] }): Map<number, Set<number>> {
  const found = new Map<number, Set<number>>();
  for (const [index, webhookId] of queued.entries()) {
    const workspaceId = queuedIn[index] as number;
    const webhookIds = found.get(workspaceId) ?? new Set();
    found.set(workspaceId, webhookIds.add(webhookId));
  }
  return found;
}

/** The actor as events carry it. */
const actorJson = ({ type, id, name }: Actor): string => JSON.stringify({ type, id, name });
