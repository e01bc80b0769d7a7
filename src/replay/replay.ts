import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { DeliveryLog, DeliveryLogDetail, Parley } from "@parley/client";
import type { Candidate } from "./candidate.ts";

/** What a receiver sent back, reduced to what is compared. */
interface Outcome {
  /** 0: no response. */
  status: number;
  ms: number;
  /** SHA-256 of the body, or of as much of it as was recorded. */
  bodyDigest: string;
  error: string | null;
}

export interface ReplayedEvent {
  eventId: string;
  eventType: string;
  recorded: Outcome;
  candidate: Outcome;
  differs: ("status" | "body")[];
}

export interface Replay {
  events: ReplayedEvent[];
  /** Events that are in the log and no longer stored. */
  skipped: number;
}

interface ReplayOptions {
  parley: Parley;
  webhook: string;
  /** Events at most, the newest ones. */
  last: number;
  perSecond: number;
  send: Candidate;
  signal: AbortSignal;
}

/** Sends recorded events to another address, oldest first and one at a time, and compares the responses with the log. */
export async function replay(options: ReplayOptions): Promise<Replay> {
  const { parley, webhook, perSecond, send, signal } = options;
  const result: Replay = { events: [], skipped: 0 };
  for (const { id } of await newestAttempts(options)) {
    const mayStartAt = performance.now() + 1_000 / perSecond;
    const log = await parley.webhooks.log(webhook, id, { signal });
    const { body } = log.request;
    if (body === null) {
      result.skipped++;
      continue;
    }
    result.events.push(compare(log, await send({ id: log.event_id, body })));
    await sleep(Math.max(0, mayStartAt - performance.now()), undefined, { signal });
  }
  return result;
}

/** The last attempt of each event, oldest event first. */
async function newestAttempts({ parley, webhook, last, signal }: ReplayOptions): Promise<DeliveryLog[]> {
  const found = new Map<string, DeliveryLog>();
  for await (const log of parley.webhooks.logs(webhook, {}, { signal })) {
    if (!found.has(log.event_id)) found.set(log.event_id, log);
    if (found.size >= last) break;
  }
  return [...found.values()].reverse();
}

function compare(
  log: DeliveryLogDetail,
  { bodyText, ...response }: { status: number; ms: number; bodyText: string; error: string | null },
): ReplayedEvent {
  const { body, body_truncated: isPart } = log.response;
  const comparable = isPart ? bodyText.slice(0, body.length) : bodyText;
  const recorded: Outcome = {
    status: log.response_code,
    ms: log.response_time_ms,
    bodyDigest: digest(body),
    error: log.error_message,
  };
  const candidate: Outcome = { ...response, bodyDigest: digest(comparable) };
  const differs: ReplayedEvent["differs"] = [
    ...(recorded.status === candidate.status ? [] : (["status"] as const)),
    ...(recorded.bodyDigest === candidate.bodyDigest ? [] : (["body"] as const)),
  ];
  return { eventId: log.event_id, eventType: log.event_type, recorded, candidate, differs };
}

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");
