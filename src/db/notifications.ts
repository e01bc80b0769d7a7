import pg from "pg";
import type { Logger } from "../core/logger.ts";
import { type Database, sql } from "./database.ts";

/**
 * Messages between processes by LISTEN/NOTIFY. They save waiting for the next poll and nothing depends on their arrival.
 * Messages are collected and sent at most every GATHER_MS, never one NOTIFY per row (0.40 of the insert rate at 32
 * callers).
 */
interface Notifications {
  /** Sends a message to the other processes. */
  publish(message: string): void;
  close(): Promise<void>;
}

interface NotificationsOptions {
  db: Database;
  connection: pg.ClientConfig;
  logger: Logger;
  channel: string;
  /** Messages of another process; null: there were too many for one notification. */
  onMessages: (messages: string[] | null) => void;
}

const GATHER_MS = 25;
const RECONNECT_MS = 1_000;
/** PostgreSQL takes payloads below 8,000 bytes. */
const PAYLOAD_CHARS_MAX = 7_000;

const notify = sql("notify", "select pg_notify($1, $2)");

export function createNotifications(options: NotificationsOptions): Notifications {
  const { db, connection, logger, channel, onMessages } = options;
  const sender = `${process.pid}.${Math.random().toString(36).slice(2)}`;
  const messages = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let lastSentAt = Number.NEGATIVE_INFINITY;
  let listener: pg.Client | null = null;
  let reconnect: NodeJS.Timeout | undefined;
  let closed = false;

  async function listen(): Promise<void> {
    const client = new pg.Client({ ...connection, application_name: "parley-notifications", keepAlive: true });
    client.on("error", () => retry(client));
    client.on("end", () => retry(client));
    client.on("notification", ({ payload = "" }) => {
      const [from, text = ""] = payload.split("|");
      if (from !== sender) onMessages(text === "*" ? null : text.split(" "));
    });
    listener = client;
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
    } catch (error) {
      logger.debug({ err: (error as Error).message }, "cannot listen for notifications, polling instead");
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
    const text = [...messages].join(" ");
    messages.clear();
    db.query(notify, [channel, `${sender}|${text.length > PAYLOAD_CHARS_MAX ? "*" : text}`]).catch(() => {});
  }

  void listen();
  return {
    publish(message) {
      if (closed) return;
      messages.add(message);
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
