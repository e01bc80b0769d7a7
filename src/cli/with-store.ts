import { constants } from "node:os";
import { type Config, readConfig } from "../config/index.ts";
import { createLogger } from "../core/logger.ts";
import { openServer, openStore, type Server, type Store, type StoreOptions } from "../store.ts";
import { note } from "./output.ts";

interface WithStoreOptions extends Pick<StoreOptions, "ifMissing"> {
  /** The command ends by itself at SIGINT and SIGTERM. */
  handlesSignals?: boolean | undefined;
}

/**
 * Opens the database for one command, next to a running server or without one, and closes it again. A command that was run
 * in a wrong directory must not create a database there: only commands that set up an installation ask for that.
 */
export function withStore<T>(
  work: (store: Store, config: Config) => Promise<T>,
  options: WithStoreOptions = {},
): Promise<T> {
  return useAndClose(openStore, work, options);
}

/** As `withStore`, for what needs neither the newest schema nor the key that opens sealed secrets. */
export function withServer<T>(
  work: (server: Server, config: Config) => Promise<T>,
  options: Pick<StoreOptions, "ifMissing"> = {},
): Promise<T> {
  return useAndClose(openServer, work, options);
}

/** At the first signal what was opened is closed: otherwise a PostgreSQL that this command has started would keep running. */
async function useAndClose<R extends { close(): Promise<void> }, T>(
  open: (options: StoreOptions) => Promise<R>,
  work: (opened: R, config: Config) => Promise<T>,
  { ifMissing = "refuse", handlesSignals = false }: WithStoreOptions,
): Promise<T> {
  const config = readConfig();
  const logger = createLogger("warn", process.stderr);
  const opening = open({ config, logger, mode: "attach-or-start", ifMissing, report: note });
  let isStopping = false;
  const stop = (signal: NodeJS.Signals) => {
    const exit = () => process.exit(128 + constants.signals[signal]);
    if (isStopping) exit();
    isStopping = true;
    void opening.then((opened) => opened.close()).then(exit, exit);
  };
  const signals = handlesSignals ? [] : (["SIGINT", "SIGTERM"] as const);
  for (const signal of signals) process.on(signal, stop);
  try {
    const opened = await opening;
    try {
      return await work(opened, config);
    } finally {
      if (!isStopping) await opened.close();
    }
  } finally {
    // The process ends once the database is closed; whatever failed because of that is not reported.
    if (isStopping) await new Promise(() => {});
    for (const signal of signals) process.off(signal, stop);
  }
}
