import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SETTINGS } from "../../../src/config/settings.ts";
import { type AttemptFacts, decide, errorMessage, isSuccess } from "../../../src/delivery/attempts/retry-policy.ts";
import type { OutboundResult } from "../../../src/url-guard/index.ts";

const NOW = Date.parse("2026-07-14T10:00:00Z");
const DAY_MS = 86_400_000;
const SCHEDULE = SETTINGS.PARLEY_RETRY_SCHEDULE.parse(SETTINGS.PARLEY_RETRY_SCHEDULE.fallback);

function result(statusCode: number, headers: [string, string][] = [], error: OutboundResult["error"] = null) {
  return {
    statusCode,
    error,
    headers,
    body: Buffer.alloc(0),
    bodyTruncated: false,
    timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 1 },
    address: null,
    reusedConnection: false,
  } satisfies OutboundResult;
}

const facts = (more: Partial<AttemptFacts> = {}): AttemptFacts => ({
  result: result(500),
  attempt: 1,
  retryCount: 10,
  schedule: SCHEDULE,
  now: NOW,
  random: 0.5,
  ...more,
});

const delayOf = (more: Partial<AttemptFacts>): number => {
  const decision = decide(facts(more));
  if (decision.kind !== "retry") throw new Error(`decided ${decision.kind}`);
  return decision.delayMs;
};

const retryAfter = (value: string, statusCode = 503) =>
  delayOf({ result: result(statusCode, [["Retry-After", value]]) });

describe("an attempt", () => {
  it.each([200, 201, 202, 204, 299])("that gets a %i is a delivery", (status) => {
    expect(decide(facts({ result: result(status) }))).toEqual({ kind: "delivered" });
    expect(errorMessage(result(status))).toBeNull();
  });

  it.each([301, 302, 307, 400, 401, 404, 429, 500, 503])(
    "that gets a %i is a failure with the status as the reason",
    (status) => {
      expect(decide(facts({ result: result(status) })).kind).toBe("retry");
      expect(errorMessage(result(status))).toBe(`HTTP ${status}`);
    },
  );

  it("that gets no response is a failure whose reason is that of the connection", () => {
    const broken = result(0, [], { code: "connect_refused", message: "connection refused" });
    expect(isSuccess(broken)).toBe(false);
    expect(decide(facts({ result: broken })).kind).toBe("retry");
    expect(errorMessage(broken)).toBe("connection refused");
  });

  it("that gets a 410 ends the webhook, whatever retries are left", () => {
    expect(decide(facts({ result: result(410) }))).toEqual({ kind: "gone" });
    expect(decide(facts({ result: result(410), retryCount: 0 }))).toEqual({ kind: "gone" });
  });
});

describe("retries", () => {
  it("come after 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, 6 h, 12 h and 24 h", () => {
    const delays = SCHEDULE.map((_, index) => delayOf({ attempt: index + 1 }) / 1_000);
    expect(delays).toEqual([5, 30, 120, 600, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400]);
  });

  it("number retry_count after the first attempt, then it is exhausted", () => {
    for (let retryCount = 0; retryCount <= 10; retryCount++) {
      for (let attempt = 1; attempt <= retryCount; attempt++)
        expect(decide(facts({ attempt, retryCount })).kind).toBe("retry");
      expect(decide(facts({ attempt: retryCount + 1, retryCount }))).toEqual({ kind: "exhausted" });
    }
  });

  it("repeat the last delay when the schedule is shorter than retry_count", () => {
    expect(delayOf({ schedule: [1, 2], attempt: 7 })).toBe(2_000);
    expect(delayOf({ schedule: [], attempt: 1 })).toBe(0);
  });

  it("are jittered by at most 20 % either way, and reach both ends", () => {
    expect(delayOf({ random: 0 })).toBeCloseTo(4_000);
    expect(delayOf({ random: 1 })).toBeCloseTo(6_000);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
        const planned = (SCHEDULE[attempt - 1] as number) * 1_000;
        const delay = delayOf({ attempt, random });
        expect(delay).toBeGreaterThanOrEqual(planned * 0.8 - 1e-6);
        expect(delay).toBeLessThanOrEqual(planned * 1.2 + 1e-6);
      }),
    );
  });
});

describe("Retry-After", () => {
  it.each([429, 503])("in seconds is honoured on %i", (status) => {
    expect(retryAfter("120", status)).toBe(120_000);
    expect(retryAfter(" 120 ", status)).toBe(120_000);
  });

  it("as a date is honoured", () => {
    expect(retryAfter(new Date(NOW + 90_000).toUTCString())).toBe(90_000);
    expect(retryAfter("Tuesday, 14-Jul-26 10:01:30 GMT")).toBe(90_000);
  });

  it("counts up to 24 hours", () => {
    expect(retryAfter("86400")).toBe(DAY_MS);
    expect(retryAfter("86401")).toBe(DAY_MS);
    expect(retryAfter("9".repeat(400))).toBe(5_000);
    expect(retryAfter(new Date(NOW + 3 * DAY_MS).toUTCString())).toBe(DAY_MS);
  });

  it("never makes a retry earlier than planned", () => {
    expect(retryAfter("0")).toBe(5_000);
    expect(retryAfter("1")).toBe(5_000);
    expect(retryAfter(new Date(NOW - DAY_MS).toUTCString())).toBe(5_000);
  });

  it.each(["", "soon", "-5", "1.5", "NaN"])("that says nothing (%j) is ignored", (value) => {
    expect(retryAfter(value)).toBe(5_000);
  });

  it.each([200, 301, 400, 500, 502, 504])("is ignored on %i", (status) => {
    const decision = decide(facts({ result: result(status, [["retry-after", "3600"]]) }));
    expect(decision).toEqual(status === 200 ? { kind: "delivered" } : { kind: "retry", delayMs: 5_000 });
  });

  it("of any text leaves a delay between the planned one and 24 hours", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.integer().map(String), fc.date().map(String)), (value) => {
        const delay = retryAfter(value);
        expect(delay).toBeGreaterThanOrEqual(5_000);
        expect(delay).toBeLessThanOrEqual(DAY_MS);
      }),
    );
  });
});
