import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Command } from "commander";
import { environmentForChildren } from "../config/index.ts";
import { createForward, type Forward, parseTarget } from "../listen/forward.ts";
import { type Listened, type ListenReport, listen } from "../listen/listener.ts";
import { createScreen, describe, notConnected } from "../listen/screen.ts";
import { parseSince } from "../listen/since.ts";
import { type ListenState, openListenState } from "../listen/state.ts";
import { explain } from "./explain.ts";
import { COMMAND, note, print } from "./output.ts";
import { openRemote, type Remote, type RemoteOptions, remoteCommand } from "./remote.ts";

interface ListenCommandOptions extends RemoteOptions {
  forwardTo?: string;
  events?: string[];
  since?: string;
  fromNow?: true;
  printSecret?: true;
  json?: true;
}

export function listenCommand(): Command {
  return remoteCommand("listen")
    .description(
      "Receive every event on this machine, and forward it to a local receiver, signed like a real delivery.",
    )
    .option("--forward-to <target>", "port or URL of the receiver, e.g. 3000 or http://localhost:3000/hook")
    .option("--events <list>", "event names or groups such as message.*, comma separated", (text) => text.split(","))
    .option("--since <span>", "begin with past events: 10m, 2h, 1d or a time")
    .option("--from-now", "begin now instead of where the last run ended")
    .option("--print-secret", "print the signing secret and end")
    .option("--json", "print one JSON object per line")
    .argument(
      "[receiver...]",
      "a command that starts your receiver, after --; it gets WEBHOOK_SECRET, and the port of --forward-to as PORT and RECEIVER_PORT",
    )
    .addHelpText("after", "\nExample:\n  parley listen --forward-to 9000 -- node examples/receiver.mjs")
    .action(run);
}

/** A script that reads lines of JSON gets the reason as one too, whatever ended the command. */
async function run(receiver: string[], options: ListenCommandOptions): Promise<void> {
  try {
    await start(receiver, options);
  } catch (error) {
    if (!options.json) throw error;
    printLine({ type: "error", message: explain(error) });
    process.exitCode = 1;
  }
}

async function start(receiver: string[], options: ListenCommandOptions): Promise<void> {
  const target = options.forwardTo === undefined ? null : parseTarget(options.forwardTo);
  const since = options.since === undefined ? null : parseSince(options.since);
  const remote = await openRemote(options);
  const state = openListenState({ ...remote, target: target ?? "" });
  if (options.printSecret) return print(state.secret);
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const isTerminal = !options.json && process.stdin.isTTY && process.stdout.isTTY;
  const session: Session = { remote, state, target, since, options, stop, say: note };
  if (!options.json) introduce(session, receiver);
  const output = options.json ? "stderr" : isTerminal ? (line: string) => session.say(line) : "inherit";
  const child =
    receiver.length > 0
      ? startReceiver(receiver, receiverSettings(state.secret, target), {
          stop,
          output,
          say: (line) => session.say(line),
        })
      : null;
  try {
    if (isTerminal) await followOnTerminal(session);
    else await follow(session, { report: options.json ? jsonReport(remote, target) : plainReport(remote, target) });
  } catch (error) {
    throw new Error(`${remote.url}: ${explain(error)}`, { cause: error });
  } finally {
    // Whatever ended the command: the receiver ends because of it, and not the other way round.
    stop.abort();
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
  /** A line for the person: to stderr, or above the last line of the interactive form. */
  say: (line: string) => void;
}

function follow(session: Session, { report, forward }: { report: ListenReport; forward?: Forward | null }) {
  const { remote, state, since, options, stop } = session;
  return listen({
    parley: remote.parley,
    state,
    forward: forward === undefined ? forwardOf(session) : forward,
    types: options.events ?? [],
    since,
    fromNow: options.fromNow ?? false,
    signal: stop.signal,
    report,
  });
}

function forwardOf(session: Session): Forward | null {
  const { target, state, stop } = session;
  if (target === null) return null;
  let last = "";
  let refusals = 0;
  const onUnreachable = (reason: string): void => {
    if (reason !== last) session.say(`  ${target} cannot be reached (${reason}); waiting for it, nothing is lost`);
    last = reason;
    if (reason === "ECONNREFUSED" && ++refusals === REFUSALS_BEFORE_HINT) session.say(`  ${portHint(target)}`);
  };
  const forward = createForward({ url: target, secret: state.secret, signal: stop.signal, onUnreachable });
  return async (event) => {
    const outcome = await forward(event);
    last = "";
    return outcome;
  };
}

/** A receiver that is being started refuses a few times. */
const REFUSALS_BEFORE_HINT = 4;

const portHint = (target: string): string =>
  `Nothing listens on port ${portOf(target)} of this machine. Does your receiver listen on another one? ` +
  "A receiver that `listen` starts gets the port as PORT and RECEIVER_PORT.";

const portOf = (target: string): string => {
  const { port, protocol } = new URL(target);
  return port || (protocol === "https:" ? "443" : "80");
};

/** A receiver that reads its port from the environment listens where the events are sent. */
const receiverSettings = (secret: string, target: string | null): NodeJS.ProcessEnv => ({
  WEBHOOK_SECRET: secret,
  ...(target === null ? {} : { PORT: portOf(target), RECEIVER_PORT: portOf(target) }),
});

async function followOnTerminal(session: Session): Promise<void> {
  const { stop, remote, target } = session;
  const forward = forwardOf(session);
  const again = async ({ event, body }: Listened): Promise<void> => {
    if (!forward) return screen.note("  nothing to forward to: start with --forward-to");
    const forwarded = await forward({ id: event.id, body });
    screen.note(`${describe({ at: new Date(), event, body, forwarded })}  (again)`);
  };
  const screen = createScreen({
    write: (text) => process.stdout.write(text),
    columns: () => process.stdout.columns || 80,
    readyLine: readyLine(remote, target),
    again: (listened) => void again(listened).catch(() => {}),
    quit: () => stop.abort(),
  });
  session.say = screen.note;
  process.stdin
    .setRawMode(true)
    .setEncoding("utf8")
    .on("data", (text) => screen.keys(String(text)))
    .resume();
  try {
    await follow(session, { report: screen, forward });
  } finally {
    process.stdin.setRawMode(false).pause();
    process.stdout.write("\n");
    session.say = note;
  }
}

function introduce({ state, target }: Session, receiver: readonly string[]): void {
  if (target === null) {
    note("Events are shown, not forwarded; --forward-to sends them to your receiver.");
  } else if (state.isNew && receiver.length === 0) {
    note(
      `Events are signed with this secret. It stays the same; \`${COMMAND} listen --print-secret\` prints it again:`,
    );
    print(state.secret);
  }
}

const readyLine = ({ url }: Remote, target: string | null): string =>
  `Ready: events of ${url}${target === null ? "" : ` go to ${target}`}`;

function plainReport(remote: Remote, target: string | null): ListenReport {
  let wasReady = false;
  return {
    ready: () => {
      wasReady = true;
      note(readyLine(remote, target));
    },
    event: (listened) => print(describe(listened), listened.forwarded?.error ? "red" : null),
    reconnecting: (reason, attempt) => note(`${notConnected(wasReady)} (${attempt}): ${reason}`),
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

interface ReceiverOptions {
  stop: AbortController;
  /** Where its output goes: line by line to a function, so that it does not run into the last line of the terminal. */
  output: "inherit" | "stderr" | ((line: string) => void);
  say: (line: string) => void;
}

/** The receiver runs as long as we listen; when it ends, so do we. */
function startReceiver(
  [command = "", ...args]: string[],
  settings: NodeJS.ProcessEnv,
  { stop, output, say }: ReceiverOptions,
) {
  const to = output === "inherit" ? "inherit" : output === "stderr" ? 2 : "pipe";
  const child = spawn(command, args, {
    stdio: ["ignore", to, to],
    env: { ...environmentForChildren(), ...settings },
  });
  for (const stream of [child.stdout, child.stderr])
    if (stream && typeof output === "function") createInterface({ input: stream }).on("line", output);
  child.once("error", (error) => {
    say(`The receiver could not be started: ${error.message}`);
    process.exitCode = 1;
    stop.abort();
  });
  child.once("exit", (code, signal) => {
    if (stop.signal.aborted) return;
    say(`The receiver ended (${code ?? signal}).`);
    process.exitCode = code || 1;
    stop.abort();
  });
  return child;
}
