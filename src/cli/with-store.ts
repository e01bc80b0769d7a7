import { type Config, readConfig } from "../config/index.ts";
import { createLogger } from "../core/logger.ts";
import { openServer, openStore, type Server, type Store, type StoreOptions } from "../store.ts";
import { note } from "./output.ts";

/**
 * Opens the database for one command, next to a running server or without one, and closes it again. A command that was run
 * in a wrong directory must not create a database there: only commands that set up an installation ask for that.
 */
export async function withStore<T>(
  work: (store: Store, config: Config) => Promise<T>,
  { ifMissing = "refuse" }: Pick<StoreOptions, "ifMissing"> = {},
): Promise<T> {
  const config = readConfig();
  const logger = createLogger("warn", process.stderr);
  const store = await openStore({ config, logger, mode: "attach-or-start", ifMissing, report: note });
  try {
    return await work(store, config);
  } finally {
    await store.close();
  }
}

/** As `withStore`, for what needs neither the newest schema nor the key that opens sealed secrets. */
export async function withServer<T>(work: (server: Server, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig();
  const logger = createLogger("warn", process.stderr);
  const server = await openServer({ config, logger, mode: "attach-or-start", ifMissing: "refuse", report: note });
  try {
    return await work(server, config);
  } finally {
    await server.close();
  }
}
