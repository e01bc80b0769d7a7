import type { FastifyRequest } from "fastify";

/** Where links in answers begin: as the operator says, else as the client reached us. */
export function baseUrlOf(request: FastifyRequest, publicUrl: string | null): string {
  const { localAddress, localPort } = request.socket;
  // HTTP/1.0 knows requests without a Host.
  return publicUrl ?? `${request.protocol}://${request.host || `${localAddress}:${localPort}`}`;
}
