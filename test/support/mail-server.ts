import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { until } from "./wait.ts";

/** A message that no node is sending now: the lease of a node is longer than the waits before the first retries. */
export const NOT_LEASED = "next_attempt_at < now() + interval '100 seconds'";
/** Lets what waits for a retry be sent at once. */
export const RETRY_NOW = `update notifications set next_attempt_at = now() where ${NOT_LEASED}`;

export interface ReceivedMail {
  to: string[];
  from: string;
  /** As it came over the wire. */
  raw: string;
  /** Decoded; absent headers are "". */
  header(name: string): string;
  text: string;
  secure: boolean;
  user: string | null;
}

/** A real SMTP server (the npm package smtp-server) that keeps what it accepted. */
export interface MailServer {
  port: number;
  mails: ReceivedMail[];
  /** What arrived for one address. */
  to(address: string): ReceivedMail[];
  waitFor(count: number, address?: string, timeoutMs?: number): Promise<ReceivedMail[]>;
  /** Responses to RCPT TO by address: a status and a text instead of acceptance. */
  refuse: Map<string, { responseCode: number; message: string }>;
  close(): Promise<void>;
}

interface MailServerOptions {
  port?: number;
  tls?: { key: string; cert: string };
  /** `start`: TLS begins with the connection. `offer`: STARTTLS. Absent: none. */
  encryption?: "start" | "offer";
  /** Absent: nobody has to sign in. */
  account?: { user: string; password: string };
  /** How long it takes to accept a message that has arrived. */
  acceptAfterMs?: number;
}

export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const { tls, encryption, account } = options;
  const mails: ReceivedMail[] = [];
  const refuse: MailServer["refuse"] = new Map();
  const settings: SMTPServerOptions = {
    ...(tls ?? {}),
    secure: encryption === "start",
    disabledCommands: [...(encryption === undefined ? ["STARTTLS"] : []), ...(account ? [] : ["AUTH"])],
    authOptional: account === undefined,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth({ username, password }, _session, done) {
      if (username === account?.user && password === account?.password) done(null, { user: username });
      else done(Object.assign(new Error(`Wrong password ${password}`), { responseCode: 535 }));
    },
    onRcptTo({ address }, _session, done) {
      const refusal = refuse.get(address);
      if (refusal) done(Object.assign(new Error(refusal.message), { responseCode: refusal.responseCode }));
      else done();
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          ...parse(Buffer.concat(chunks).toString()),
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          secure: session.secure,
          user: (session.user as string | undefined) ?? null,
        });
        setTimeout(done, options.acceptAfterMs ?? 0);
      });
    },
  };
  const server = new SMTPServer(settings);
  // A client that refuses our certificate is an error here and a result there.
  server.on("error", () => {});
  const port = await new Promise<number>((resolve) => {
    const listener = server.listen(options.port ?? 0, "127.0.0.1", () =>
      resolve((listener.address() as { port: number }).port),
    );
  });
  const to = (address: string) => mails.filter((mail) => mail.to.includes(address));
  return {
    port,
    mails,
    refuse,
    to,
    async waitFor(count, address, timeoutMs = 10_000) {
      const find = () => (address === undefined ? mails : to(address));
      const what = () => `${count} e-mails arrived for ${address ?? "anybody"} (have ${find().length})`;
      await until(what(), () => find().length >= count, { timeoutMs });
      return find();
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function parse(raw: string): Pick<ReceivedMail, "raw" | "header" | "text"> {
  const split = raw.indexOf("\r\n\r\n");
  const head = raw.slice(0, split).replace(/\r\n[ \t]+/g, " ");
  const header = (name: string): string =>
    decodeWords(new RegExp(`^${name}: (.*)$`, "im").exec(head)?.[1]?.replace(/\r$/, "") ?? "");
  const body = raw.slice(split + 4);
  const encoding = header("Content-Transfer-Encoding").toLowerCase();
  const bytes = encoding === "base64" ? Buffer.from(body, "base64") : decodeQuoted(body, encoding);
  return { raw, header, text: bytes.toString().replaceAll("\r\n", "\n") };
}

const decodeQuoted = (text: string, encoding: string): Buffer =>
  encoding === "quoted-printable"
    ? Buffer.from(
        text
          .replace(/=\r\n/g, "")
          .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        "latin1",
      )
    : Buffer.from(text);

/** RFC 2047. */
const decodeWords = (text: string): string =>
  text
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toUpperCase() === "B"
        ? Buffer.from(word, "base64").toString()
        : decodeQuoted(word.replaceAll("_", " "), "quoted-printable").toString(),
    );
