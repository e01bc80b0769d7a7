import type { OutboundResult } from "../../url-guard/index.ts";

/** What follows from the result of an attempt. */
export type Decision =
  | { kind: "delivered" }
  /** Try again after this long. */
  | { kind: "retry"; delayMs: number }
  /** It failed and was the last attempt: the delivery becomes a dead letter. */
  | { kind: "exhausted" }
  /** The destination says that it is gone permanently: the webhook is disabled. */
  | { kind: "gone" };

/** A planned delay varies by this share of itself, either way. */
export const JITTER = 0.2;
const RETRY_AFTER_MS_MAX = 86_400_000;

export interface AttemptFacts {
  result: OutboundResult;
  /** This attempt's number, from 1. */
  attempt: number;
  retryCount: number;
  /** Seconds before each retry; the last repeats. */
  schedule: readonly number[];
  now: number;
  /** 0 to 1. */
  random: number;
}

export function decide({ result, attempt, retryCount, schedule, now, random }: AttemptFacts): Decision {
  if (isSuccess(result)) return { kind: "delivered" };
  if (result.statusCode === 410) return { kind: "gone" };
  // The same event and the same template make the same body again.
  if (result.error?.code === "template_too_large") return { kind: "exhausted" };
  const jitter = 1_000 * (1 + JITTER * (2 * random - 1));
  // It uses none of its attempts, so it waits as long as before the first retry.
  if (result.error?.code === "proxy") return { kind: "retry", delayMs: (schedule[0] ?? 0) * jitter };
  if (attempt > retryCount) return { kind: "exhausted" };
  const seconds = schedule[Math.min(attempt, schedule.length) - 1] ?? 0;
  const planned = seconds * jitter;
  return { kind: "retry", delayMs: Math.max(planned, retryAfterMs(result, now)) };
}

export const isSuccess = ({ statusCode, error }: OutboundResult): boolean =>
  error === null && statusCode >= 200 && statusCode < 300;

/** Whether the result says anything about the receiver. */
export const judgesReceiver = ({ error }: OutboundResult): boolean =>
  error?.code !== "template_too_large" && error?.code !== "proxy";

/** Why an attempt failed, as a sentence for people; null when it did not. */
export function errorMessage(result: OutboundResult): string | null {
  if (isSuccess(result)) return null;
  return result.error?.message ?? `HTTP ${result.statusCode}`;
}

/** `Retry-After` counts on 429 and 503: seconds or a date, up to 24 hours. */
function retryAfterMs({ statusCode, headers }: OutboundResult, now: number): number {
  if (statusCode !== 429 && statusCode !== 503) return 0;
  const value = headers.find(([name]) => name.toLowerCase() === "retry-after")?.[1].trim() ?? "";
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), RETRY_AFTER_MS_MAX) : 0;
}
