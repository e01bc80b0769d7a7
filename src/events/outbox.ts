import { type Actor, ownKeyId } from "../core/actor.ts";
import type { Tx } from "../db/database.ts";
import { isStatementError } from "../db/errors.ts";
import { type NamedStatement, namedSql, valuesOf } from "../db/named-sql.ts";
import { timestampSql } from "../db/timestamp-sql.ts";
import { conversationIdSql, type EventType, isApiKeyEvent, subscriptionsTo } from "./catalogue.ts";
import { newEventUuid, STORE_TRACES, tracesOf } from "./event-traces.ts";

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
   * each delivery that waits to be claimed and, if the statement claims, `claimed` those that it claimed. Their parameters
   * are `:subscriptions`, `:isApiKeyEvent` and, for a claim, `:workerId`, `:claimToken` and `:claimMax`.
   */
  sql(event: string, form: { claims: boolean }): string;
  /** Called after the commit if any deliveries were queued. */
  onQueued(workspaceId: number, webhookIds: number[]): void;
  /** Null: this process has no use for a claim now. */
  beginEarlyClaim(workspaceId: number): EarlyClaim | null;
}

/** Lets one statement store deliveries as claimed by this process, which sends them without a claim of their own. */
export interface EarlyClaim<Claimed extends object = object> {
  workerId: number;
  claimToken: number;
  /** How many deliveries it may claim; of an event with more it claims none. */
  claimMax: number;
  /** The rows of `claimed`. Null: the statement failed, perhaps after its commit. */
  returned(claimed: readonly Claimed[] | null): void;
}

/** A statement that stores changes together with their events: a message costs one round trip instead of five. */
export interface ChangeStatement {
  name: string;
  /** The whole text, with named parameters, given the parts that the outbox writes. */
  text(parts: EventParts): string;
}

/** What the outbox contributes to the statement of a change. */
interface EventParts {
  /**
   * CTEs that store the event of each row of `source` and queue its deliveries. The rows have `workspace_id`,
   * `api_key_id`, `data` and `actor` as JSON in text, and `event_uuid`, which is null where no event is to be stored.
   */
  storeEvents: string;
  /** Columns to return next to those of the change: the deliveries that were queued, and those that were claimed. */
  queued: string;
}

/** Changes to be stored by one statement, with events of one type. */
interface Changes {
  /** The parameters of the change. */
  values: Readonly<Record<string, unknown>>;
  type: EventType;
  eventUuids: readonly string[];
  /** The workspace of a single change whose deliveries may be claimed early; null: none may. */
  claimsIn: number | null;
}

export interface Outbox {
  append(tx: Tx, event: NewEvent): Promise<StoredEvent>;
  /** Appends events of one type, in one statement. Each has its uuid already (`newEventUuid`). */
  appendEach(tx: Tx, type: EventType, events: readonly (Omit<NewEvent, "type"> & { uuid: string })[]): Promise<void>;
  /** Stores the event without queuing deliveries; it still appears in `GET /events`. */
  appendWithoutDeliveries(tx: Tx, event: NewEvent): Promise<StoredEvent>;
  /** Runs changes and appends their events. Returns the rows of the statement. */
  appendChanges<T extends object>(tx: Tx, statement: ChangeStatement, changes: Changes): Promise<T[]>;
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

/** Events without a change of their own: whatever they report is written by other statements of the transaction. */
const appendStatement = (name: string): ChangeStatement => ({
  name,
  text: ({ storeEvents, queued }) => `with source as (
       select item.*
       from json_to_recordset(:events::json) as item (
         position integer, workspace_id bigint, data text, actor text, event_uuid uuid, api_key_id bigint)
       order by item.position),

     ${storeEvents}

     select (select event.id from event where event.uuid = source.event_uuid) as "eventId",
       ${queued}
     from source`,
});
const APPEND = appendStatement("event_append");
const APPEND_WITHOUT_DELIVERIES = appendStatement("event_append_without_deliveries");

interface StatementForm {
  queues: boolean;
  /** Whether the trace of the request is stored with each event. */
  isTraced: boolean;
  /** Whether deliveries are claimed. */
  claims: boolean;
}

// The body is put together in the database, so that its timestamp is the transaction's own.
const STORE_EVENTS = `event as (
       insert into events (workspace_id, uuid, type, api_key_id, payload)
       select workspace_id, event_uuid, :eventType::text, api_key_id,
         format('{"id":"evt_%s","type":"%s","timestamp":"%s","data":%s,"actor":%s}',
           replace(event_uuid::text, '-', ''), :eventType::text, ${timestampSql("now()")}, data, actor)
       from source
       where event_uuid is not null
       returning workspace_id, id, uuid, type, api_key_id, payload),

     unsequenced as (
       insert into events_unsequenced (workspace_id, event_id, type, conversation_id)
       select workspace_id, id, type, ${conversationIdSql("type", "payload")}
       from event)`;

const BETWEEN_CTES = ",\n\n     ";

const partsOf = (fanOut: FanOut, { queues, isTraced, claims }: StatementForm): EventParts => ({
  storeEvents: [
    ...(isTraced ? [STORE_TRACES] : []),
    STORE_EVENTS,
    ...(queues ? [fanOut.sql("event", { claims })] : []),
  ].join(BETWEEN_CTES),
  queued: [
    `${queues ? queuedColumn("webhook_id") : NONE} as queued`,
    `${queues ? queuedColumn("workspace_id") : NONE} as "queuedIn"`,
    ...(claims ? ["(select json_agg(claimed) from claimed) as claimed"] : []),
  ].join(",\n       "),
});

const NONE = "'{}'::bigint[]";
// They are the same for every row; only the first carries them. A window function takes a twentieth of the statement.
const queuedColumn = (column: string): string =>
  `case when source.event_uuid is not distinct from (select event_uuid from source limit 1)
         then array(select queued.${column} from queued) else '{}' end`;

/** The public id of an event, equal to the `webhook-id` of its deliveries. */
export const eventPublicId = (uuid: string): string => `evt_${uuid.replaceAll("-", "")}`;

/** The statement of each change in each form, written out once and prepared under its own name. */
function createStatements(fanOut: FanOut) {
  const statements = new Map<string, NamedStatement>();
  return (change: ChangeStatement, form: StatementForm): NamedStatement => {
    const name = `${change.name}${form.claims ? "_claiming" : ""}${form.isTraced ? "_traced" : ""}`;
    let statement = statements.get(name);
    if (!statement) {
      statement = namedSql(name, change.text(partsOf(fanOut, form)));
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

  async function appendChanges<T extends object>(tx: Tx, change: ChangeStatement, changes: Changes): Promise<T[]> {
    const { values, type, eventUuids, claimsIn } = changes;
    const traced = tracesOf(eventUuids);
    const queues = change !== APPEND_WITHOUT_DELIVERIES;
    // Only where the statement's end is the commit: a claim locks lanes, and what it claimed is sent at once.
    const mayClaim = queues && claimsIn !== null && tx.isSingleStatement;
    const claim = mayClaim ? fanOut.beginEarlyClaim(claimsIn) : null;
    const statement = statementFor(change, { queues, isTraced: traced !== null, claims: claim !== null });
    const ofEvents = { eventType: type, subscriptions: subscriptionsTo(type), isApiKeyEvent: isApiKeyEvent(type) };
    const running = tx.query<T & Appended>(
      statement,
      valuesOf(statement, { ...values, ...ofEvents, ...claim, ...traced }),
    );
    const rows = await (claim ? reportClaimed(claim, running) : running);
    if (rows.length > 0) tx.afterCommit(onAppended);
    for (const [workspaceId, webhookIds] of byWorkspace(rows[0]))
      tx.afterCommit(() => fanOut.onQueued(workspaceId, [...webhookIds]));
    return rows;
  }

  /** Returns their ids, in their order. */
  async function appendEvents(
    tx: Tx,
    statement: ChangeStatement,
    type: EventType,
    events: readonly (Omit<NewEvent, "type"> & { uuid: string })[],
  ): Promise<{ eventId: number }[]> {
    const sources = events.map(({ workspaceId, data, actor, uuid }, position) => ({
      position,
      workspace_id: workspaceId,
      data: JSON.stringify(data),
      actor: actorJson(actor),
      event_uuid: uuid,
      api_key_id: ownKeyId(actor),
    }));
    return appendChanges(tx, statement, {
      values: { events: JSON.stringify(sources) },
      type,
      eventUuids: events.map(({ uuid }) => uuid),
      claimsIn: events.length === 1 ? (events[0]?.workspaceId ?? null) : null,
    });
  }

  async function appendOne(tx: Tx, statement: ChangeStatement, event: NewEvent): Promise<StoredEvent> {
    const uuid = newEventUuid();
    const [row] = await appendEvents(tx, statement, event.type, [{ ...event, uuid }]);
    return { id: (row as { eventId: number }).eventId, uuid };
  }

  return {
    append: (tx, event) => appendOne(tx, APPEND, event),
    async appendEach(tx, type, events) {
      if (events.length > 0) await appendEvents(tx, APPEND, type, events);
    },
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
