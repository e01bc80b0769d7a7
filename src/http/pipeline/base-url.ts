import type { FastifyRequest } from "fastify";

/** The base of links in responses: as the operator configured it, otherwise the host that the client used. */
export function baseUrlOf(request: FastifyRequest, publicUrl: string | null): string {
  const { localAddress, localPort } = request.socket;
  // HTTP/1.0 knows requests without a Host.
  return publicUrl ?? `${request.protocol}://${request.host || `${localAddress}:${localPort}`}`;
}
