import pg from "pg";
import type { Logger } from "../core/logger.ts";
import { type Database, sql } from "./database.ts";

/**
 * LISTEN/NOTIFY as a hint between processes: it makes things fast and nothing correct. Words are collected and sent at
 * most every GATHER_MS, never one NOTIFY a row (0.40 of the insert rate at 32 callers).
 */
export interface Hints {
  /** Says a word to the other processes. */
  publish(word: string): void;
  close(): Promise<void>;
}

export interface HintsOptions {
  db: Database;
  connection: pg.ClientConfig;
  logger: Logger;
  channel: string;
  /** The words that another process has said; null: it had too many to say. */
  onWords: (words: string[] | null) => void;
}

const GATHER_MS = 25;
const RECONNECT_MS = 1_000;
/** PostgreSQL takes payloads below 8,000 bytes. */
const PAYLOAD_CHARS_MAX = 7_000;

const notify = sql("notify", "select pg_notify($1, $2)");

export function createHints({ db, connection, logger, channel, onWords }: HintsOptions): Hints {
  const sender = `${process.pid}.${Math.random().toString(36).slice(2)}`;
  const words = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let lastSentAt = Number.NEGATIVE_INFINITY;
  let listener: pg.Client | null = null;
  let reconnect: NodeJS.Timeout | undefined;
  let closed = false;

  async function listen(): Promise<void> {
    const client = new pg.Client({ ...connection, application_name: "parley-hints", keepAlive: true });
    client.on("error", () => retry(client));
    client.on("end", () => retry(client));
    client.on("notification", ({ payload = "" }) => {
      const [from, said = ""] = payload.split("|");
      if (from !== sender) onWords(said === "*" ? null : said.split(" "));
    });
    listener = client;
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
    } catch (error) {
      logger.debug({ err: (error as Error).message }, "cannot listen for hints; polling goes on");
      retry(client);
    }
  }

  function retry(client: pg.Client): void {
    if (closed || listener !== client) return;
    listener = null;
    client.end().catch(() => {});
    reconnect = setTimeout(() => void listen(), RECONNECT_MS).unref();
  }

  function send(): void {
    timer = undefined;
    lastSentAt = performance.now();
    const said = [...words].join(" ");
    words.clear();
    db.query(notify, [channel, `${sender}|${said.length > PAYLOAD_CHARS_MAX ? "*" : said}`]).catch(() => {});
  }

  void listen();
  return {
    publish(word) {
      if (closed) return;
      words.add(word);
      timer ??= setTimeout(send, Math.max(0, lastSentAt + GATHER_MS - performance.now()));
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      clearTimeout(reconnect);
      await listener?.end().catch(() => {});
    },
  };
}
