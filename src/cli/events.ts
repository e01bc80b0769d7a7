import type { Event } from "@parley/client";
import { Command } from "commander";
import { describe, notConnected } from "../listen/screen.ts";
import { parseSince } from "../listen/since.ts";
import { exitWhenReaderEnds, note, noteServer, print, printJson } from "./output.ts";
import { connect, openRemote, type RemoteOptions, remoteCommand } from "./remote.ts";
import { parseLimit } from "./webhooks.ts";

interface TailOptions extends RemoteOptions {
  events?: string;
  since?: string;
  json?: true;
  follow: boolean;
}

interface ListOptions extends Omit<TailOptions, "follow"> {
  limit: number;
}

const LIMIT_DEFAULT = 25;

export function eventsCommand(): Command {
  return new Command("events")
    .description("Read events.")
    .addCommand(listCommand())
    .addCommand(tailCommand())
    .addCommand(getCommand());
}

function tailCommand(): Command {
  return remoteCommand("tail")
    .description("Print events as they happen.")
    .option("--events <list>", "event names or groups such as message.*, comma separated")
    .option("--since <span>", "begin with past events: 10m, 2h, 1d or a time")
    .option("--no-follow", "print the past events of --since and end")
    .option("--json", "print one event per line, as JSON")
    .action(tail);
}

function listCommand(): Command {
  return remoteCommand("list")
    .description("Print the newest events, newest first, and end.")
    .option("--events <list>", "event names or groups such as message.*, comma separated")
    .option("--since <span>", "not older than this: 10m, 2h, 1d or a time")
    .option("--limit <number>", "events at most", parseLimit, LIMIT_DEFAULT)
    .option("--json", "print one event per line, as JSON")
    .action(async ({ events, since, limit, json, ...options }: ListOptions) => {
      const query = {
        order: "desc" as const,
        ...(events ? { type: events } : {}),
        ...(since === undefined ? {} : { created_after: parseSince(since).toISOString() }),
      };
      const parley = await connect(options);
      for (const event of await parley.events.list(query).take(limit)) print(lineOf(event, json));
    });
}

const lineOf = (event: Event, json?: true, body = JSON.stringify(event)): string =>
  json ? body : describe({ at: new Date(event.timestamp), event, body, forwarded: null });

async function tail(options: TailOptions): Promise<void> {
  const since = options.since === undefined ? null : parseSince(options.since);
  if (!options.follow && !since) throw new Error("--no-follow prints past events: say with --since which ones.");
  const { parley, url } = await openRemote(options);
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const show = (event: Event, body?: string): void => print(lineOf(event, options.json, body));
  const types = options.events?.split(",") ?? [];
  let after: string | null = null;
  if (since) {
    const query = { created_after: since.toISOString(), ...(options.events ? { type: options.events } : {}) };
    for (let page = await parley.events.list(query); ; ) {
      for (const event of page.data) show(event);
      after = page.nextCursor;
      const next = await page.next();
      if (!next) break;
      page = next;
    }
  }
  if (!options.follow) return noteServer(url);
  exitWhenReaderEnds();
  let wasReady = false;
  const stream = parley.events.stream({
    after,
    types,
    signal: stop.signal,
    onOpen: () => {
      wasReady = true;
      note(`Ready: events of ${url}`);
    },
    onReconnect: ({ error, attempt }) => note(`${notConnected(wasReady)} (${attempt}): ${error.message}`),
  });
  for await (const { event, body } of stream) show(event, body);
}

function getCommand(): Command {
  return remoteCommand("get")
    .description("Print one event, with its deliveries.")
    .argument("<event>", "id of the event, such as evt_01980a4e7b107d05a3c74e1f2b6a9d80")
    .action(async (event: string, options: RemoteOptions) => {
      const parley = await connect(options);
      printJson(await parley.events.get(event));
    });
}
