import { createLastUsed } from "../../src/auth/last-used.ts";
import { createVerifier } from "../../src/auth/verifier.ts";
import { createLogger } from "../../src/core/logger.ts";
import { createServer, type Server } from "../../src/http/server/server.ts";
import { createLimiter, createTierLimiter } from "../../src/rate-limit/limiter.ts";
import type { TestParley } from "./parley.ts";

export interface ImpatientServer {
  url: string;
  server: Server;
  /** How many connections it has open. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

/** The same routes and database as `parley`, behind a server with time limits that a test can wait for. */
export async function startImpatient(
  parley: TestParley,
  limits: Partial<Pick<Parameters<typeof createServer>[0], "headersMsMax" | "requestMsMax" | "stalledMsMax" | "drain">>,
): Promise<ImpatientServer> {
  const { db, secretBox } = parley.app.store;
  const logger = createLogger("silent");
  const lastUsed = createLastUsed(db, logger);
  const verifier = await createVerifier({ db, logger, lastUsed, bootstrapSecret: parley.key });
  const server = createServer({
    db,
    logger,
    verifier,
    tiers: createTierLimiter({}),
    authFailures: createLimiter({ requests: 1_000, windowSeconds: 60 }),
    secretBox,
    routes: parley.app.server.routes,
    trustedProxies: [],
    publicUrl: null,
    bodyBytesMax: 1_048_576,
    unreadyBecause: async () => null,
    ...limits,
  });
  const url = await server.listen("127.0.0.1", 0);
  return {
    url,
    server,
    connections: () =>
      new Promise((resolve, reject) =>
        server.fastify.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    async close() {
      await server.close();
      await verifier.close();
      await lastUsed.close();
    },
  };
}
