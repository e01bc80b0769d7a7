import { isIP, type Socket } from "node:net";
import { createSecureContext, type SecureContext } from "node:tls";
import type { AddressPolicy } from "./address-policy.ts";
import { openConnection } from "./connector.ts";
import { OutboundFailure, tlsFailure } from "./failure.ts";
import type { Lookup } from "./lookup.ts";
import { startClientTls } from "./tls.ts";

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
      openConnection({ host, literal: isIP(host) !== 0, port, secure: false, group }, parts, {
        signal: AbortSignal.timeout(timeoutMs),
        tooLate: () => new OutboundFailure("timeout", "the server did not respond to the connection request"),
      }),
    startTls: (socket, host, { timeoutMs }) => secure(socket, { host, secureContext, timeoutMs }),
  };
}

function secure(
  socket: Socket,
  { host, secureContext, timeoutMs }: { host: string; secureContext: SecureContext; timeoutMs: number },
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const secured = startClientTls(socket, host, { secureContext });
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
