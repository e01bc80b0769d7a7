import { expect } from "vitest";
import type { TestDatabase } from "./database.ts";
import type { Ledger } from "./ledger.ts";
import type { Reply } from "./parley.ts";
import { atMost, scale } from "./proof.ts";
import { until } from "./wait.ts";

/** A free connection is waited for 5 s, and a statement 10 s: nobody waits longer for "not now". */
export const RESPONSE_MS_MAX = 16_000;
/** How long after a fault the load continues, and by when nobody may suffer from it any more. */
const CALM_MS = 5_000;
/** The short form runs at the same time as other suites on a machine that is busy with them: it is held to twice the time. */
export const NORMAL_MS_MAX = scale(2 * CALM_MS, CALM_MS);

/** What a response must never show: a stack, a path of the sources, words of the driver or the database. */
const INSIDE = /\n\s+at |node_modules|\.[jt]s:\d|ECONN|ENOENT|terminat|postgres|pg_|SQLSTATE/i;

interface OutageFigures {
  writes: number;
  refused: number;
  slowestMs: number;
  normalAfterMs: number;
}

/**
 * How the writers of a ledger fared: whenever the database was unavailable each got 201 or an orderly 503, in time, and later
 * than NORMAL_MS_MAX after the end of a fault nobody was refused.
 */
export function requireOrderly(ledger: Ledger, faultsEndedAt: number[]): OutageFigures {
  const figures = { writes: ledger.written.length, refused: 0, slowestMs: 0, normalAfterMs: 0 };
  for (const { reply, startedAt, endedAt } of ledger.written) {
    expect(reply, "a connection broke, although the server is running").not.toBeNull();
    figures.slowestMs = Math.max(figures.slowestMs, Math.round(endedAt - startedAt));
    if (reply?.status === 201) continue;
    requireOrderlyRefusal(reply as Reply);
    figures.refused++;
    const endedBefore = faultsEndedAt.filter((at) => at < startedAt).at(-1) ?? startedAt;
    figures.normalAfterMs = Math.max(figures.normalAfterMs, Math.round(startedAt - endedBefore));
  }
  expect(figures.slowestMs, JSON.stringify(figures)).toBeLessThan(atMost(RESPONSE_MS_MAX));
  expect(figures.normalAfterMs, JSON.stringify(figures)).toBeLessThan(NORMAL_MS_MAX);
  return figures;
}

function requireOrderlyRefusal(reply: Reply): void {
  expect(reply.status, reply.text).toBe(503);
  expect(reply.body.error.code).toBe("SERVICE_UNAVAILABLE");
  expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(reply.text).not.toMatch(INSIDE);
}

/** Waits until writes continue past the time that trouble may last, so that later trouble would be seen. */
export async function untilCalm(ledger: Ledger, faultEndedAt: number): Promise<void> {
  const isCalm = () => ledger.written.some(({ startedAt }) => startedAt > faultEndedAt + CALM_MS);
  await until("writes continue after the fault", isCalm, { timeoutMs: 30_000 });
}

/** Our processes' connections to the database, those that only look at it left out. */
export async function connectionsOf(database: TestDatabase): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and application_name like 'parley%'`,
  );
  return row?.count ?? 0;
}
