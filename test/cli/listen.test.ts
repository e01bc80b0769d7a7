import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Parley } from "@parley/client";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createForward, parseTarget } from "../../src/listen/forward.ts";
import { type Listened, listen } from "../../src/listen/listener.ts";
import { createScreen } from "../../src/listen/screen.ts";
import { parseSince } from "../../src/listen/since.ts";
import { openListenState } from "../../src/listen/state.ts";
import { ensureBuilt, parleyCommand, spawnParley } from "../support/cli.ts";
import { networkProxyTo } from "../support/network-proxy.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { hang, type Receiver, respondWith, startReceiver, verify } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

let server: TestParley;
let receiver: Receiver;
let parley: Parley;
let directory: string;

beforeAll(async () => {
  server = await startParley();
  parley = new Parley({ url: server.url, key: server.key });
});
afterAll(() => server.close());
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "parley-listen-"));
  receiver = await startReceiver();
  return async () => {
    await receiver.close();
    rmSync(directory, { recursive: true, force: true });
  };
});

interface Running {
  secret: string;
  events: Listened[];
  waits: string[];
  stop(): Promise<void>;
}

interface ListenerOptions {
  url?: string;
  since?: Date;
  types?: string[];
  client?: Parley;
  /** Collects why the server could not be reached. */
  reasons?: string[];
}

async function startListener(options: ListenerOptions = {}): Promise<Running> {
  const { url = receiver.url(), since = null, types = ["contact.created"], client = parley, reasons = [] } = options;
  const state = openListenState({ directory, url: server.url, key: server.key, target: url });
  const stop = new AbortController();
  const events: Listened[] = [];
  const waits: string[] = [];
  let isReady = false;
  const done = listen({
    parley: client,
    state,
    types,
    since,
    fromNow: false,
    signal: stop.signal,
    forward: createForward({
      url,
      secret: state.secret,
      signal: stop.signal,
      onUnreachable: (reason) => waits.push(reason),
    }),
    report: {
      ready: () => {
        isReady = true;
      },
      event: (listened) => events.push(listened),
      reconnecting: (reason) => reasons.push(reason),
    },
  });
  await until("the listener is ready", () => isReady);
  const end = async () => {
    stop.abort();
    await done;
  };
  return { secret: state.secret, events, waits, stop: end };
}

const create = (name: string) => parley.contacts.create({ name });
const namesAt = (at: Receiver) => at.arrivals.map(({ event }) => event.data.name);

describe("parley listen", () => {
  it("forwards every event in order, signed so that the public libraries verify it", async () => {
    const listener = await startListener();
    for (const name of ["A", "B", "C"]) await create(name);
    const arrivals = await receiver.waitFor(3);
    for (const arrival of arrivals) verify(arrival, listener.secret);
    expect(namesAt(receiver)).toEqual(["A", "B", "C"]);
    await until("all are reported", () => listener.events.length === 3);
    expect(listener.events[0]).toMatchObject({ forwarded: { status: 200, error: null } });
    await listener.stop();
  });

  it("continues after a restart with what happened meanwhile, and with the same secret", async () => {
    const first = await startListener();
    await create("before");
    await receiver.waitFor(1);
    await until("it is reported", () => first.events.length === 1);
    await first.stop();
    await create("meanwhile");
    const second = await startListener();
    await create("after");
    await receiver.waitFor(3);
    await second.stop();
    expect(namesAt(receiver)).toEqual(["before", "meanwhile", "after"]);
    expect(second.secret).toBe(first.secret);
    const file = statSync(join(directory, "listen"));
    expect(file.mode & 0o077).toBe(0);
  });

  it("waits for a receiver that is not running, and loses nothing", async () => {
    const url = receiver.url();
    await receiver.close();
    const listener = await startListener({ url });
    await create("early");
    await until("the listener waits", () => listener.waits.length > 0);
    expect(listener.waits[0]).toBe("ECONNREFUSED");
    receiver = await startReceiver({ port: Number(new URL(url).port) });
    await receiver.waitFor(1);
    expect(namesAt(receiver)).toEqual(["early"]);
    await listener.stop();
  });

  it("sends the event again whose response it did not get before it was stopped, and no other", async () => {
    const first = await startListener();
    await create("responded to");
    await until("it is reported", () => first.events.length === 1);
    receiver.behave(hang);
    await create("without response");
    await receiver.waitFor(2);
    await first.stop();
    receiver.behave(respondWith(200));
    const second = await startListener();
    await create("next");
    await receiver.waitFor(4);
    await second.stop();
    expect(namesAt(receiver)).toEqual(["responded to", "without response", "without response", "next"]);
  });

  it("reports the status of a receiver that refuses an event, and continues with the next one", async () => {
    receiver.behave(respondWith(500));
    const listener = await startListener();
    await create("refused");
    await create("next");
    await until("both are reported", () => listener.events.length === 2);
    await listener.stop();
    expect(listener.events[0]?.forwarded).toMatchObject({ status: 500, error: "HTTP 500" });
    expect(receiver.arrivals).toHaveLength(2);
  });

  it("begins with past events when it is given a time", async () => {
    await create("past");
    const listener = await startListener({ since: new Date(Date.now() - 60_000) });
    await create("present");
    await until("the last one arrives", () => namesAt(receiver).includes("present"));
    await listener.stop();
    const names = namesAt(receiver);
    expect(names.slice(-2)).toEqual(["past", "present"]);
    expect(new Set(receiver.arrivals.map(({ event }) => event.id)).size).toBe(names.length);
  });

  it("waits for a server that is not running yet when it is to begin with past events", async () => {
    // Names of its own: what other tests created within the last minute is sent, too.
    await create("before the start");
    const proxy = await networkProxyTo(server.url);
    const client = new Parley({ url: proxy.url, key: server.key });
    await proxy.cut();
    const reasons: string[] = [];
    const starting = startListener({ since: new Date(Date.now() - 60_000), client, reasons });
    await until("an attempt has failed", () => reasons.length > 0);
    await proxy.restore();
    const listener = await starting;
    await create("after the start");
    await until("the last one arrives", () => namesAt(receiver).includes("after the start"));
    await listener.stop();
    await proxy.close();
    expect(reasons[0]).toContain(proxy.url);
    expect(namesAt(receiver).slice(-2)).toEqual(["before the start", "after the start"]);
  });

  it("prints ready, then one JSON object per event, and gives the secret to the receiver it starts", async () => {
    await ensureBuilt();
    const program = "process.stdout.write('secret=' + process.env.WEBHOOK_SECRET + '\\n'); setInterval(() => {}, 1000)";
    const child = spawnParley(
      [
        "listen",
        "--json",
        "--forward-to",
        receiver.url(),
        "--events",
        "contact.*",
        "--",
        process.execPath,
        "-e",
        program,
      ],
      { PARLEY_URL: server.url, PARLEY_KEY: server.key, PARLEY_DATA_DIR: directory },
    );
    let output = "";
    let said = "";
    child.stdout?.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr?.on("data", (chunk) => {
      said += chunk;
    });
    await until("it is ready and the receiver runs", () => /"ready"/.test(output) && /secret=whsec_/.test(said), {
      timeoutMs: 30_000,
    });
    await create("through the command");
    const [arrival] = await receiver.waitFor(1);
    verify(arrival as never, /secret=(\S+)/.exec(said)?.[1] ?? "");
    const line = await until("the event is printed", () => output.split("\n").find((text) => text.includes('"event"')));
    expect(JSON.parse(line)).toMatchObject({ type: "event", event_type: "contact.created", status: 200 });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    for (const text of output.trim().split("\n")) expect(() => JSON.parse(text), text).not.toThrow();
  });

  it("names only the revoked key as its end, not the receiver that it ends with itself", async () => {
    await ensureBuilt();
    const key = await server.createKey({ name: "listener" });
    const program = [process.execPath, "-e", "setInterval(() => {}, 1000)"];
    const child = spawnParley(["listen", "--forward-to", receiver.url(), "--", ...program], {
      PARLEY_URL: server.url,
      PARLEY_KEY: key.key,
      PARLEY_DATA_DIR: directory,
    });
    let said = "";
    child.stderr?.on("data", (chunk) => {
      said += chunk;
    });
    const ended = new Promise((resolve) => child.once("close", resolve));
    await until("it is ready", () => said.includes("Ready"), { timeoutMs: 30_000 });
    expect((await server.call("DELETE", `/api-keys/${key.id}`)).status).toBeLessThan(300);
    expect(await ended).toBe(1);
    expect(said).toContain(`parley: ${server.url}: `);
    expect(said).not.toContain("The receiver ended");
  });

  it("ends with an error and a non-zero code when the key is refused or the address is not valid", async () => {
    const settings = { PARLEY_DATA_DIR: directory };
    const [refused, wrong] = await Promise.all([
      parleyCommand(["listen", "--url", server.url, "--key", "wrong"], settings),
      parleyCommand(["listen", "--url", "nonsense", "--key", "k"], settings),
    ]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`parley: ${server.url}: `);
    expect(refused.stderr).not.toContain("Ready");
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain('"nonsense" is not the address of a server');
  });
});

describe("the interactive form of parley listen", () => {
  const listened = (id: string): Listened => ({
    at: new Date(),
    event: { id, type: "contact.created" } as Listened["event"],
    body: JSON.stringify({ id }),
    forwarded: { status: 200, ms: 3, error: null },
  });

  it("forwards the chosen event again with r, shows it with d, chooses with arrows and ends with q", () => {
    const again: string[] = [];
    let text = "";
    let hasQuit = false;
    const screen = createScreen({
      write: (part) => {
        text += part;
      },
      columns: () => 200,
      readyLine: "Ready",
      again: ({ event }) => again.push(event.id),
      quit: () => {
        hasQuit = true;
      },
    });
    screen.keys("r");
    for (const id of ["evt_1", "evt_2", "evt_3"]) screen.event(listened(id));
    screen.keys("r");
    screen.keys("\u001b[Ar");
    screen.event(listened("evt_4"));
    screen.keys("r");
    screen.keys("\u001b[B");
    screen.keys("d");
    screen.keys("q");
    expect(again).toEqual(["evt_3", "evt_2", "evt_2"]);
    expect(text).toContain('"id": "evt_3"');
    expect(text).toContain("› contact.created evt_3");
    expect(hasQuit).toBe(true);
  });
});

describe("the last line of the interactive form of parley listen", () => {
  it.each([200, 100, 80, 40])("fits into %i columns, so that it can be cleared", (columns) => {
    const lines: string[] = [];
    const screen = createScreen({
      write: (part) => lines.push(part.slice(part.lastIndexOf("\n") + 1).replace("\r\u001b[2K", "")),
      columns: () => columns,
      readyLine: "Ready",
      again: () => {},
      quit: () => {},
    });
    screen.ready();
    const event = { id: `evt_${"0".repeat(32)}`, type: "conversation.status_changed" } as Listened["event"];
    screen.event({ at: new Date(), event, body: "{}", forwarded: null });
    expect(lines.length).toBe(3);
    for (const line of lines) expect(line.length).toBeLessThan(columns);
    expect(lines.at(-1)).toContain("conversation.status_changed");
    expect(lines.at(-1)).toMatch(/^ready /);
    screen.reconnecting("it was cut", 3);
    expect(lines.at(-1)).toMatch(/^reconnecting \(3\) /);
  });
});

describe("the options of parley listen", () => {
  it.each([
    ["3000", "http://localhost:3000/"],
    [":3000/hook", "http://localhost:3000/hook"],
    ["localhost:3000/hook", "http://localhost:3000/hook"],
    ["https://example.com/a?b=c", "https://example.com/a?b=c"],
  ])("read %s as the receiver at %s", (text, url) => {
    expect(parseTarget(text)).toBe(url);
  });

  it.each(["ftp://x/", "not a url", ""])("refuse %j as a receiver", (text) => {
    expect(() => parseTarget(text)).toThrow("--forward-to takes");
  });

  it("read spans and times", () => {
    const now = new Date("2026-07-14T10:00:00Z");
    expect(parseSince("10m", now)).toEqual(new Date("2026-07-14T09:50:00Z"));
    expect(parseSince("2026-07-14T08:00:00Z", now)).toEqual(new Date("2026-07-14T08:00:00Z"));
    expect(() => parseSince("soon", now)).toThrow("--since takes");
  });
});
