import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { until } from "./wait.ts";

export interface Arrival {
  path: string;
  method: string;
  headers: IncomingHttpHeaders;
  body: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the event holds
  event: any;
  /** Milliseconds of a monotonic clock. */
  at: number;
}

export type Behaviour = (response: ServerResponse, arrival: Arrival) => void;

export const respondWith =
  (status: number, headers: Record<string, string> = {}, body = ""): Behaviour =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

/** Takes the request and never responds. */
export const hang: Behaviour = () => {};

/** A webhook's other end, with switchable behaviour; keeps a ledger of what arrived. */
export interface Receiver {
  url(path?: string): string;
  arrivals: Arrival[];
  /** What arrived at one path. */
  at(path: string): Arrival[];
  behave(behaviour: Behaviour, path?: string): void;
  /** Waits until this many have arrived (at a path). */
  waitFor(count: number, path?: string, timeoutMs?: number): Promise<Arrival[]>;
  close(): Promise<void>;
}

export async function startReceiver({ host = "127.0.0.1", port = 0 } = {}): Promise<Receiver> {
  const arrivals: Arrival[] = [];
  const behaviours = new Map<string, Behaviour>();
  let fallback: Behaviour = respondWith(200);
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("error", () => {});
    response.on("error", () => {});
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      const arrival: Arrival = {
        path: request.url ?? "",
        method: request.method ?? "",
        headers: request.headers,
        body,
        event: JSON.parse(body),
        at: performance.now(),
      };
      arrivals.push(arrival);
      (behaviours.get(arrival.path) ?? fallback)(response, arrival);
    });
  });
  // The engine lives in the same process and may open a thousand connections in one turn of the loop: with the usual
  // backlog of 511 the kernel resets the rest.
  await new Promise<void>((resolve) => server.listen({ port, host, backlog: 4096 }, resolve));
  const base = `http://${host}:${(server.address() as AddressInfo).port}`;
  const at = (path: string) => arrivals.filter((arrival) => arrival.path === path);
  return {
    url: (path = "/hook") => base + path,
    arrivals,
    at,
    behave(behaviour, path) {
      if (path === undefined) fallback = behaviour;
      else behaviours.set(path, behaviour);
    },
    async waitFor(count, path, timeoutMs = 10_000) {
      const find = () => (path === undefined ? arrivals : at(path));
      await until(
        `${count} deliveries arrived at ${path ?? "the receiver"} (have ${find().length})`,
        () => find().length >= count,
        {
          timeoutMs,
        },
      );
      return find();
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Both public libraries must accept a delivery, unchanged, at the time it arrived: a long test looks later. */
export function verify(arrival: Arrival, secret: string, atMs = performance.timeOrigin + arrival.at): void {
  const headers = {
    "webhook-id": String(arrival.headers["webhook-id"]),
    "webhook-timestamp": String(arrival.headers["webhook-timestamp"]),
    "webhook-signature": String(arrival.headers["webhook-signature"]),
  };
  const { now } = Date;
  Date.now = () => atMs;
  try {
    new StandardWebhook(secret).verify(arrival.body, headers);
    new SvixWebhook(secret).verify(arrival.body, headers);
  } finally {
    Date.now = now;
  }
}
