import { createServer, type Server, type Socket } from "node:net";
import { until } from "./wait.ts";

/**
 * An SMTP server on plain sockets that can fail at every step of the dialogue. It shares no code with the product and keeps
 * a ledger of its own: what it has accepted, and whether it said so.
 */
export interface SmtpReceiver {
  port: number;
  /** Mails whose final dot arrived and that it keeps. `responded`: the client could know. */
  accepted: { id: string; to: string[]; raw: string; responded: boolean }[];
  connections(): number;
  /** How the next dialogues go; by default all is accepted. */
  behave(plan: Plan): void;
  waitFor(count: number, timeoutMs?: number): Promise<SmtpReceiver["accepted"]>;
  /** Keeps every mail whose final dot arrives without a response, until the function is called: then it accepts them. */
  hold(): () => void;
  close(): Promise<void>;
}

type Step = "connect" | "ehlo" | "auth" | "mail" | "rcpt" | "data" | "body" | "dot";
export type Fault = { at: Step; how: "drop" | "hang" | "drop-accepted" | number };

export interface Plan {
  /** Asked at each connection and at each mail. */
  fault?: () => Fault | null;
  /** A code other than 250 for some recipients. */
  rcpt?: (address: string) => number;
  extensions?: string[];
  /** Sees every command. */
  onCommand?: (line: string) => void;
}

export async function startSmtpReceiver({ port = 0 }: { port?: number } = {}): Promise<SmtpReceiver> {
  let plan: Plan = {};
  let count = 0;
  const accepted: SmtpReceiver["accepted"] = [];
  const sockets = new Set<Socket>();
  let held: (() => void)[] | null = null;
  const server: Server = createServer((socket) => {
    count++;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => {});
    serve(socket, { planOf: () => plan, accepted, respond: (work) => (held ? void held.push(work) : work()) });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    port: (server.address() as { port: number }).port,
    accepted,
    connections: () => count,
    behave: (next) => {
      plan = next;
    },
    async waitFor(wanted, timeoutMs = 10_000) {
      await until(`${wanted} mails arrived (have ${accepted.length})`, () => accepted.length >= wanted, { timeoutMs });
      return accepted;
    },
    hold() {
      held = [];
      return () => {
        const waiting = held ?? [];
        held = null;
        for (const work of waiting) work();
      };
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

interface Serving {
  planOf: () => Plan;
  accepted: SmtpReceiver["accepted"];
  /** Now, or later. */
  respond: (work: () => void) => void;
}

function serve(socket: Socket, { planOf, accepted, respond }: Serving): void {
  let buffer = "";
  let inData = false;
  let to: string[] = [];
  let fault = planOf().fault?.() ?? null;
  let hangs = false;
  const say = (text: string) => void socket.write(`${text}\r\n`);

  /** True: the step failed as planned. */
  function fails(step: Step): boolean {
    if (fault?.at !== step) return false;
    if (fault.how === "hang") hangs = true;
    else if (typeof fault.how === "number") say(`${fault.how} planned failure`);
    else socket.destroy();
    return true;
  }

  const begin = () => {
    fault = planOf().fault?.() ?? null;
    to = [];
  };
  if (!fails("connect")) say("220 receiver.example ESMTP");
  socket.on("data", (chunk) => {
    buffer += chunk.toString("latin1");
    while (!hangs && !socket.destroyed) {
      if (inData) {
        if (fault?.at === "body" && buffer.length > 100 && fails("body")) return;
        const end = buffer.startsWith(".\r\n") ? 0 : buffer.indexOf("\r\n.\r\n");
        if (end === -1) return;
        finish(buffer.slice(0, end + 2));
        buffer = buffer.slice(end === 0 ? 3 : end + 5);
        inData = false;
        continue;
      }
      const end = buffer.indexOf("\r\n");
      if (end === -1) return;
      const line = buffer.slice(0, end);
      buffer = buffer.slice(end + 2);
      planOf().onCommand?.(line);
      handle(line);
    }
  });

  function handle(line: string): void {
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === "EHLO") {
      const extensions = planOf().extensions ?? ["SIZE 50000000", "8BITMIME"];
      if (!fails("ehlo"))
        say(
          ["receiver.example", ...extensions]
            .map((text, i, all) => `250${i < all.length - 1 ? "-" : " "}${text}`)
            .join("\r\n"),
        );
    } else if (verb === "AUTH") {
      if (!fails("auth")) say("235 welcome");
    } else if (verb === "MAIL") {
      begin();
      if (!fails("mail")) say("250 ok");
    } else if (verb === "RCPT") {
      const address = /<([^>]*)>/.exec(line)?.[1] ?? "";
      const code = planOf().rcpt?.(address) ?? 250;
      if (fails("rcpt")) return;
      if (code < 400) to.push(address);
      say(`${code} ${code < 400 ? "ok" : `no ${address}`}`);
    } else if (verb === "DATA") {
      if (fails("data")) return;
      inData = true;
      say("354 send the mail");
    } else if (verb === "QUIT") {
      say("221 bye");
      socket.end();
    } else say("250 ok");
  }

  function finish(text: string): void {
    const raw = text.replace(/(^|\r\n)\.\./g, "$1.");
    const id = /^message-id:\s*<([^>]+)>/im.exec(raw)?.[1] ?? "";
    const keep = (responded: boolean) => void accepted.push({ id, to, raw, responded });
    if (fault?.at === "dot" && fault.how === "drop-accepted") {
      keep(false);
      socket.destroy();
      return;
    }
    if (fails("dot")) return;
    const mine = to;
    respond(() => {
      accepted.push({ id, to: mine, raw, responded: true });
      say("250 accepted");
    });
  }
}
