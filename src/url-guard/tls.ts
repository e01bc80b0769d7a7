import { isIP, type Socket } from "node:net";
import { type ConnectionOptions, type TLSSocket, connect as tlsConnect } from "node:tls";

/** TLS over a connection that is open, with a certificate that is valid for the host. */
export function startClientTls(socket: Socket, host: string, options: ConnectionOptions): TLSSocket {
  // From here errors surface on the secured socket; one on the bare one must not be left without a listener.
  socket.on("error", () => {});
  return tlsConnect({
    ...options,
    socket,
    // An address has no SNI; `host` then makes the certificate be verified for it.
    host,
    ...(isIP(host) === 0 ? { servername: host.replace(/\.$/, "") } : {}),
    // Stated, so that NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment cannot switch verification off.
    rejectUnauthorized: true,
  });
}
