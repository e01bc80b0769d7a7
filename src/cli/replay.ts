import type { Command } from "commander";
import ipaddr from "ipaddr.js";
import { createCandidate } from "../replay/candidate.ts";
import { type Replay, type ReplayedEvent, replay } from "../replay/replay.ts";
import { note, print, printJson, printTable } from "./output.ts";
import { connect, type RemoteOptions, remoteCommand } from "./remote.ts";

interface ReplayCommandOptions extends RemoteOptions {
  webhook: string;
  to: string;
  last: number;
  rate: number;
  json?: true;
}

const LAST_DEFAULT = 100;
const LAST_MAX = 10_000;
const RATE_DEFAULT = 10;
const RATE_MAX = 100;
/** Rows of the table; the JSON has all. */
const SHOWN_MAX = 50;

export function replayCommand(): Command {
  return remoteCommand("replay")
    .description("Send recorded events to another address, and compare its responses with those in the delivery log.")
    .requiredOption("--webhook <id>", "id or uuid of the webhook")
    .requiredOption("--to <url>", "the candidate address; requests to it have the header parley-replay: 1")
    .option(
      "--last <number>",
      `events at most, the newest ones, up to ${LAST_MAX}`,
      wholeNumber("--last", LAST_MAX),
      LAST_DEFAULT,
    )
    .option(
      "--rate <number>",
      `requests per second at most, up to ${RATE_MAX}`,
      wholeNumber("--rate", RATE_MAX),
      RATE_DEFAULT,
    )
    .option("--json", "print the comparison as JSON")
    .action(run);
}

export const wholeNumber =
  (name: string, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < 1 || value > max)
      throw new Error(`${name} must be a whole number from 1 to ${max}.`);
    return value;
  };

async function run({ webhook: id, to, last, rate, json, ...options }: ReplayCommandOptions): Promise<void> {
  const target = URL.canParse(to) ? new URL(to) : null;
  if (!target || !/^https?:$/.test(target.protocol)) throw new Error(`--to takes an http or https URL; not "${to}".`);
  if (target.username || target.password) throw new Error("--to takes a URL without user name and password.");
  const parley = await connect(options);
  const webhook = await parley.webhooks.get(id);
  if (placeOf(new URL(webhook.url)) === placeOf(target))
    throw new Error("--to is the webhook's own address, which has seen these events. Give the address of a candidate.");
  const { secret } = await parley.webhooks.secret(id);
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const send = createCandidate({ url: target.href, secret, signal: stop.signal });
  const result = await replay({ parley, webhook: id, last, perSecond: rate, send, signal: stop.signal });
  if (json) printJson(asJson(result));
  else show(result);
}

/**
 * Without the query, and as a receiver reads it, so that the same one is recognised however it is written: `/%68ook`,
 * `//hook/`, a dot behind the host, another name of this machine.
 */
const placeOf = ({ protocol, hostname, port, pathname }: URL): string =>
  `${protocol}//${hostOf(hostname)}:${port}${decoded(pathname).replace(/\/+/g, "/").replace(/\/$/, "")}`;

const THIS_MACHINE = ["localhost", "0.0.0.0", "::1", "::"];

/** An IPv4 address within an IPv6 one as itself. */
function hostOf(hostname: string): string {
  const name = hostname.replace(/^\[|\]$|\.$/g, "");
  const host = ipaddr.isValid(name) ? ipaddr.process(name).toString() : name;
  return THIS_MACHINE.includes(host) ? "127.0.0.1" : host;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function show(result: Replay): void {
  const { sent, same, skipped, ...summary } = summaryOf(result);
  const different = result.events.filter(({ differs }) => differs.length > 0);
  if (different.length > 0)
    printTable(
      ["EVENT", "TYPE", "STATUS", "MS", "DIFFERS", "ERROR"],
      different
        .slice(0, SHOWN_MAX)
        .map(({ eventId, eventType, recorded, candidate, differs }) => [
          eventId,
          eventType,
          `${recorded.status} → ${candidate.status}`,
          `${recorded.ms} → ${candidate.ms}`,
          differs.join(", "),
          candidate.error,
        ]),
    );
  if (different.length > SHOWN_MAX) note(`… and ${different.length - SHOWN_MAX} more; --json prints all.`);
  print(
    `${sent} sent, ${same} with the same response, ${sent - same} different${skipped ? `, ${skipped} no longer stored` : ""}.`,
  );
  print(`Half took ${summary.recorded_ms} ms as recorded, and ${summary.candidate_ms} ms at the candidate.`);
}

function summaryOf({ events, skipped }: Replay) {
  const differing = (what: ReplayedEvent["differs"][number]) =>
    events.filter(({ differs }) => differs.includes(what)).length;
  return {
    sent: events.length,
    same: events.filter(({ differs }) => differs.length === 0).length,
    different_status: differing("status"),
    different_body: differing("body"),
    skipped,
    recorded_ms: median(events.map(({ recorded }) => recorded.ms)),
    candidate_ms: median(events.map(({ candidate }) => candidate.ms)),
  };
}

const median = (values: number[]): number => values.sort((one, other) => one - other)[values.length >> 1] ?? 0;

const asJson = (result: Replay) => ({
  summary: summaryOf(result),
  events: result.events.map(({ eventId, eventType, recorded, candidate, differs }) => ({
    event_id: eventId,
    event_type: eventType,
    recorded: outcomeJson(recorded),
    candidate: outcomeJson(candidate),
    differs,
  })),
});

const outcomeJson = ({ status, ms, bodyDigest, error }: ReplayedEvent["recorded"]) => ({
  status,
  ms,
  body_digest: bodyDigest,
  error,
});
