import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** Numbers that another part keeps; read when somebody asks. */
interface MetricSources {
  delivery: () => { inFlight: number; unsettled: number; lanesWaiting: number; delivered: number; failed: number };
  /** The queue as a whole; asks the database. */
  queue: () => Promise<{
    pending: number;
    breakersOpen: number;
    breakersHalfOpen: number;
    webhooksFailing: number;
  }>;
  pool: () => { total: number; idle: number; waiting: number };
}

export interface Metrics {
  request(method: string, route: string, status: number, ms: number): void;
  /** Where `/metrics` is served. */
  readonly url: string;
  close(): Promise<void>;
}

/** Prometheus metrics, on a port of their own so that a proxy cannot show them to the world by accident. */
export async function startMetrics(host: string, port: number, sources: MetricSources): Promise<Metrics> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: "parley_http_request_seconds",
    help: "Time from the first byte of a request to the last of its answer.",
    labelNames: ["method", "route", "status"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15],
    registers: [registry],
  });
  gauge(
    registry,
    "parley_delivery_in_flight",
    "Webhook attempts in flight or not yet settled.",
    () => sources.delivery().inFlight,
  );
  gauge(
    registry,
    "parley_delivery_unsettled",
    "Ended attempts that are not yet written down.",
    () => sources.delivery().unsettled,
  );
  gauge(
    registry,
    "parley_delivery_lanes_waiting",
    "Webhooks with ready deliveries that wait for their turn.",
    () => sources.delivery().lanesWaiting,
  );
  gauge(registry, "parley_database_connections", "Database connections of the API's pool.", () => sources.pool().total);
  gauge(
    registry,
    "parley_database_waiting",
    "Requests that wait for a database connection.",
    () => sources.pool().waiting,
  );
  new Counter({
    name: "parley_delivery_attempts_total",
    help: "Webhook attempts that were settled, by outcome.",
    labelNames: ["outcome"],
    registers: [registry],
    collect() {
      const { delivered, failed } = sources.delivery();
      this.reset();
      this.inc({ outcome: "success" }, delivered);
      this.inc({ outcome: "failed" }, failed);
    },
  });

  observeQueue(registry, sources.queue);

  const server = createServer(async (request, response) => {
    if (request.url !== "/metrics") return response.writeHead(404).end();
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

function gauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

/** One query for all of them per scrape. While the database is unavailable they keep their last values. */
function observeQueue(registry: Registry, read: MetricSources["queue"]): void {
  const registers = [registry];
  const breakers = new Gauge({
    name: "parley_delivery_breakers",
    help: "Webhooks whose breaker is not closed, by state.",
    labelNames: ["state"],
    registers,
  });
  const failing = new Gauge({
    name: "parley_delivery_webhooks_failing",
    help: "Webhooks whose attempts have done nothing but fail since their last success.",
    registers,
  });
  new Gauge({
    name: "parley_delivery_pending",
    help: "Deliveries that are not finished, over all workspaces; counted up to 100,000.",
    registers,
    async collect() {
      const totals = await read().catch(() => null);
      if (!totals) return;
      this.set(totals.pending);
      breakers.set({ state: "open" }, totals.breakersOpen);
      breakers.set({ state: "half_open" }, totals.breakersHalfOpen);
      failing.set(totals.webhooksFailing);
    },
  });
}
