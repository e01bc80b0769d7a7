import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** What some mail servers do, and Dovecot does not. */
interface Oddities {
  /** Sends the whole mail, whatever part of it was asked for. */
  ignoresParts?: boolean;
  /** Speaks IMAP4rev2 only: a list of numbers is an ESEARCH. */
  isRev2Only?: boolean;
  hasNoUidNext?: boolean;
  /** Closes each connection at its n-th command. */
  commandsMax?: number;
  /** Says BYE when a folder is opened, until `makeRoom`. */
  isFull?: boolean;
  /** Every part of a large mail takes this long, and what is asked for after it waits. */
  partMs?: number;
  /** Every mail takes this long. */
  mailMs?: number;
  /** Sends mails a few bytes at a time, without end. */
  dribbles?: boolean;
}

export interface OddImap {
  port: number;
  deliver(raw: string): void;
  /** Mails that are being sent at this moment. */
  sending(): number;
  /** Parts of large mails that have been sent. */
  parts(): number;
  makeRoom(): void;
  close(): Promise<void>;
}

const DRIBBLE_MS = 200;
/** What is longer is a part of a large mail. */
const PART_BYTES = 100_000;

/** One folder, in which mail is only delivered: the number of a mail is its position. */
export async function startOddImap(oddities: Oddities = {}): Promise<OddImap> {
  const mails: { raw: string; at: Date }[] = [];
  const sockets = new Set<Socket>();
  /** The tags of their IDLE. */
  const idling = new Map<Socket, string>();
  let sending = 0;
  let parts = 0;
  let isFull = oddities.isFull === true;

  const folder = () => [
    `* ${mails.length} EXISTS`,
    "* OK [UIDVALIDITY 7] x",
    ...(oddities.hasNoUidNext ? [] : [`* OK [UIDNEXT ${mails.length + 1}] x`]),
  ];

  const inRange = (range: string): number[] => {
    const end = (text = "*") => (text === "*" ? mails.length : Number(text));
    return range.split(",").flatMap((part) => {
      const [first, last = first] = part.split(":");
      const [low, high] = [Math.min(end(first), end(last)), Math.min(mails.length, Math.max(end(first), end(last)))];
      return Array.from({ length: Math.max(0, high - low + 1) }, (_, index) => low + index);
    });
  };

  function listed(tag: string, text: string): string {
    const numbers = inRange(/UID ([\d:*,]+)/i.exec(text)?.[1] ?? "1:*");
    const among = new Set(inRange(/(?:^| )([\d:*,]+)(?= |$)/.exec(text.replace(/UID [\d:*,]+/i, ""))?.[1] ?? "1:*"));
    const found = numbers.filter((number) => among.has(number));
    if (!oddities.isRev2Only) return `* SEARCH ${found.join(" ")}`;
    return `* ESEARCH (TAG "${tag}") UID${found.length > 0 ? ` ALL ${found[0]}:${found.at(-1)}` : ""}`;
  }

  /** Null: it is sent a little at a time, and has no end. */
  function fetched(socket: Socket, range: string, what: string): string[] | null {
    const lines: string[] = [];
    for (const number of inRange(range)) {
      const { raw, at } = mails[number - 1] as { raw: string; at: Date };
      const items = [`UID ${number}`, `RFC822.SIZE ${raw.length}`, `INTERNALDATE "${dateOf(at)}"`];
      const asked = /BODY(?:\.PEEK)?\[(HEADER)?\](?:<(\d+)\.(\d+)>)?/i.exec(what);
      if (asked) {
        const isPart = asked[2] !== undefined && !oddities.ignoresParts;
        const whole = asked[1] ? raw.slice(0, raw.indexOf("\r\n\r\n") + 4) : raw;
        const sent = isPart ? whole.slice(Number(asked[2]), Number(asked[2]) + Number(asked[3])) : whole;
        const name = `BODY[${asked[1] ?? ""}]${isPart ? `<${asked[2]}>` : ""}`;
        if (oddities.dribbles) {
          socket.write(`* ${number} FETCH (${items.join(" ")} ${name} {${sent.length}}\r\n`);
          dribble(socket, sent);
          return null;
        }
        items.push(`${name} {${sent.length}}\r\n${sent}`);
      }
      lines.push(`* ${number} FETCH (${items.join(" ")})`);
    }
    return lines;
  }

  function dribble(socket: Socket, text: string): void {
    let at = 0;
    sending++;
    const timer = setInterval(() => socket.write(text[at++] ?? "x"), DRIBBLE_MS);
    socket.once("close", () => {
      clearInterval(timer);
      sending--;
    });
  }

  /** What comes before the OK; null: there is none. */
  function responseTo(socket: Socket, [tag, command, ...rest]: string[]): string[] | null {
    switch (command) {
      case "CAPABILITY":
        return [`* CAPABILITY ${oddities.isRev2Only ? "IMAP4rev2" : "IMAP4rev1"} IDLE`];
      case "LIST":
        return ['* LIST () "/" INBOX'];
      case "NAMESPACE":
        return ['* NAMESPACE (("" "/")) NIL NIL'];
      case "SELECT":
      case "EXAMINE":
        if (!isFull) return folder();
        socket.end("* BYE Too many connections\r\n");
        return null;
      case "STATUS":
        return ["* STATUS INBOX (UNSEEN 0 UIDVALIDITY 7)"];
      case "IDLE":
        idling.set(socket, `${tag}`);
        socket.write(`+ idling\r\n* ${mails.length} EXISTS\r\n`);
        return null;
      case "NOOP":
        return [`* ${mails.length} EXISTS`];
      case "SEARCH":
        return [listed(`${tag}`, rest.join(" "))];
      case "FETCH":
        return fetched(socket, rest[0] ?? "", rest.slice(1).join(" "));
      default:
        return [];
    }
  }

  async function respond(socket: Socket, line: string): Promise<void> {
    const [tag = "", ...words] = line.split(" ");
    if (words[0]?.toUpperCase() === "UID") words.shift();
    const [command = "", ...rest] = words;
    const isDone = tag.toUpperCase() === "DONE";
    const lines = isDone ? [] : responseTo(socket, [tag, command.toUpperCase(), ...rest]);
    if (oddities.mailMs && /BODY/i.test(line)) await sleep(oddities.mailMs);
    if (oddities.partMs && lines?.some(({ length }) => length > PART_BYTES)) {
      await sleep(oddities.partMs);
      parts++;
    }
    if (lines) socket.write([...lines, `${isDone ? idling.get(socket) : tag} OK`, ""].join("\r\n"));
    if (isDone) idling.delete(socket);
  }

  const server: Server = createServer((socket) => {
    let text = "";
    let commands = 0;
    let responded = Promise.resolve();
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      idling.delete(socket);
    });
    socket.write("* OK hello\r\n");
    socket.on("data", (bytes) => {
      const lines = (text + bytes).split("\r\n");
      text = lines.pop() as string;
      for (const line of lines) {
        if (++commands >= (oddities.commandsMax ?? Number.POSITIVE_INFINITY)) return void socket.destroy();
        responded = responded.then(() => respond(socket, line));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    deliver(raw) {
      mails.push({ raw, at: new Date() });
      for (const socket of idling.keys()) socket.write(`* ${mails.length} EXISTS\r\n`);
    },
    sending: () => sending,
    parts: () => parts,
    makeRoom() {
      isFull = false;
    },
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

function dateOf(at: Date): string {
  const day = String(at.getUTCDate()).padStart(2, "0");
  return `${day}-${MONTHS[at.getUTCMonth()]}-${at.getUTCFullYear()} ${at.toISOString().slice(11, 19)} +0000`;
}
