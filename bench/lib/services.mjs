// The servers that the peers need, started for one run and stopped after it.
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { delimiter, join } from "node:path";
import { createLogger } from "../../dist/core/logger.js";
import { startEmbedded } from "../../dist/db/embedded/index.js";
import { unpackDebianPackage } from "../../test/support/debian-packages.mjs";
import { freePort, postmasterPid, scratchDirectory, startProgram, stop } from "./processes.mjs";

/** PostgreSQL from the same programs and with the same settings as Parley's own: durable, synchronous_commit on. */
export async function startPostgres() {
  const dataDir = scratchDirectory();
  const server = await startEmbedded({ dataDir, mode: "own", logger: createLogger("silent") });
  return { connection: server.connection, pid: postmasterPid(dataDir), stop: () => server.close() };
}

/** Redis as BullMQ's guide for production wants it: an append-only file, synced every second; nothing is evicted. */
export async function startRedis() {
  const port = await freePort();
  const { program, env } = await findRedis();
  const settings = {
    bind: "127.0.0.1",
    port: String(port),
    dir: scratchDirectory(),
    save: "",
    appendonly: "yes",
    appendfsync: "everysec",
    "maxmemory-policy": "noeviction",
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const child = startProgram(program, args, env);
  await listening(port);
  return { port, pid: child.pid, stop: () => stop(child) };
}

async function findRedis() {
  const installed = (process.env.PATH ?? "")
    .split(delimiter)
    .map((directory) => join(directory, "redis-server"))
    .find((file) => existsSync(file));
  if (installed) return { program: installed, env: {} };
  const { home, env } = await unpackDebianPackage("redis-server");
  return { program: join(home, "usr", "bin", "redis-server"), env };
}

async function listening(port) {
  const deadline = performance.now() + 10_000;
  for (;;) {
    const open = await new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true)).once("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
    if (open) return;
    if (performance.now() > deadline) throw new Error(`nothing listens on port ${port} after 10 s`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
