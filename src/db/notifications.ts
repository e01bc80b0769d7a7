import pg from "pg";
import type { Logger } from "../core/logger.ts";
import { type Database, sql } from "./database.ts";

/**
 * Messages between processes by LISTEN/NOTIFY, over one listening connection per process. They save waiting for the next
 * poll and nothing depends on their arrival.
 */
export interface Notifications {
  /** Receives the messages that other processes publish there, and publishes its own. A name may be opened once. */
  open(channel: string, onMessages: OnMessages): Channel;
  close(): Promise<void>;
}

interface Channel {
  /** Sends a message to the other processes. It has no spaces. */
  publish(message: string): void;
  /** Whether this process listens: the others, which have the same settings, do then too. */
  readonly isListening: boolean;
}

/** Messages of another process; null: there were too many for one notification. */
type OnMessages = (messages: string[] | null) => void;

interface NotificationsOptions {
  db: Database;
  /** Leads to PostgreSQL itself or to a pooler that keeps sessions. Null: nothing is received. */
  connection: pg.ClientConfig | null;
  logger: Logger;
}

/**
 * Messages are collected and sent at most this often, never one NOTIFY per row (0.40 of the insert rate at 32 callers).
 */
const GATHER_MS = 25;
const RECONNECT_MS = 1_000;
/** PostgreSQL takes payloads below 8,000 bytes. */
const PAYLOAD_CHARS_MAX = 7_000;

const notify = sql("notify", "select pg_notify($1, $2)");

export function createNotifications({ db, connection, logger }: NotificationsOptions): Notifications {
  const sender = `${process.pid}.${Math.random().toString(36).slice(2)}`;
  const channels = new Map<string, { onMessages: OnMessages; close(): void }>();
  let listener: pg.Client | null = null;
  let reconnect: NodeJS.Timeout | undefined;
  let lastStatement: Promise<unknown> = Promise.resolve();
  let connected = false;
  let closed = false;

  async function connect(): Promise<void> {
    const client = new pg.Client({ ...connection, application_name: "parley-notifications", keepAlive: true });
    client.on("error", () => retry(client));
    client.on("end", () => retry(client));
    client.on("notification", ({ channel, payload = "" }) => {
      const [from, text = ""] = payload.split("|");
      if (from !== sender) channels.get(channel)?.onMessages(text === "*" ? null : text.split(" "));
    });
    listener = client;
    try {
      await client.connect();
      connected = true;
      await listenOn(client, [...channels.keys()]);
    } catch (error) {
      logger.debug({ err: (error as Error).message }, "cannot listen for notifications, polling instead");
      retry(client);
    }
  }

  function retry(client: pg.Client): void {
    if (closed || listener !== client) return;
    listener = null;
    connected = false;
    client.end().catch(() => {});
    reconnect = setTimeout(() => void connect(), RECONNECT_MS).unref();
  }

  function listen(channel: string): void {
    if (!connection) return;
    if (!listener && !reconnect) void connect();
    else if (connected && listener) listenOn(listener, [channel]).catch(() => {});
  }

  /** One statement after the other: pg takes no second one while a first is in progress. */
  function listenOn(client: pg.Client, names: readonly string[]): Promise<unknown> {
    const text = names.map((name) => `listen ${name}`).join("; ");
    const done = lastStatement.then(() => client.query(text));
    lastStatement = done.catch(() => {});
    return done;
  }

  return {
    open(channel, onMessages) {
      if (channels.has(channel)) throw new Error(`The channel ${channel} is already open.`);
      const gathered = gatherMessages((text) => {
        db.query(notify, [channel, `${sender}|${text}`]).catch(() => {});
      });
      channels.set(channel, { onMessages, close: gathered.close });
      listen(channel);
      return {
        publish: gathered.publish,
        get isListening() {
          return connected;
        },
      };
    },
    async close() {
      closed = true;
      for (const { close } of channels.values()) close();
      clearTimeout(reconnect);
      await listener?.end().catch(() => {});
    },
  };
}

/** Hands messages on, all that came within GATHER_MS as one text; `*` where they are too many. */
function gatherMessages(send: (text: string) => void) {
  const messages = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let lastSentAt = Number.NEGATIVE_INFINITY;
  let closed = false;

  function flush(): void {
    timer = undefined;
    lastSentAt = performance.now();
    const text = [...messages].join(" ");
    messages.clear();
    send(text.length > PAYLOAD_CHARS_MAX ? "*" : text);
  }

  return {
    publish(message: string) {
      if (closed) return;
      messages.add(message);
      timer ??= setTimeout(flush, Math.max(0, lastSentAt + GATHER_MS - performance.now()));
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
