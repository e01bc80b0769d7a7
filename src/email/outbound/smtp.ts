import { hostname } from "node:os";
import type { Sockets } from "../../url-guard/index.ts";
import { createWire, SmtpLost, type SmtpReply, type SmtpWire } from "./smtp-wire.ts";

/**
 * SMTP (RFC 5321) step by step. A library sends envelope and bytes in one call; here the state of the mail has to be
 * committed between them, and it matters whether the final dot was sent.
 */
export interface SmtpServer {
  host: string;
  port: number;
  /** `none`: everything is sent unencrypted. */
  security: "tls" | "starttls" | "none";
  /** Whose connection it is: lookups are bounded per group. */
  group: string;
  sockets: Sockets;
}

export type SmtpLogin = { user: string; password: string } | { user: string; accessToken: string };

export interface SmtpTimes {
  /** How long a server may be silent. */
  responseMs: number;
  /** The same after the final dot, where servers look at the mail first. */
  acceptMs: number;
}

/** The server refused something. `code` 4xx: for now. */
export class SmtpRefusal extends Error {
  readonly code: number;
  constructor({ code, lines }: SmtpReply) {
    super(`${code} ${shown(lines)}`);
    this.code = code;
  }
}

/** What became of the bytes. `interrupted`: the final dot was certainly not sent. `lost`: nobody knows. */
export type Handover =
  | { outcome: "accepted" }
  | { outcome: "refused"; code: number; error: string }
  | { outcome: "interrupted"; error: string }
  | { outcome: "lost"; error: string };

export interface SmtpSession {
  /** Begins a mail. Throws a refusal. */
  mail(from: string, options: { bytes: number; isUtf8: boolean }): Promise<void>;
  /** Null: accepted. */
  recipient(address: string): Promise<SmtpRefusal | null>;
  /** Sends the bytes, whose lines end with CRLF. Never throws. */
  data(bytes: Buffer): Promise<Handover>;
  /** Ends the mail that was begun, so that another one can be. */
  reset(): Promise<void>;
  quit(): Promise<void>;
  destroy(): void;
}

const CONNECT_MS_MAX = 15_000;
const TEXT_CHARS_MAX = 500;

/** Connects and signs in. Throws a refusal, or what went wrong with the connection. */
export async function openSession(server: SmtpServer, login: SmtpLogin | null, times: SmtpTimes): Promise<SmtpSession> {
  const { host, port, group, security, sockets } = server;
  const timeoutMs = Math.min(CONNECT_MS_MAX, times.responseMs);
  let socket = await sockets.open({ host, port, group, timeoutMs });
  if (security === "tls") socket = await sockets.startTls(socket, host, { timeoutMs });
  let wire = createWire(socket);
  try {
    expect(await wire.read(times.responseMs), 220);
    let extensions = await greet(wire, times);
    if (security === "starttls") {
      if (!extensions.has("STARTTLS")) throw new Error("the mail server does not offer STARTTLS");
      expect(await command(wire, "STARTTLS", times), 220);
      wire = createWire(await sockets.startTls(wire.detach(), host, { timeoutMs }));
      extensions = await greet(wire, times);
    }
    if (login) await signIn(wire, login, { extensions, times });
    return createSession(wire, extensions, times);
  } catch (error) {
    wire.destroy();
    throw error;
  }
}

type Extensions = ReadonlyMap<string, string>;

async function greet(wire: SmtpWire, times: SmtpTimes): Promise<Extensions> {
  const name = /^[a-z0-9.-]+$/i.test(hostname()) ? hostname() : "localhost";
  const { code, lines } = await command(wire, `EHLO ${name}`, times);
  if (code !== 250) {
    expect(await command(wire, `HELO ${name}`, times), 250);
    return new Map();
  }
  return new Map(
    lines.slice(1).map((line) => {
      const [keyword = "", ...rest] = line.trim().split(" ");
      return [keyword.toUpperCase(), rest.join(" ").toUpperCase()];
    }),
  );
}

async function signIn(
  wire: SmtpWire,
  login: SmtpLogin,
  { extensions, times }: { extensions: Extensions; times: SmtpTimes },
): Promise<void> {
  const offered = (extensions.get("AUTH") ?? "").split(" ");
  if ("accessToken" in login) {
    const text = `user=${login.user}\u0001auth=Bearer ${login.accessToken}\u0001\u0001`;
    const reply = await command(wire, `AUTH XOAUTH2 ${encoded(text)}`, times);
    // The reason comes as a challenge; an empty response to it ends the attempt.
    return void expect(reply.code === 334 ? await command(wire, "", times) : reply, 235);
  }
  if (offered.includes("LOGIN") && !offered.includes("PLAIN")) {
    expect(await command(wire, "AUTH LOGIN", times), 334);
    expect(await command(wire, encoded(login.user), times), 334);
    return void expect(await command(wire, encoded(login.password), times), 235);
  }
  const text = `\u0000${login.user}\u0000${login.password}`;
  expect(await command(wire, `AUTH PLAIN ${encoded(text)}`, times), 235);
}

function createSession(wire: SmtpWire, extensions: Extensions, times: SmtpTimes): SmtpSession {
  return {
    async mail(from, { bytes, isUtf8 }) {
      if (isUtf8 && !extensions.has("SMTPUTF8"))
        throw new SmtpRefusal({ code: 553, lines: ["the mail server takes only addresses in ASCII"] });
      const size = extensions.has("SIZE") ? ` SIZE=${bytes}` : "";
      const utf8 = isUtf8 ? " SMTPUTF8" : "";
      expect(await command(wire, `MAIL FROM:<${from}>${size}${utf8}`, times), 250);
    },
    async recipient(address) {
      const reply = await command(wire, `RCPT TO:<${address}>`, times);
      return reply.code === 250 || reply.code === 251 ? null : refusalOf(reply);
    },
    data: (bytes) => handOver(wire, bytes, times),
    async reset() {
      expect(await command(wire, "RSET", times), 250);
    },
    async quit() {
      await command(wire, "QUIT", times).catch(() => {});
      wire.destroy();
    },
    destroy: () => wire.destroy(),
  };
}

async function handOver(wire: SmtpWire, bytes: Buffer, times: SmtpTimes): Promise<Handover> {
  let endsSent = false;
  try {
    const ready = await command(wire, "DATA", times);
    if (ready.code !== 354) return refused(ready);
    await wire.write(stuffed(bytes), times.acceptMs);
    // From here on nobody knows what the server does with the mail, unless it responds.
    endsSent = true;
    await wire.write(".\r\n", times.acceptMs);
    const reply = await wire.read(times.acceptMs);
    return reply.code >= 200 && reply.code < 300 ? { outcome: "accepted" } : refused(reply);
  } catch (error) {
    if (error instanceof SmtpRefusal) return { outcome: "refused", code: error.code, error: error.message };
    wire.destroy();
    return { outcome: endsSent ? "lost" : "interrupted", error: (error as Error).message };
  }
}

const refused = (reply: SmtpReply): Handover => {
  const { code, message } = refusalOf(reply);
  return { outcome: "refused", code, error: message };
};

/** Lines that begin with a dot get a second one (RFC 5321, 4.5.2); the last line ends. */
function stuffed(bytes: Buffer): Buffer {
  const text = bytes.toString("latin1").replace(/(^|\n)\./g, "$1..");
  return Buffer.from(text.endsWith("\r\n") ? text : `${text}\r\n`, "latin1");
}

async function command(wire: SmtpWire, line: string, times: SmtpTimes): Promise<SmtpReply> {
  if (/[\r\n\0]/.test(line)) throw new Error("an SMTP command must be one line");
  await wire.write(Buffer.from(`${line}\r\n`), times.responseMs);
  return wire.read(times.responseMs);
}

function expect(reply: SmtpReply, code: number): void {
  if (reply.code !== code) throw refusalOf(reply);
}

/** 421 at any time: the server closes the connection. Other codes below 400 make no sense here. */
const refusalOf = (reply: SmtpReply): SmtpRefusal | never => {
  if (reply.code < 400) throw new SmtpLost(`the mail server responded ${reply.code} ${shown(reply.lines)}`);
  return new SmtpRefusal(reply);
};

const encoded = (text: string): string => Buffer.from(text).toString("base64");

/** For people: one line, without control characters. */
const shown = (lines: readonly string[]): string =>
  Buffer.from(lines.join(" "), "latin1")
    .toString()
    .replace(/[\p{Cc}\p{Cf}]+/gu, " ")
    .trim()
    .slice(0, TEXT_CHARS_MAX);
