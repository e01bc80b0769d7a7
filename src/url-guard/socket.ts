import { isIP, type Socket } from "node:net";
import { createSecureContext, type SecureContext, connect as tlsConnect } from "node:tls";
import type { AddressPolicy } from "./address-policy.ts";
import { Connecting } from "./connector.ts";
import { OutboundFailure, tlsFailure } from "./failure.ts";
import type { Lookup } from "./lookup.ts";

/** Connections to servers that speak something else than HTTP. They are not encrypted until `startTls`. */
export interface Sockets {
  open(target: SocketTarget): Promise<Socket>;
  /** The same connection under TLS, with a certificate that is valid for the host. */
  startTls(socket: Socket, host: string, options: { timeoutMs: number }): Promise<Socket>;
}

interface SocketTarget {
  host: string;
  port: number;
  /** Lookups are bounded per group. */
  group: string;
  timeoutMs: number;
}

interface SocketsOptions {
  /** Null: the operator chose the hosts, and every address is allowed. */
  policy: AddressPolicy | null;
  lookup: Lookup;
}

const ANY_ADDRESS: AddressPolicy = { check: () => ({ allowed: true, opened: true }) };

export function createSockets({ policy, lookup }: SocketsOptions): Sockets {
  const secureContext = createSecureContext();
  const parts = { policy: policy ?? ANY_ADDRESS, lookup, secureContext };
  return {
    open: ({ host, port, group, timeoutMs }) =>
      new Promise((resolve, reject) => {
        const target = { host, literal: isIP(host) !== 0, port, secure: false, group };
        const connecting = new Connecting(target, parts, (failure, connected) => {
          clearTimeout(timer);
          if (connected) resolve(connected.socket);
          else reject(failure);
        });
        const timer = setTimeout(() => {
          connecting.cancel();
          reject(new OutboundFailure("timeout", "the server did not respond to the connection request"));
        }, timeoutMs);
      }),
    startTls: (socket, host, { timeoutMs }) => secure(socket, { host, secureContext, timeoutMs }),
  };
}

function secure(
  socket: Socket,
  { host, secureContext, timeoutMs }: { host: string; secureContext: SecureContext; timeoutMs: number },
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    // From here errors surface on the secured socket; one on the bare one must not be left without a listener.
    socket.on("error", () => {});
    const secured = tlsConnect({
      socket,
      secureContext,
      host,
      ...(isIP(host) === 0 ? { servername: host.replace(/\.$/, "") } : {}),
      // Stated, so that NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment cannot switch verification off.
      rejectUnauthorized: true,
    });
    const timer = setTimeout(() => fail(new OutboundFailure("timeout", "the TLS handshake took too long")), timeoutMs);
    function fail(error: Error): void {
      clearTimeout(timer);
      secured.on("error", () => {});
      secured.destroy();
      reject(error);
    }
    secured.once("error", (error) => fail(tlsFailure(error)));
    secured.once("secureConnect", () => {
      clearTimeout(timer);
      secured.removeAllListeners("error");
      resolve(secured);
    });
  });
}
