import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  breakerIsOpenSql,
  breakerStateSql,
  FAILURES_WITHOUT_RESPONSE_MAX,
  hasFailedTooLongSql,
  laneAfterSql,
  laneRoomSql,
  WINDOW_MAX,
} from "../../src/queue/lane-policy.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import {
  breakerState,
  hasFailedTooLong,
  type LaneResults,
  type LaneState,
  laneAfter,
  laneRoom,
} from "../support/lane-policy.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const CASES = 500;
const WEBHOOK_CONCURRENCY = 50;

const lanes: fc.Arbitrary<LaneState> = fc.record({
  windowSize: fc.integer({ min: 1, max: WINDOW_MAX }),
  failuresWithoutResponse: fc.integer({ min: 0, max: FAILURES_WITHOUT_RESPONSE_MAX }),
  // Seconds from now.
  breakerOpenUntil: fc.option(fc.integer({ min: -60, max: 60 })),
  failingSince: fc.option(fc.integer({ min: -500_000, max: -1 })),
});
const results: fc.Arbitrary<LaneResults> = fc
  .tuple(fc.nat({ max: 20 }), fc.nat({ max: 20 }), fc.nat({ max: 20 }))
  .filter(([delivered, withoutResponse, refused]) => delivered + withoutResponse + refused > 0)
  .map(([delivered, withoutResponse, refused]) => ({
    attempts: delivered + withoutResponse + refused,
    delivered,
    withoutResponse,
  }));

/** A lane and results, as rows of PostgreSQL; times are seconds from now. */
const GIVEN = `with given as (
       select *
       from jsonb_to_recordset($1::jsonb) as given (
         n int, window_size int, failures_without_response int, open_for float8, failing_for float8,
         in_flight int, attempts int, delivered int, without_response int)),
     lane as (
       select n, window_size, failures_without_response, in_flight,
         now() + open_for * interval '1 second' as breaker_open_until,
         now() + failing_for * interval '1 second' as failing_since,
         null::int as rate_limit,
         null::timestamptz as rate_paid_until
       from given)`;

const given = (lane: LaneState) => ({
  window_size: lane.windowSize,
  failures_without_response: lane.failuresWithoutResponse,
  open_for: lane.breakerOpenUntil,
  failing_for: lane.failingSince,
});
const rowsOf = (rows: object[]): [string] => [JSON.stringify(rows.map((row, n) => ({ n, ...row })))];

it("the lane policy that a settle applies in SQL is the one that is written in TypeScript", async () => {
  const cases = fc.sample(fc.tuple(lanes, results), CASES);
  const after = laneAfterSql("lane", "results");
  const seconds = (column: string) => `extract(epoch from (${column}) - now())::float8`;
  const rows = await database.query(
    `${GIVEN}
     select
       ${after.window_size} as "windowSize",
       ${after.failures_without_response} as "failuresWithoutResponse",
       ${seconds(after.breaker_open_until)} as "breakerOpenUntil",
       ${seconds(after.failing_since)} as "failingSince"
     from lane
     join given results on results.n = lane.n
     order by lane.n`,
    rowsOf(
      cases.map(([lane, { attempts, delivered, withoutResponse }]) => ({
        ...given(lane),
        attempts,
        delivered,
        without_response: withoutResponse,
      })),
    ),
  );
  expect(rows).toEqual(cases.map(([lane, result]) => laneAfter(lane, result, 0)));
});

it("a breaker's state, a lane's room and failing too long are the same in SQL and in TypeScript", async () => {
  const cases = fc.sample(fc.tuple(lanes, fc.nat({ max: 100 })), CASES);
  const rows = await database.query(
    `${GIVEN}
     select
       ${breakerStateSql("lane")} as "breaker",
       ${breakerIsOpenSql("lane")} as "isOpen",
       ${laneRoomSql("lane", "$2::int")} as "room",
       ${hasFailedTooLongSql("lane")} as "hasFailedTooLong"
     from lane
     order by n`,
    [...rowsOf(cases.map(([lane, inFlight]) => ({ ...given(lane), in_flight: inFlight }))), WEBHOOK_CONCURRENCY],
  );
  expect(rows).toEqual(
    cases.map(([lane, inFlight]) => ({
      breaker: breakerState(lane, 0),
      isOpen: breakerState(lane, 0) === "open",
      room: laneRoom({ ...lane, inFlight }, WEBHOOK_CONCURRENCY),
      hasFailedTooLong: hasFailedTooLong(lane.failingSince, 0),
    })),
  );
});
