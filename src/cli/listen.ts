import { spawn } from "node:child_process";
import { Command } from "commander";
import { environmentForChildren } from "../config/index.ts";
import { createForward, type Forward, parseTarget } from "../listen/forward.ts";
import { type Listened, type ListenReport, listen } from "../listen/listener.ts";
import { createScreen, describe } from "../listen/screen.ts";
import { parseSince } from "../listen/since.ts";
import { type ListenState, openListenState } from "../listen/state.ts";
import { note, print } from "./output.ts";
import { keyOption, openRemote, type Remote, type RemoteOptions, urlOption } from "./remote.ts";

interface ListenCommandOptions extends RemoteOptions {
  forwardTo?: string;
  events?: string[];
  since?: string;
  fromNow?: true;
  printSecret?: true;
  json?: true;
}

export function listenCommand(): Command {
  return new Command("listen")
    .description(
      "Receive every event on this machine, and forward it to a local receiver, signed like a real delivery.",
    )
    .option("--forward-to <target>", "port or URL of the receiver, e.g. 3000 or http://localhost:3000/hook")
    .option("--events <list>", "event names or groups such as message.*, comma separated", (text) => text.split(","))
    .option("--since <span>", "begin with past events: 10m, 2h, 1d or a time")
    .option("--from-now", "begin now instead of where the last run ended")
    .option("--print-secret", "print the signing secret and end")
    .option("--json", "print one JSON object per line")
    .addOption(urlOption())
    .addOption(keyOption())
    .argument("[receiver...]", "a command that starts your receiver, after --; it gets WEBHOOK_SECRET")
    .addHelpText("after", "\nExample:\n  parley listen --forward-to 9000 -- node examples/receiver.mjs")
    .action(run);
}

async function run(receiver: string[], options: ListenCommandOptions): Promise<void> {
  const target = options.forwardTo === undefined ? null : parseTarget(options.forwardTo);
  const since = options.since === undefined ? null : parseSince(options.since);
  const remote = await openRemote(options);
  const state = openListenState({ ...remote, target: target ?? "" });
  if (options.printSecret) return print(state.secret);
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const report = options.json ? jsonReport(remote, target) : process.stdin.isTTY ? null : plainReport(remote, target);
  if (!options.json) introduce(state, target, receiver.length > 0);
  const child = receiver.length > 0 ? startReceiver(receiver, state.secret, stop) : null;
  try {
    if (report) await follow({ remote, state, target, since, options, stop, report });
    else await followOnTerminal({ remote, state, target, since, options, stop });
  } catch (error) {
    const sentence = `${remote.url}: ${(error as Error).message}`;
    if (options.json) printLine({ type: "error", message: sentence });
    throw new Error(sentence, { cause: error });
  } finally {
    child?.kill();
  }
}

interface Session {
  remote: Remote;
  state: ListenState;
  target: string | null;
  since: Date | null;
  options: ListenCommandOptions;
  stop: AbortController;
}

function follow(session: Session & { report: ListenReport; forward?: Forward | null }): Promise<void> {
  const { remote, state, since, options, stop, report } = session;
  return listen({
    parley: remote.parley,
    state,
    forward: session.forward ?? forwardOf(session, (reason) => note(waiting(session.target, reason))),
    types: options.events ?? [],
    since,
    fromNow: options.fromNow ?? false,
    signal: stop.signal,
    report,
  });
}

function forwardOf({ target, state, stop }: Session, say: (reason: string) => void): Forward | null {
  if (target === null) return null;
  let last = "";
  const onUnreachable = (reason: string): void => {
    if (reason !== last) say(reason);
    last = reason;
  };
  const forward = createForward({ url: target, secret: state.secret, signal: stop.signal, onUnreachable });
  return async (event) => {
    const outcome = await forward(event);
    last = "";
    return outcome;
  };
}

const waiting = (target: string | null, reason: string): string =>
  `  ${target} cannot be reached (${reason}); waiting for it, nothing is lost`;

async function followOnTerminal(session: Session): Promise<void> {
  const { stop } = session;
  const say = { note: (_text: string): void => {} };
  const forward = forwardOf(session, (reason) => say.note(waiting(session.target, reason)));
  const again = async ({ event, body }: Listened): Promise<void> => {
    if (!forward) return screen.note("  nothing to forward to: start with --forward-to");
    const forwarded = await forward({ id: event.id, body });
    screen.note(`${describe({ at: new Date(), event, body, forwarded })}  (again)`);
  };
  const screen = createScreen({
    write: (text) => process.stdout.write(text),
    again: (listened) => void again(listened).catch(() => {}),
    quit: () => stop.abort(),
  });
  say.note = screen.note;
  process.stdin
    .setRawMode(true)
    .setEncoding("utf8")
    .on("data", (key) => screen.key(String(key)))
    .resume();
  try {
    await follow({ ...session, forward, report: screen });
  } finally {
    process.stdin.setRawMode(false).pause();
    process.stdout.write("\n");
  }
}

function introduce(state: ListenState, target: string | null, isStarted: boolean): void {
  if (target === null) {
    note("Events are shown, not forwarded; --forward-to sends them to your receiver.");
  } else if (state.isNew && !isStarted) {
    note("Events are signed with this secret. It stays the same; `parley listen --print-secret` prints it again:");
    print(state.secret);
  }
}

function plainReport({ url }: Remote, target: string | null): ListenReport {
  return {
    ready: () => note(`Ready: events of ${url}${target === null ? "" : ` go to ${target}`}`),
    event: (listened) => print(describe(listened)),
    reconnecting: (reason, attempt) => note(`Connection lost, reconnecting (${attempt}): ${reason}`),
  };
}

function jsonReport({ url }: Remote, target: string | null): ListenReport {
  return {
    ready: () => printLine({ type: "ready", url, forward_to: target }),
    event: ({ at, event, forwarded }) =>
      printLine({ type: "event", at: at.toISOString(), id: event.id, event_type: event.type, ...forwarded, event }),
    reconnecting: (reason, attempt) => printLine({ type: "reconnecting", attempt, reason }),
  };
}

const printLine = (value: object): void => print(JSON.stringify(value));

/** The receiver runs as long as we listen; when it ends, so do we. */
function startReceiver([command = "", ...args]: string[], secret: string, stop: AbortController) {
  const child = spawn(command, args, {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...environmentForChildren(), WEBHOOK_SECRET: secret },
  });
  child.once("error", (error) => {
    note(`The receiver could not be started: ${error.message}`);
    process.exitCode = 1;
    stop.abort();
  });
  child.once("exit", (code) => {
    if (stop.signal.aborted) return;
    note(`The receiver ended (${code}).`);
    process.exitCode = code || 1;
    stop.abort();
  });
  return child;
}
