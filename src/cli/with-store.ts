import { type Config, readConfig } from "../config/index.ts";
import { createLogger } from "../core/logger.ts";
import { openStore, type Store, type StoreOptions } from "../store.ts";
import { note } from "./output.ts";

/**
 * Opens the database for one command, beside a running server or without one, and closes it again. A command that was run
 * in a wrong directory must not create a database there: only what sets up an installation asks for that.
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
