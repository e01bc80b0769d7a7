import { afterAll, beforeAll, expect, it } from "vitest";
import { ratePaidUntilSql, rateRoomSql } from "../../src/queue/rate-limit.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const LOOKS_PER_SECOND = 2;
const SECONDS = 10;
const LIMITS = Array.from({ length: 30 }, (_, index) => index + 1);

/** Claims as much as it may at each look; `ahead`, in seconds, is how far the limit has been used up. */
async function claimsOf(limits: readonly number[]): Promise<Map<number, number[]>> {
  const lanes = limits.map((limit) => ({ limit, ahead: 0, claims: [] as number[] }));
  for (let look = 0; look < SECONDS * LOOKS_PER_SECOND; look++) {
    const rows = await database.query<{ room: number; ahead: number }>(
      `select
         room,
         case when room > 0 then extract(epoch from ${ratePaidUntilSql("lane", "room")} - now()) else ahead end::float8 as ahead
       from (
         select given.*, now() + make_interval(secs => ahead) as rate_paid_until
         from unnest($1::int[], $2::float8[]) with ordinality as given (rate_limit, ahead, position)
       ) lane
       cross join lateral (select greatest(0, ${rateRoomSql("lane")}) as room) allowed
       order by position`,
      [lanes.map(({ limit }) => limit), lanes.map(({ ahead }) => ahead)],
    );
    for (const [index, lane] of lanes.entries()) {
      const { room, ahead } = rows[index] as { room: number; ahead: number };
      lane.claims.push(room);
      lane.ahead = Math.max(0, ahead - 1 / LOOKS_PER_SECOND);
    }
  }
  return new Map(lanes.map(({ limit, claims }) => [limit, claims]));
}

it("a backlog gets its whole rate, whatever that is, and never more than twice it within a second", async () => {
  const claims = await claimsOf(LIMITS);
  const totals = LIMITS.map((limit) => claims.get(limit)?.reduce((sum, count) => sum + count, 0) ?? 0);
  expect(LIMITS.filter((limit, index) => (totals[index] ?? 0) < limit * SECONDS)).toEqual([]);
  expect(LIMITS.filter((limit, index) => (totals[index] ?? 0) > limit * (SECONDS + 1))).toEqual([]);
  const most = (limit: number) =>
    Math.max(
      ...(claims.get(limit) ?? []).map((count, look, all) => count + (all[look + 1] ?? 0) + (all[look + 2] ?? 0)),
    );
  expect(LIMITS.filter((limit) => most(limit) > 2 * limit)).toEqual([]);
});
