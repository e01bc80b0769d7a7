import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { DatabaseNumbers } from "../../db/database-numbers.ts";
import type { Delivery } from "../../delivery/index.ts";
import type { MailCounts, MailNumbers } from "../../email/counts.ts";
import { observeMail } from "./mail-metrics.ts";

/** Numbers that other parts keep; read at each scrape. Parts that a process does not have are absent. */
export interface MetricSources {
  delivery: () => DeliveryNumbers;
  /** The queue as a whole; asks the database. */
  queue: () => Promise<QueueNumbers>;
  pool: () => { total: number; waiting: number };
  /** The database as a whole; asks it. */
  database: () => Promise<DatabaseNumbers>;
  /** Why this process cannot work with the database's schema; null: it can. */
  schemaProblem: () => string | null;
  /** Event streams that are open. */
  streams?: () => number;
  /** Nodes that share the rate limits, and requests that were counted without the others. */
  limiter?: () => { nodes: number; fallbacks: number };
  /** Messages to people that this node has tried to send. */
  notifications?: () => { channel: string; outcome: string; count: number }[];
  /** Mail in and out. */
  mail?: { counts: MailCounts; numbers: () => Promise<MailNumbers> };
}

type DeliveryNumbers = ReturnType<Delivery["stats"]>;

interface QueueNumbers {
  pending: number;
  oldestPendingSeconds: number;
  breakersOpen: number;
  breakersHalfOpen: number;
  webhooksFailing: number;
}

export interface Metrics {
  request(method: string, route: string, status: number, ms: number): void;
  /** Where `/metrics` is served. */
  readonly url: string;
  close(): Promise<void>;
}

/** A scrape and a probe are given 5 s or more: a database that does not respond must not take all of it. */
const DATABASE_MS_MAX = 1_500;
/** As on the port of the API, which a worker does not have. */
const LIVE = JSON.stringify({ success: true, data: { status: "live" } });

/** Prometheus metrics, on a port of their own so that a proxy cannot show them to the world by accident. */
export async function startMetrics(host: string, port: number, sources: MetricSources): Promise<Metrics> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: "parley_http_request_seconds",
    help: "Time from the headers of a request to the end of its response.",
    labelNames: ["method", "route", "status"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15],
    registers: [registry],
  });
  const readPool = observePool(registry, sources.pool);
  observeDelivery(registry, sources.delivery);
  observeQueue(registry, sources.queue);
  observeDatabase(registry, sources.database);
  observeNode(registry, sources);
  if (sources.mail) observeMail(registry, { ...sources.mail, numbers: oncePerScrape(sources.mail.numbers) });
  if (sources.notifications) observeNotifications(registry, sources.notifications);

  const server = createServer(async (request, response) => {
    if (request.url === "/health/live")
      return response.writeHead(200, { "content-type": "application/json" }).end(LIVE);
    if (request.url !== "/metrics") return response.writeHead(404).end();
    readPool();
    const body = await registry.metrics();
    return response.writeHead(200, { "content-type": registry.contentType }).end(body);
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  const address = server.address() as AddressInfo;
  return {
    url: `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}/metrics`,
    request: (method, route, status, ms) => requests.observe({ method, route, status }, ms / 1_000),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** What this process delivers. */
function observeDelivery(registry: Registry, read: () => DeliveryNumbers): void {
  const gauge = (name: string, help: string, field: keyof DeliveryNumbers) =>
    readGauge(registry, name, help, () => read()[field]);
  const counter = (name: string, help: string, field: keyof DeliveryNumbers) =>
    readCounter(registry, name, help, () => read()[field]);
  gauge("parley_delivery_in_flight", "Webhook attempts in flight or not yet settled.", "inFlight");
  gauge("parley_delivery_unsettled", "Ended attempts whose result is not yet written.", "unsettled");
  gauge("parley_delivery_lanes_waiting", "Webhooks with ready deliveries that wait for their turn.", "lanesWaiting");
  counter("parley_delivery_dead_letters_total", "Deliveries whose last attempt failed.", "deadLetters");
  counter(
    "parley_delivery_rescued_total",
    "Deliveries of other processes, released here because the lease of their worker expired.",
    "rescued",
  );
  counter("parley_delivery_leases_lost_total", "How often the lease of this process expired.", "leasesLost");
  new Counter({
    name: "parley_delivery_attempts_total",
    help: "Webhook attempts that were settled, by outcome.",
    labelNames: ["outcome"],
    registers: [registry],
    collect() {
      const { delivered, failed } = read();
      this.reset();
      this.inc({ outcome: "success" }, delivered);
      this.inc({ outcome: "failed" }, failed);
    },
  });
}

/** While the database is unavailable they are left out: old values would look like current ones. */
function observeQueue(registry: Registry, read: MetricSources["queue"]): void {
  const queue = oncePerScrape(read);
  const gauge = (name: string, help: string, field: keyof QueueNumbers) =>
    readGauge(registry, name, help, async () => (await queue())?.[field]);
  gauge(
    "parley_delivery_pending",
    "Deliveries that are not finished, over all workspaces; counted up to 100,000.",
    "pending",
  );
  gauge(
    "parley_delivery_oldest_pending_seconds",
    "Age of the oldest event with a delivery that is not finished; 0 without any.",
    "oldestPendingSeconds",
  );
  gauge(
    "parley_delivery_webhooks_failing",
    "Webhooks whose attempts have done nothing but fail since their last success.",
    "webhooksFailing",
  );
  new Gauge({
    name: "parley_delivery_breakers",
    help: "Webhooks whose breaker is not closed, by state.",
    labelNames: ["state"],
    registers: [registry],
    async collect() {
      const totals = await queue();
      this.reset();
      if (!totals) return;
      this.set({ state: "open" }, totals.breakersOpen);
      this.set({ state: "half_open" }, totals.breakersHalfOpen);
    },
  });
}

/**
 * Returns what reads the pool, before a scrape asks the database: its own queries wait for a connection too, each for at least
 * a tick, and would be counted.
 */
function observePool(registry: Registry, read: MetricSources["pool"]): () => void {
  const connections = new Gauge({
    name: "parley_database_connections",
    help: "Database connections of the API's pool.",
    registers: [registry],
  });
  const waiting = new Gauge({
    name: "parley_database_waiting",
    help: "Requests that wait for a connection.",
    registers: [registry],
  });
  return () => {
    const pool = read();
    connections.set(pool.total);
    waiting.set(pool.waiting);
  };
}

function observeDatabase(registry: Registry, database: MetricSources["database"]): void {
  const numbers = oncePerScrape(database);
  const gauge = (name: string, help: string, field: keyof DatabaseNumbers) =>
    readGauge(registry, name, help, async () => (await numbers())?.[field]);
  readGauge(registry, "parley_database_up", "1 if the database responded to this scrape, 0 if not.", async () =>
    (await numbers()) ? 1 : 0,
  );
  gauge("parley_database_size_bytes", "Size of the database on disk.", "sizeBytes");
  gauge(
    "parley_database_oldest_transaction_seconds",
    "Age of the oldest open transaction that Parley's role can see; one held open for long makes the files of the database grow.",
    "oldestTransactionSeconds",
  );
  gauge(
    "parley_workspaces_half_moved",
    "Workspaces whose move to another cell was interrupted: their writes are refused until it is continued or canceled.",
    "halfMovedWorkspaces",
  );
  gauge("parley_consumers_late", "Consumers for which an event waits longer than their alert allows.", "lateConsumers");
  gauge(
    "parley_consumers_missed",
    "Consumers that missed events, because retention deleted them unread.",
    "missedConsumers",
  );
}

/**
 * All metrics of a scrape are asked for at once: they share one query, and so does the next scrape while there is no response.
 * Null: it failed, or takes too long.
 */
function oncePerScrape<T>(read: () => Promise<T>): () => Promise<T | null> {
  let asking: Promise<T | null> | null = null;
  return () => {
    asking ??= read()
      .catch(() => null)
      .finally(() => {
        asking = null;
      });
    return within(asking, DATABASE_MS_MAX);
  };
}

async function within<T>(asked: Promise<T | null>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}

function observeNotifications(registry: Registry, read: NonNullable<MetricSources["notifications"]>): void {
  new Counter({
    name: "parley_notifications_total",
    help: "E-mails and chat messages by outcome: sent, failed and to be retried, or dropped.",
    labelNames: ["channel", "outcome"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { channel, outcome, count } of read()) this.inc({ channel, outcome }, count);
    },
  });
}

function observeNode(registry: Registry, { schemaProblem, streams, limiter }: MetricSources): void {
  readGauge(
    registry,
    "parley_node_outdated",
    "1 if this process is too old for the database's schema and has stopped writing.",
    () => (schemaProblem() === null ? 0 : 1),
  );
  if (streams) readGauge(registry, "parley_event_streams", "Event streams that are open on this node.", streams);
  if (!limiter) return;
  readGauge(registry, "parley_rate_limit_nodes", "Nodes that share the rate limits.", () => limiter().nodes);
  readCounter(
    registry,
    "parley_rate_limit_fallbacks_total",
    "Requests counted by this node alone because the database did not respond in time.",
    () => limiter().fallbacks,
  );
}

/** A number that another part keeps; undefined: it is left out. */
function readGauge(
  registry: Registry,
  name: string,
  help: string,
  read: () => number | undefined | Promise<number | undefined>,
): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const value = await read();
      if (value === undefined) this.remove();
      else this.set(value);
    },
  });
}

/** The same for a counter. */
function readCounter(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}
