import { afterAll, beforeAll, expect, it } from "vitest";
import { type Clock, createClock, findFaketime } from "../support/clock.ts";
import { type ClockedDatabase, startClockedDatabase } from "../support/clocked-database.ts";
import { type Audience, createAudience, keepWriting, openLedger } from "../support/ledger.ts";
import { type ParleyProcess, startProcess } from "../support/parley-process.ts";
import { scale } from "../support/proof.ts";
import { type Arrival, type Receiver, respondWith, startReceiver, verify } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

const HOUR_MS = 3_600_000;
const STALL_MS_MAX = 60_000;
const MESSAGES = scale(20, 300);
const TRIES = 3;
/** How long before a jump an attempt may have ended without being settled yet. */
const UNSETTLED_MS = 1_000;

/** Webhook 0 responds at once, these two do not. */
const FAILS_FIRST = "/1";
const SLOW = "/2";

const { library, missing } = await findFaketime();
let serverClock: Clock;
let databaseClock: Clock;
let database: ClockedDatabase;
let receiver: Receiver;
let server: ParleyProcess;
let audience: Audience;
/** When each pair of webhook and message was first taken, and the pairs that were turned away once. */
const taken = new Map<string, number>();
const refused = new Set<string>();

const pairOf = ({ path, event }: Arrival) => `${path} ${event.data.uuid}`;

beforeAll(async () => {
  if (library === null) return;
  serverClock = createClock(library);
  databaseClock = createClock(library);
  // An hour ahead from the start: what jumps within the first moments would not have been seen to be there.
  for (const clock of [serverClock, databaseClock]) clock.set(BACK.fromMs);
  database = await startClockedDatabase(databaseClock);
  receiver = await startReceiver();
  const take: Parameters<Receiver["behave"]>[0] = (response, arrival) => {
    respondWith(200)(response, arrival);
    if (!taken.has(pairOf(arrival))) taken.set(pairOf(arrival), arrival.at);
  };
  receiver.behave(take);
  receiver.behave((response, arrival) => {
    if (refused.has(pairOf(arrival))) return take(response, arrival);
    refused.add(pairOf(arrival));
    respondWith(500)(response, arrival);
  }, FAILS_FIRST);
  receiver.behave((response, arrival) => void setTimeout(() => take(response, arrival), 300), SLOW);
  server = await startProcess("serve", database, { PARLEY_RETRY_SCHEDULE: "1", ...serverClock.env });
  audience = await createAudience(server.call, receiver, 3);
});
afterAll(async () => {
  await receiver?.close();
  await server?.end("SIGKILL");
  await database?.drop();
  for (const clock of [serverClock, databaseClock]) clock?.remove();
});

interface Jump {
  name: string;
  fromMs: number;
  toMs: number;
}

const BACK: Jump = { name: "an hour back", fromMs: HOUR_MS, toMs: 0 };
const AHEAD: Jump[] = [
  { name: "an hour ahead", fromMs: 0, toMs: HOUR_MS },
  { name: "three days ahead", fromMs: 0, toMs: 72 * HOUR_MS },
];

/** The signature is that of its timestamp, and the timestamp is the server's time before the jump or after it. */
function requireGenuine(arrivals: Arrival[], { fromMs, toMs }: Jump): void {
  for (const arrival of arrivals) {
    const sentAt = Number(arrival.headers["webhook-timestamp"]) * 1_000;
    const aheadMs = sentAt - (performance.timeOrigin + arrival.at);
    expect(Math.min(Math.abs(aheadMs - fromMs), Math.abs(aheadMs - toMs))).toBeLessThan(5_000);
    verify(arrival, audience.webhooks.get(arrival.path)?.secret as string, sentAt);
  }
}

/** Nothing comes more often than it should, but once more what was in flight at the jump: it may look like an orphan's. */
function requireNoStorm(arrivals: Arrival[], jumpedAt: number): number {
  const byPair = new Map<string, Arrival[]>();
  for (const arrival of arrivals) byPair.set(pairOf(arrival), [...(byPair.get(pairOf(arrival)) ?? []), arrival]);
  let repeats = 0;
  for (const [pair, same] of byPair) {
    const planned = same[0]?.path === FAILS_FIRST ? 2 : 1;
    const wasInFlight = same.some(({ at }) => Math.abs(at - jumpedAt) < UNSETTLED_MS);
    expect(same.length, `arrivals of ${pair}`).toBeLessThanOrEqual(planned + (wasInFlight ? 1 : 0));
    repeats += same.length - planned;
  }
  return repeats;
}

async function survives(jump: Jump, clocks: Clock[]): Promise<string> {
  for (const clock of clocks) clock.set(jump.fromMs);
  const ledger = openLedger(audience, server.call);
  const writing = keepWriting(ledger, 2);
  const acknowledged = (count: number) =>
    until(`${count} are acknowledged`, () => ledger.acknowledged.size >= count, { timeoutMs: STALL_MS_MAX });
  await acknowledged(MESSAGES);
  const jumpedAt = performance.now();
  for (const clock of clocks) clock.set(jump.toMs);
  await acknowledged(2 * MESSAGES);
  await writing.stop();

  const refusals = ledger.written.filter(({ reply }) => reply?.status !== 201);
  expect(
    refusals.map(({ reply }) => reply && { status: reply.status, body: reply.body }),
    "writes that were not acknowledged",
  ).toEqual([]);
  const waits = () =>
    ledger.written.flatMap(({ reply, endedAt }) =>
      [...audience.webhooks.keys()].map(
        (path) => (taken.get(`${path} ${reply?.body.data.uuid}`) ?? Infinity) - endedAt,
      ),
    );
  await until("everything is taken", () => Math.max(...waits()) < Infinity, { timeoutMs: STALL_MS_MAX, everyMs: 50 });
  const longestMs = Math.max(...waits());
  expect(longestMs).toBeLessThan(STALL_MS_MAX);
  requireGenuine(ledger.arrivals(), jump);
  const repeats = requireNoStorm(ledger.arrivals(), jumpedAt);
  return `${ledger.acknowledged.size} messages, taken after ${Math.round(longestMs)} ms at most, ${repeats} repeats`;
}

/** Repeated if the database crashed meanwhile: a refusal or a repeat then says nothing about the clock. */
async function survivesWithoutCrash(jump: Jump, clocks: Clock[], tries = TRIES): Promise<string> {
  const before = database.crashes();
  try {
    return await survives(jump, clocks);
  } catch (error) {
    if (tries === 1 || database.crashes() === before) throw error;
    return `${await survivesWithoutCrash(jump, clocks, tries - 1)}; repeated after a crash of the database`;
  }
}

const BOTH = { whose: "the server and its database", clocks: () => [serverClock, databaseClock] };
const ALONE = { whose: "the server alone", clocks: () => [serverClock] };
const CASES = scale(
  [{ ...BOTH, jump: BACK }],
  [BOTH, ALONE].flatMap((whose) => [BACK, ...AHEAD].map((jump) => ({ ...whose, jump }))),
);

it.for(CASES)(
  "when the clock of $whose jumps $jump.name, nothing is lost, delayed or sent in a burst",
  {
    timeout: 300_000,
  },
  async ({ clocks, jump }, { skip, annotate }) => {
    skip(library === null, missing);
    await annotate(await survivesWithoutCrash(jump, clocks()));
  },
);
