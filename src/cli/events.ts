import type { Event } from "@parley/client";
import { Command } from "commander";
import { describe, notConnected } from "../listen/screen.ts";
import { parseSince } from "../listen/since.ts";
import { note, print, printJson } from "./output.ts";
import { keyOption, openRemote, type RemoteOptions, urlOption } from "./remote.ts";

interface TailOptions extends RemoteOptions {
  events?: string;
  since?: string;
  json?: true;
}

export function eventsCommand(): Command {
  return new Command("events").description("Read events.").addCommand(tailCommand()).addCommand(getCommand());
}

function tailCommand(): Command {
  return new Command("tail")
    .description("Print events as they happen.")
    .option("--events <list>", "event names or groups such as message.*, comma separated")
    .option("--since <span>", "begin with past events: 10m, 2h, 1d or a time")
    .option("--json", "print one event per line, as JSON")
    .addOption(urlOption())
    .addOption(keyOption())
    .action(tail);
}

async function tail(options: TailOptions): Promise<void> {
  const since = options.since === undefined ? null : parseSince(options.since);
  const { parley, url } = await openRemote(options);
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const show = (event: Event, body = JSON.stringify(event)): void =>
    print(options.json ? body : describe({ at: new Date(event.timestamp), event, body, forwarded: null }));
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
  return new Command("get")
    .description("Print one event, with its deliveries.")
    .argument("<event>", "id of the event, such as evt_01980a4e7b107d05a3c74e1f2b6a9d80")
    .addOption(urlOption())
    .addOption(keyOption())
    .action(async (event: string, options: RemoteOptions) => {
      const { parley } = await openRemote(options);
      printJson(await parley.events.get(event));
    });
}
