import type { Server } from "node:http";
import type { Socket } from "node:net";
import ipaddr from "ipaddr.js";
import { isWithin } from "../../auth/allowed-ips.ts";
import { unavailable } from "../../core/errors.ts";
import { addressGroup } from "../pipeline/access.ts";
import { rawResponse } from "../pipeline/errors.ts";

export interface ConnectionLimits {
  /** Connections of all clients together. */
  total: number;
  /** Connections from one client address; loopback and trusted proxies may have as many as they like. */
  perAddress: number;
  trustedProxies: readonly string[];
}

/** For the database, files, webhooks and whatever else the process opens. */
const RESERVED_DESCRIPTORS = 2_048;
/** Where the operating system does not say. */
const DESCRIPTORS_DEFAULT = 10_240;

/**
 * Keeps one client from using up the connections of all, and all clients together from using up the descriptors that the
 * process needs for its database. A client beyond a limit gets a 503 and is disconnected.
 */
export function limitConnections(server: Server, { total, perAddress, trustedProxies }: ConnectionLimits): void {
  const descriptors = descriptorsMax();
  const totalMax = Math.min(total, descriptors - Math.min(RESERVED_DESCRIPTORS, descriptors / 2));
  const counts = new Map<string, number>();
  let open = 0;

  server.on("connection", (socket: Socket) => {
    const ip = socket.remoteAddress ?? "";
    const address = isExempt(ip, trustedProxies) ? null : addressGroup(ip);
    const count = address === null ? 0 : (counts.get(address) ?? 0);
    if (count >= perAddress) {
      refuse(socket, "Too many connections from this address.");
      return;
    }
    if (open >= totalMax) {
      // Connections that wait for a next request are closed: their clients reconnect by themselves.
      server.closeIdleConnections();
      refuse(socket, "Too many connections.");
      return;
    }
    open++;
    if (address !== null) counts.set(address, count + 1);
    socket.once("close", () => {
      open--;
      if (address === null) return;
      const left = (counts.get(address) ?? 1) - 1;
      if (left > 0) counts.set(address, left);
      else counts.delete(address);
    });
  });
}

function refuse(socket: Socket, reason: string): void {
  socket.on("error", () => {});
  socket.end(rawResponse(unavailable(`${reason} Try again soon.`)), () => socket.destroy());
}

function isExempt(ip: string, trustedProxies: readonly string[]): boolean {
  if (!ipaddr.isValid(ip)) return false;
  return ipaddr.process(ip).range() === "loopback" || isWithin(ip, trustedProxies);
}

/** How many descriptors this process may open. */
function descriptorsMax(): number {
  // Without it, the report would look up a name for every connection. Newer than the types we build with.
  const report = process.report as typeof process.report & { excludeNetwork?: boolean };
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isFinite(soft) && soft > 0 ? soft : DESCRIPTORS_DEFAULT;
}
