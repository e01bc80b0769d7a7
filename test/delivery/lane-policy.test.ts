import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  FAILURES_WITHOUT_RESPONSE_MAX,
  type LaneResults,
  type LaneState,
  laneAfter,
  laneAfterSql,
  WINDOW_MAX,
} from "../../src/queue/lane-policy.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const CASES = 500;

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

/** In the order of the columns below. */
const rowOf = ([lane, result]: [LaneState, LaneResults]) => [
  lane.windowSize,
  lane.failuresWithoutResponse,
  lane.breakerOpenUntil,
  lane.failingSince,
  result.attempts,
  result.delivered,
  result.withoutResponse,
];

it("the lane policy that a settle applies in SQL is the one that is written in TypeScript", async () => {
  const cases = fc.sample(fc.tuple(lanes, results), CASES);
  const after = laneAfterSql("lane", "results");
  const seconds = (column: string) => `extract(epoch from (${column}) - now())::float8`;
  const rows = await database.query(
    `with given as (
       select *
       from jsonb_to_recordset($1::jsonb) as given (
         n int, window_size int, failures_without_response int, open_for float8, failing_for float8,
         attempts int, delivered int, without_response int)),
     lane as (
       select n, window_size, failures_without_response,
         now() + open_for * interval '1 second' as breaker_open_until,
         now() + failing_for * interval '1 second' as failing_since
       from given)
     select
       ${after.window_size} as "windowSize",
       ${after.failures_without_response} as "failuresWithoutResponse",
       ${seconds(after.breaker_open_until as string)} as "breakerOpenUntil",
       ${seconds(after.failing_since as string)} as "failingSince"
     from lane
     join given results on results.n = lane.n
     order by lane.n`,
    [
      JSON.stringify(
        cases.map((given, n) => {
          const [window_size, failures_without_response, open_for, failing_for, attempts, delivered, without_response] =
            rowOf(given);
          return {
            n,
            window_size,
            failures_without_response,
            open_for,
            failing_for,
            attempts,
            delivered,
            without_response,
          };
        }),
      ),
    ],
  );
  expect(rows).toEqual(cases.map(([lane, result]) => laneAfter(lane, result, 0)));
});
