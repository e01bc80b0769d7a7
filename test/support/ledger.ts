import { expect } from "vitest";
import type { TestDatabase } from "./database.ts";
import type { CallOptions, Reply } from "./parley.ts";
import { type Arrival, type Receiver, verify } from "./receiver.ts";
import { until } from "./wait.ts";

/**
 * A timestamp is that of its attempt, not of an earlier one: an orphan is sent again later than this. It leaves time for a
 * receiver that has a thousand requests before it.
 */
const FRESH_MS = 15_000;

type Call = (method: string, path: string, options?: CallOptions) => Promise<Reply>;

/** What the ledgers are kept about: messages of one conversation, and the webhooks that receive each, by their paths. */
export interface Audience {
  receiver: Receiver;
  conversation: number;
  webhooks: Map<string, { id: number; secret: string }>;
}

export async function createAudience(call: Call, receiver: Receiver, webhookCount: number): Promise<Audience> {
  const made = async (path: string, body: object) => {
    const reply = await call("POST", path, { body });
    expect(reply.status, reply.text).toBe(201);
    return reply.body.data;
  };
  const { id: conversation } = await made("/conversations", { subject: "ledger" });
  const webhooks: Audience["webhooks"] = new Map();
  for (let i = 0; i < webhookCount; i++) {
    const body = { name: `w${i}`, url: receiver.url(`/${i}`), events: ["message.created"], timeout_seconds: 60 };
    webhooks.set(`/${i}`, await made("/webhooks", body));
  }
  return { receiver, conversation, webhooks };
}

/** How a write went. */
export interface Written {
  /** Null: the connection broke, and nobody knows whether the message was written. */
  reply: Reply | null;
  /** Milliseconds of a monotonic clock. */
  startedAt: number;
  endedAt: number;
}

export interface Verdict {
  acknowledged: number;
  arrivals: number;
  duplicates: number;
}

/** Two ledgers: the producer's, of what was attempted and acknowledged, and the receiver's, of what arrived. */
export interface Ledger {
  /** Writes one message, of a new text unless it is given one. */
  write(options?: { text?: string; headers?: Record<string, string> }): Promise<Written>;
  written: Written[];
  acknowledged: Set<string>;
  /** What has arrived since the ledger was opened. */
  arrivals(): Arrival[];
  /** `webhook:event`, the pair that should arrive once. */
  nameOf(arrival: Arrival): string;
  /** The pairs that have arrived more than once. */
  repeated(): string[];
  /**
   * Waits for what is still on its way, then judges: lost 0, ghost 0, every signature good, one id and one body for all
   * attempts of an event, timestamps fresh. A request that was signed right before its process was stopped is sent when
   * the process continues, after `stoppedMs`.
   */
  judge(database: TestDatabase, options?: { withinMs?: number; stoppedMs?: number }): Promise<Verdict>;
}

let texts = 0;

/** `call` is asked at each write: the server may be another one by then. */
export function openLedger({ receiver, conversation, webhooks }: Audience, call: Call): Ledger {
  const attempted = new Set<string>();
  const acknowledged = new Set<string>();
  const written: Written[] = [];
  const from = receiver.arrivals.length;
  const arrivals = () => receiver.arrivals.slice(from);
  const nameOf = ({ path, headers }: Arrival) => `${webhooks.get(path)?.id}:${headers["webhook-id"]}`;

  function lost(): string[] {
    const arrived = new Set(arrivals().map(({ path, event }) => `${path} ${event.data.uuid}`));
    return [...acknowledged]
      .flatMap((uuid) => [...webhooks.keys()].map((path) => `${path} ${uuid}`))
      .filter((name) => !arrived.has(name));
  }

  function requireGenuine(arrival: Arrival, stoppedMs: number): void {
    verify(arrival, webhooks.get(arrival.path)?.secret as string);
    expect(attempted, "ghost").toContain(arrival.event.data.body);
    const sentAt = Number(arrival.headers["webhook-timestamp"]) * 1_000;
    // Its clock has whole seconds, cut off.
    const ageMs = performance.timeOrigin + arrival.at - sentAt;
    expect(ageMs, "the age of webhook-timestamp").toBeGreaterThan(-FRESH_MS);
    expect(ageMs, "the age of webhook-timestamp").toBeLessThan(1_000 + FRESH_MS + stoppedMs);
  }

  /** A message is one event: whatever comes of it carries one id, and one body. */
  function requireOneEventEach(): void {
    const first = new Map<string, Arrival>();
    for (const arrival of arrivals()) {
      const known = first.get(arrival.event.data.uuid) ?? arrival;
      first.set(arrival.event.data.uuid, known);
      expect(arrival.headers["webhook-id"]).toBe(known.headers["webhook-id"]);
      expect(arrival.body).toBe(known.body);
    }
  }

  return {
    written,
    acknowledged,
    arrivals,
    nameOf,
    async write({ text = `m${++texts}`, headers = {} } = {}) {
      attempted.add(text);
      const startedAt = performance.now();
      const options = { body: { body: text }, headers };
      const reply = await call("POST", `/conversations/${conversation}/messages`, options).catch(() => null);
      if (reply?.status === 201) acknowledged.add(reply.body.data.uuid);
      const entry = { reply, startedAt, endedAt: performance.now() };
      written.push(entry);
      return entry;
    },
    repeated() {
      const seen = new Set<string>();
      return arrivals()
        .map(nameOf)
        .filter((name) => seen.has(name) || !seen.add(name));
    },
    async judge(database, { withinMs = 45_000, stoppedMs = 0 } = {}) {
      const options = { timeoutMs: withinMs, everyMs: 100 };
      await until("nothing is lost", () => lost().length === 0, options).catch(() => expect(lost()).toEqual([]));
      const queueEmpty = async () => (await database.query("select 1 from deliveries limit 1")).length === 0;
      await until("nothing is left in the queue", queueEmpty, options);
      for (const arrival of arrivals()) requireGenuine(arrival, stoppedMs);
      requireOneEventEach();
      return {
        acknowledged: acknowledged.size,
        arrivals: arrivals().length,
        duplicates: this.repeated().length,
      };
    },
  };
}

/** Writes without a pause, `clients` at once, until it is stopped. */
export function keepWriting(ledger: Ledger, clients: number): { stop(): Promise<void> } {
  let going = true;
  const all = Array.from({ length: clients }, async () => {
    while (going) {
      const { reply } = await ledger.write();
      // A client that is turned away does not come back in the same instant.
      if (reply?.status !== 201) await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });
  return {
    async stop() {
      going = false;
      await Promise.all(all);
    },
  };
}
