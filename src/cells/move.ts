import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "../core/logger.ts";
import type { Database } from "../db/database.ts";
import { identifier } from "../db/identifier.ts";
import { parsers } from "../db/types.ts";
import { createSequencer, type Sequencer } from "../events/sequencer.ts";
import { DROP_DELIVERIES, SET_LANES_PAUSED } from "../queue/move.ts";
import { copyRows } from "./copy-rows.ts";
import { dropFence, raiseFence } from "./fence.ts";
import { copyPeople, listPeople, type PeopleMap } from "./people.ts";
import { type MovePlan, MoveRefusal, measure, planMove } from "./preflight.ts";
import { advanceSequences } from "./sequences.ts";
import { COPIED_WHERE, type MovedTable, PEOPLE_BY_KIND, REPLACED } from "./tables.ts";
import { inTransaction } from "./transaction.ts";

export interface MoveOptions {
  readonly workspaceId: number;
  readonly source: pg.ClientConfig;
  readonly target: pg.ClientConfig;
  /** The source, for the order of its events. */
  readonly db: Database;
  readonly logger: Logger;
  /** How long to wait for deliveries in flight. */
  readonly waitMs: number;
  readonly report: (line: string) => void;
}

interface MoveResult {
  readonly cell: number;
  readonly rows: number;
  /** How long writes were refused; null: an earlier run began it. */
  readonly pausedMs: number | null;
  /** SHA-256 digests of the workspace's keys, by which a proxy finds the new cell of the old keys. */
  readonly keyDigests: readonly string[];
}

/**
 * Moves a workspace to another cell. Writes are refused and deliveries paused, then all rows are copied as of one moment
 * in one transaction of the target. Its commit is the move: before it the source has the workspace, after it the target,
 * whichever process is killed and when. A repeated run continues where the last one stopped.
 */
export function moveWorkspace(options: MoveOptions): Promise<MoveResult> {
  const { workspaceId, report } = options;
  return withCells(options, async ({ source, snapshot, target }) => {
    const plan = await planMove(source, target, workspaceId);
    const beganAt = performance.now();
    let rows = 0;
    if (!plan.hasArrived) {
      report(`Refusing writes to workspace ${workspaceId}.`);
      await beginMove(source, plan);
      await drainMail(source, plan, options);
      await raiseFence(source, plan.tables, workspaceId);
      report("Waiting for deliveries in flight.");
      await pauseLanes(source, workspaceId);
      await drain(source, plan, options);
      report(`Copying to cell ${plan.cell}.`);
      await prepareTarget(source, target, plan);
      rows = await copyWorkspace({ owner: source, source: snapshot, target, plan, report });
    }
    report(`Workspace ${workspaceId} is in cell ${plan.cell}.`);
    if (plan.workspace.move_state !== "moved") await endMove(source, workspaceId);
    const pausedMs = plan.workspace.move_state === null ? Math.round(performance.now() - beganAt) : null;
    return { cell: plan.cell, rows, pausedMs, keyDigests: await listDigests(source, workspaceId) };
  });
}

/** What would be moved. Changes nothing. */
export function inspectMove(options: Pick<MoveOptions, "workspaceId" | "source" | "target">) {
  return withCells(options, async ({ source, target }) => {
    const plan = await planMove(source, target, options.workspaceId);
    return { cell: plan.cell, state: plan.workspace.move_state, sizes: await measure(source, plan) };
  });
}

/** Leaves the workspace where it is. Refused once it has arrived in the other cell. */
export function cancelMove(options: Pick<MoveOptions, "workspaceId" | "source" | "target" | "waitMs">): Promise<void> {
  return withCells(options, async ({ source, target }) => {
    // Held until the connection ends, after the workspace works here again.
    await lockTarget(target, options);
    const plan = await planMove(source, target, options.workspaceId);
    if (plan.hasArrived || plan.workspace.move_state === "moved")
      throw new MoveRefusal(
        `The workspace is in cell ${plan.cell} already. Run the command without --cancel to finish.`,
      );
    await resume(source, plan);
  });
}

const LOCK_TARGET = "select pg_advisory_xact_lock(hashtextextended('parley.move', $1))";
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Begins a transaction that no transaction of a mover can overlap. The commit of a mover that was killed may wait for a
 * standby: nobody can see yet that the workspace has arrived, and canceling the move now would leave it in both cells.
 */
async function lockTarget(
  target: pg.Client,
  { workspaceId, waitMs }: Pick<MoveOptions, "workspaceId" | "waitMs">,
): Promise<void> {
  await target.query("begin");
  // Zero would be no limit.
  await target.query("select set_config('lock_timeout', $1, true)", [`${Math.max(waitMs, 1)}ms`]);
  await target.query(LOCK_TARGET, [workspaceId]).catch((error: { code?: string }) => {
    if (error.code !== LOCK_NOT_AVAILABLE) throw error;
    throw new MoveRefusal(
      "The other database is still busy with an earlier run of this move, whose commit may be waiting for a standby: " +
        `whether the workspace has arrived could not be found out within ${Math.round(waitMs / 1_000)} s. Nothing was ` +
        "changed. Try again, or wait longer (--wait-seconds).",
    );
  });
}

interface Cells {
  readonly source: pg.Client;
  /** Another connection to the source, for a transaction that lasts as long as the copy. */
  readonly snapshot: pg.Client;
  readonly target: pg.Client;
}

async function withCells<T>(
  { source, target, workspaceId }: Pick<MoveOptions, "source" | "target" | "workspaceId">,
  work: (cells: Cells) => Promise<T>,
): Promise<T> {
  const clients = [source, source, target].map(
    (connection) => new pg.Client({ ...connection, application_name: "parley-move", types: parsers, keepAlive: true }),
  ) as [pg.Client, pg.Client, pg.Client];
  for (const client of clients) client.on("error", () => {});
  try {
    for (const client of clients) {
      await client.connect().catch((error: Error) => {
        throw client === clients[2] ? unusableTarget(error) : error;
      });
      await client.query("set statement_timeout = 0");
      await client.query("set idle_in_transaction_session_timeout = 0");
    }
    const [own, snapshot, other] = clients;
    const { rows } = await own.query<{ mine: boolean }>(
      "select pg_try_advisory_lock(hashtextextended('parley.move', $1)) as mine",
      [workspaceId],
    );
    if (!rows[0]?.mine) throw new MoveRefusal("Another process is moving this workspace.");
    return await work({ source: own, snapshot, target: other });
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  }
}

/** An error of several addresses has no message of its own. */
function unusableTarget(error: Error): MoveRefusal {
  const [first] = error instanceof AggregateError ? (error.errors as Error[]) : [error];
  return new MoveRefusal(
    `The database of the other cell (--to) cannot be used: ${first?.message}. Nothing was changed.`,
  );
}

/** A transaction that the fence lets through. */
const asMover = (source: pg.Client, statements: readonly string[], values: readonly unknown[]): Promise<void> =>
  inTransaction(source, async () => {
    await source.query("select set_config('parley.mover', 'on', true)");
    for (const statement of statements) await source.query(statement, [...values]);
  });

// Nodes read changed keys within a second, and with them the new state of the workspace.
const ANNOUNCE = `
  with next as (
    update auth_revision
    set value = value + 1
    returning value
  )

  update api_keys
  set revision = next.value
  from next
  where workspace_id = $1`;

async function beginMove(source: pg.Client, { workspace, cell }: MovePlan): Promise<void> {
  const state = `update workspaces set move_state = 'moving', moved_to_cell = ${cell} where id = $1`;
  await asMover(source, [state, ANNOUNCE], [workspace.id]);
}

/** Its deliveries and members are in the other cell now. Whatever else is left is deleted by `clean`. */
const endMove = (source: pg.Client, workspaceId: number): Promise<void> =>
  asMover(
    source,
    [
      "update workspaces set move_state = 'moved' where id = $1",
      // The next bootstrap key belongs to a workspace that is here.
      "update api_keys set bootstrap = false where workspace_id = $1 and bootstrap",
      DROP_DELIVERIES,
      "delete from notifications where workspace_id = $1",
      "delete from memberships where workspace_id = $1",
      "delete from invitations where workspace_id = $1",
      ANNOUNCE,
    ],
    [workspaceId],
  );

async function resume(source: pg.Client, { workspace, tables }: MovePlan): Promise<void> {
  await source.query(SET_LANES_PAUSED, [workspace.id, false]);
  await dropFence(source, tables, workspace.id);
  const state = "update workspaces set move_state = null, moved_to_cell = null where id = $1";
  await asMover(source, [state, ANNOUNCE], [workspace.id]);
}

const pauseLanes = (source: pg.Client, workspaceId: number): Promise<unknown> =>
  source.query(SET_LANES_PAUSED, [workspaceId, true]);

const POLL_MS = 25;

// A claim that began before the move has committed once this lock is free; later ones find the workspace moving.
const WAIT_FOR_MAIL_CLAIMS = "select pg_advisory_xact_lock(hashtextextended('mail-out', $1))";
const COUNT_MAIL_IN_FLIGHT =
  "select count(*)::int as sending from outgoing_mails where workspace_id = $1 and claim_token is not null";

/** Until no mail is being sent. What becomes of it has to be written here: behind the fence it would be unknown. */
async function drainMail(source: pg.Client, plan: MovePlan, { waitMs, report }: MoveOptions): Promise<void> {
  const deadline = performance.now() + waitMs;
  await source.query(WAIT_FOR_MAIL_CLAIMS, [plan.workspace.id]);
  for (let polls = 0; ; polls++) {
    const { rows } = await source.query<{ sending: number }>(COUNT_MAIL_IN_FLIGHT, [plan.workspace.id]);
    const sending = rows[0]?.sending ?? 0;
    if (sending === 0) return;
    if (polls === 0) report(`Waiting for ${sending} mails that are being sent.`);
    if (performance.now() > deadline) {
      await resume(source, plan);
      throw new MoveRefusal(
        `${sending} mails were still being handed to a mail server after ${Math.round(waitMs / 1_000)} s, so the ` +
          "workspace stays here and works as before. Pause the mailbox whose server does not respond and try again, " +
          "or wait longer (--wait-seconds).",
      );
    }
    await sleep(POLL_MS);
  }
}

/** Until no delivery is in flight and every event has its position. */
async function drain(source: pg.Client, plan: MovePlan, { db, logger, waitMs }: MoveOptions): Promise<void> {
  const sequencer = createSequencer({ db, logger });
  try {
    await drainWith(sequencer, source, plan, waitMs);
  } finally {
    await sequencer.close();
  }
}

async function drainWith(sequencer: Sequencer, source: pg.Client, plan: MovePlan, waitMs: number): Promise<void> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    await sequencer.catchUp();
    const { rows } = await source.query<{ in_flight: number; unsequenced: number }>(
      `select
         (select coalesce(sum(in_flight), 0)::int from delivery_lanes where workspace_id = $1) as in_flight,
         (select count(*)::int from events_unsequenced where workspace_id = $1) as unsequenced`,
      [plan.workspace.id],
    );
    const { in_flight: inFlight = 0, unsequenced = 0 } = rows[0] ?? {};
    if (inFlight === 0 && unsequenced === 0) return;
    if (performance.now() > deadline) {
      await resume(source, plan);
      throw new MoveRefusal(
        `${inFlight} deliveries were still in flight and ${unsequenced} events without a position after ` +
          `${Math.round(waitMs / 1_000)} s, so the workspace stays here and works as before. Check that a worker is ` +
          "running and try again, or wait longer (--wait-seconds).",
      );
    }
    await sleep(POLL_MS);
  }
}

/** What cannot be part of the transaction, because others would have to wait for it. */
async function prepareTarget(
  source: pg.Client,
  target: pg.Client,
  { workspace, tables, cell }: MovePlan,
): Promise<void> {
  await advanceSequences(source, target, { tables, workspaceId: workspace.id, cell });
  const { rows } = await source.query<{ day: string }>(
    `select distinct to_char(hour at time zone 'utc', 'YYYY-MM-DD') as day
     from (
       select hour from delivery_stats where workspace_id = $1
       union
       select hour from delivery_stat_deltas where workspace_id = $1
     ) attempts`,
    [workspace.id],
  );
  for (const { day } of rows) await target.query("select create_attempt_partition($1::date)", [day]);
}

interface Copy {
  /** The connection to the source that holds the lock of this move. */
  readonly owner: pg.Client;
  readonly source: pg.Client;
  readonly target: pg.Client;
  readonly plan: MovePlan;
  readonly report: (line: string) => void;
}

async function copyWorkspace({ owner, source, target, plan, report }: Copy): Promise<number> {
  const { workspace, tables } = plan;
  await source.query("begin transaction isolation level repeatable read, read only");
  await target.query("begin");
  // Waits for the transaction of a mover that was killed a moment ago.
  await target.query(LOCK_TARGET, [workspace.id]);
  // Fails if that connection was lost meanwhile: the move may have been canceled since.
  await owner.query("select");
  const { rows: there } = await target.query("select from workspaces where id = $1", [workspace.id]);
  if (there.length > 0) {
    await target.query("rollback");
    return 0;
  }
  const people = await copyPeople(source, target, await listPeople(source, tables, workspace.id));
  let rows = 0;
  for (const table of tables) {
    const mine = `${identifier(table.workspaceColumn)} = ${workspace.id}`;
    // Triggers may have written rows there while other tables were loaded.
    await target.query(`delete from ${identifier(table.name)} where ${mine}`);
    const where = COPIED_WHERE[table.name] ? `${mine} and ${COPIED_WHERE[table.name]}` : mine;
    rows += await copyRows({ source, target, table: table.name, where, columns: columnsOf(table, people) });
  }
  await target.query(ANNOUNCE, [workspace.id]);
  report(`Copied ${rows} rows.`);
  await target.query("commit");
  await source.query("commit");
  return rows;
}

function columnsOf(table: MovedTable, people: PeopleMap): { name: string; expression: string }[] {
  const named = PEOPLE_BY_KIND[table.name] ?? [];
  return table.columns.map((name) => {
    const column = identifier(name);
    const replaced = REPLACED[table.name]?.[name];
    if (replaced !== undefined) return { name, expression: replaced };
    const person = named.find((other) => other.column === name);
    const when = table.people.includes(name) ? "true" : person?.when;
    if (when === undefined || people.size === 0) return { name, expression: column };
    if (person?.isArray) return { name, expression: mappedArray(column, people) };
    const cases = [...people].map(([from, to]) => `when (${when}) and ${column} = ${from} then ${to}`);
    return { name, expression: `case ${cases.join(" ")} else ${column} end` };
  });
}

function mappedArray(column: string, people: PeopleMap): string {
  const cases = [...people].map(([from, to]) => `when person = ${from} then ${to}`);
  const mapped = `array(select case ${cases.join(" ")} else person end from unnest(${column}) as person)`;
  return `case when ${column} is null then null else ${mapped} end`;
}

async function listDigests(source: pg.Client, workspaceId: number): Promise<string[]> {
  const { rows } = await source.query<{ digest: string }>(
    `select encode(d.digest, 'hex') as digest
     from api_key_digests d
     join api_keys k on k.workspace_id = d.workspace_id and k.id = d.api_key_id
     where d.workspace_id = $1
       and k.revoked_at is null
       and (d.valid_until is null or d.valid_until > now())
     order by 1`,
    [workspaceId],
  );
  return rows.map(({ digest }) => digest);
}
