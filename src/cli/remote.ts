import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { Parley, UnauthorizedError } from "@parley/client";
import { Command } from "commander";
import { createKey } from "../auth/keys.ts";
import { readConfig, userStateDirectory } from "../config/index.ts";
import { createStateDirectory } from "../core/create-directory.ts";
import { writeDurable } from "../core/durable-file.ts";
import { readIfPresent } from "../core/read-if-present.ts";
import { changeKeys } from "./keys.ts";
import { COMMAND, exitWhenPipeCloses, noteServer } from "./output.ts";
import { localUrl } from "./server-address.ts";
import { withStore } from "./with-store.ts";

export interface RemoteOptions {
  url?: string;
  key?: string;
}

export interface Remote {
  parley: Parley;
  url: string;
  key: string;
  /** Where commands keep what they must remember; files in it are readable for their owner only. */
  directory: string;
}

/** A command that uses a server. */
export const remoteCommand = (name: string): Command =>
  new Command(name)
    .option("--url <url>", "address of the server (PARLEY_URL; this machine by default)")
    .option("--key <secret>", "an API key (PARLEY_KEY; for the server of this checkout one is created and kept)");

/** The client of `openRemote`, with a note about which server it is. */
export async function connect(options: RemoteOptions): Promise<Parley> {
  const { parley, url } = await openRemote(options);
  noteServer(url);
  return parley;
}

/** A client for the server that the options or the environment name. */
export async function openRemote(options: RemoteOptions): Promise<Remote> {
  exitWhenPipeCloses();
  const config = readConfig();
  const given = options.url ?? config.PARLEY_URL;
  const url = serverUrl(given ?? localUrl(config));
  const key = options.key ?? config.PARLEY_KEY;
  // State about a remote server is kept per user, whatever directory the command is run in.
  if (key) return { parley: new Parley({ url, key }), url, key, directory: userStateDirectory() };
  if (given)
    throw new Error(
      `No API key for ${url}: give --key, or set PARLEY_KEY. (\`${COMMAND} keys create\` creates one there.)`,
    );
  if (!config.DATABASE_URL && !existsSync(config.PARLEY_DATA_DIR))
    throw new Error(
      `No server has run here: there is no ${resolve(config.PARLEY_DATA_DIR)}. Start one with \`npm start\` and run this in the ` +
        "same directory, or give --url and --key (PARLEY_URL and PARLEY_KEY) for a server elsewhere.",
    );
  const directory = join(config.PARLEY_DATA_DIR, "cli");
  const local = await localKey(url, directory);
  return { parley: new Parley({ url, key: local }), url, key: local, directory };
}

function serverUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Error(`"${text}" is not the address of a server; write it like http://127.0.0.1:8080.`);
  return url.href.replace(/\/+$/, "");
}

/**
 * A user who can open the data directory can create keys: for the server of this checkout the commands have one of their own,
 * so that the first event needs no set-up.
 */
async function localKey(url: string, directory: string): Promise<string> {
  const file = join(directory, "key");
  const kept = readIfPresent(file);
  if (kept && (await isAccepted(url, kept))) return kept;
  const input = { name: "Command line", description: "parley listen" };
  const { key } = await withStore((...opened) => changeKeys(opened, {}, (...by) => createKey(...by, input)));
  createStateDirectory(directory);
  writeDurable(file, key);
  return key;
}

async function isAccepted(url: string, key: string): Promise<boolean> {
  try {
    await new Parley({ url, key, maxRetries: 0 }).me();
    return true;
  } catch (error) {
    // While the server is not running, nothing is known about the key.
    return !(error instanceof UnauthorizedError);
  }
}
