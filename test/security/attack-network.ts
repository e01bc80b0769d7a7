import { createServer } from "node:http";
import type { Socket } from "node:net";
import { createTestDatabase } from "../support/database.ts";
import { type DnsServer, serveDns } from "../support/dns-server.ts";
import { NAMESERVER, type NetworkNamespace, openNetworkNamespace } from "../support/network-namespace.ts";
import { type CallOptions, callApi, type Reply } from "../support/parley.ts";
import { startProcess } from "../support/parley-process.ts";

export interface Connection {
  address: string;
  port: number;
}

export interface Arrival {
  address: string;
  path: string;
}

/**
 * The real server under the production policy, in a network where every address responds on the open ports: whatever it
 * connects to, right or wrong, is written down with the address it was meant for.
 */
export interface AttackNetwork {
  namespace: NetworkNamespace;
  dns: DnsServer;
  /** Every connection accepted so far. */
  connections: Connection[];
  /** Those to anything but the public addresses: the bar is that there are none. */
  intrusions(): Connection[];
  /** Every request so far, with the address that it went to. */
  arrivals: Arrival[];
  /** How the public side responds from now on; with 200 by default. */
  respondWith(status: number, headers?: Record<string, string>): void;
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  close(): Promise<void>;
}

export const PUBLIC_V4 = "93.184.216.34";
export const PUBLIC_V6 = "2606:2800:220:1:248:1893:25c8:1946";
const OPEN_PORTS = [80, 443, 8080] as const;
export const CLOSED_PORT = 81;

/** Why this system does not let us make a network; null where it does. */
export async function whyNoNamespace(): Promise<string | null> {
  try {
    await (await openNetworkNamespace()).close();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

export async function openAttackNetwork(settings: Record<string, string> = {}): Promise<AttackNetwork> {
  const namespace = await openNetworkNamespace();
  const dns = serveDns(await namespace.bind(NAMESERVER, 53));
  const connections: Connection[] = [];
  const arrivals: Arrival[] = [];
  let response: [status: number, headers: Record<string, string>] = [200, {}];

  // Each request on a connection of its own, so that each attempt has to look its name up.
  const http = createServer((request, reply) => {
    arrivals.push({ address: addressOf(request.socket), path: request.url ?? "" });
    request.resume().on("end", () => reply.writeHead(response[0], { connection: "close", ...response[1] }).end());
  });
  const listeners = await Promise.all(OPEN_PORTS.map((port) => namespace.listen("::", port)));
  for (const listener of listeners)
    listener.on("connection", (socket) => {
      connections.push({ address: addressOf(socket), port: socket.localPort ?? 0 });
      http.emit("connection", socket);
    });

  const database = await createTestDatabase();
  const server = await startProcess(
    "serve",
    database,
    { PARLEY_ALLOWED_CIDRS: "", PARLEY_RETRY_SCHEDULE: "0.05", ...settings },
    { enter: namespace.enter },
  );
  const url = await namespace.reach(server.url);
  return {
    namespace,
    dns,
    connections,
    arrivals,
    intrusions: () => connections.filter(({ address }) => address !== PUBLIC_V4 && address !== PUBLIC_V6),
    respondWith(status, headers = {}) {
      response = [status, headers];
    },
    call: (method, path, options) => callApi(url, method, path, options),
    async close() {
      await server.end("SIGTERM");
      for (const listener of listeners) listener.close();
      http.closeAllConnections();
      dns.close();
      await namespace.close();
      await database.drop();
    },
  };
}

/** A v4 address as v4, though it came to a socket that listens for both. */
const addressOf = (socket: Socket): string => (socket.localAddress ?? "").replace(/^::ffff:(?=\d+\.)/, "");
