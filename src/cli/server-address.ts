import { join } from "node:path";
import { type Config, isGiven } from "../config/index.ts";
import { writeDurable } from "../core/durable-file.ts";
import { readIfPresent } from "../core/read-if-present.ts";

const fileOf = ({ PARLEY_DATA_DIR }: Config): string => join(PARLEY_DATA_DIR, "server-address");

/** For the commands that are run in the same directory: they need not be given the PORT of the server. */
export function writeServerAddress(config: Config, port: number): void {
  try {
    writeDurable(fileOf(config), `${urlOf(config.HOST, port)}\n`, { mode: 0o644 });
  } catch {
    // With DATABASE_URL there may be no such directory, or one that is not writable: the commands then use HOST and PORT.
  }
}

/**
 * The server of PORT, where that is given; else the one that was started last in this directory. With PORT 0 a server takes
 * any free port, which only its address says.
 */
export function localUrl(config: Config): string {
  const found = isGiven("PORT") && config.PORT !== 0 ? null : readServerAddress(config);
  return found ?? urlOf(config.HOST, config.PORT);
}

/** Null: there is none, or this user may not read it. */
function readServerAddress(config: Config): string | null {
  try {
    return readIfPresent(fileOf(config));
  } catch {
    return null;
  }
}

function urlOf(host: string, port: number): string {
  const name = /^(0\.0\.0\.0|::)$/.test(host) ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
