import { spawn } from "node:child_process";
import { once } from "node:events";
import { type ConsumerBatch, type EventPattern, NotFoundError, type Parley } from "@parley/client";
import { type Command, Option } from "commander";
import { environmentForChildren } from "../config/index.ts";
import { note } from "./output.ts";
import { connect, type RemoteOptions, remoteCommand } from "./remote.ts";
import { wholeNumber } from "./replay.ts";

interface ConsumeOptions extends RemoteOptions {
  create?: "now" | "beginning";
  events?: string[];
  limit: number;
  once?: true;
}

const LIMIT_MAX = 100;

export function consumeCommand(): Command {
  return remoteCommand("consume")
    .description("Run a command for each batch of a consumer's events, and acknowledge the batch when it exits with 0.")
    .argument("<name>", "name of the consumer")
    .argument("<command...>", "after --; it gets a batch on its standard input, one event per line, as JSON")
    .addOption(new Option("--create <start>", "create the consumer if it does not exist").choices(["now", "beginning"]))
    .option("--events <list>", "with --create: event names or groups, comma separated", (text) => text.split(","))
    .option("--limit <number>", "events per batch, up to 100", wholeNumber("--limit", LIMIT_MAX), LIMIT_MAX)
    .option("--once", "end when no events are left, or when the command fails")
    .addHelpText("after", "\nExample:\n  parley consume billing --create now -- node book.mjs")
    .action(consume);
}

async function consume(name: string, command: string[], options: ConsumeOptions): Promise<void> {
  const parley = await connect(options);
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  if (options.create) await createIfMissing(parley, name, options);
  const batches = parley.consumers.read(name, {
    limit: options.limit,
    untilEmpty: options.once,
    signal: stop.signal,
    onReconnect: ({ error, attempt }) => note(`Not connected, trying again (${attempt}): ${error.message}`),
  });
  for await (const batch of batches) {
    const code = await runFor(command, batch);
    if (code === 0) await batch.ack();
    else if (options.once) {
      process.exitCode = code;
      return note(`The command exited with ${code}; its events were not acknowledged.`);
    } else note(`The command exited with ${code}; it gets the same events again.`);
  }
}

/** An existing consumer keeps what it shows and where it is. */
async function createIfMissing(parley: Parley, name: string, { create, events }: ConsumeOptions): Promise<void> {
  try {
    await parley.consumers.get(name);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    // The server says which of them it does not know.
    const types = events as EventPattern[] | undefined;
    await parley.consumers.put(name, { start: create ?? "now", ...(types ? { types } : {}) });
  }
}

/** Its exit code; one that was ended by a signal has failed, as for a shell. */
async function runFor([command = "", ...args]: string[], { events }: ConsumerBatch): Promise<number> {
  const child = spawn(command, args, { stdio: ["pipe", "inherit", "inherit"], env: environmentForChildren() });
  const ended = once(child, "exit");
  // A command that does not read everything still decides by its exit code.
  child.stdin.on("error", () => {});
  child.stdin.end(events.map((event) => `${JSON.stringify(event)}\n`).join(""));
  const [code] = await ended.catch((error: Error) => {
    throw new Error(`The command could not be started: ${error.message}`);
  });
  return code ?? 1;
}
