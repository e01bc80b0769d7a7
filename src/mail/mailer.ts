import type { Transporter } from "nodemailer";
import { SendFailure } from "../core/send-failure.ts";

export interface MailerOptions {
  smtpUrl: string;
  /** False: mail and the password are sent unencrypted. */
  requireTls: boolean;
  from: { name: string; address: string };
  /** PEM. Replaces the public authorities: for tests. */
  dangerousOnlyCa?: string;
}

interface Mail {
  to: string;
  subject: string;
  text: string;
  /** The same for all attempts, so that a receiver can recognise a repeat. */
  id: string;
}

export interface Mailer {
  /** Resolves once the server has accepted the mail; rejects with a SendFailure. */
  send(mail: Mail): Promise<void>;
  /** Connects, agrees on TLS and signs in, without sending anything; rejects with a SendFailure. */
  verify(): Promise<void>;
  close(): Promise<void>;
}

const CONNECT_MS_MAX = 10_000;
const SILENCE_MS_MAX = 20_000;
/** One mail as a whole: a server that responds slowly, line by line, must not hold a sender. */
const MAIL_MS_MAX = 60_000;
const SUBJECT_CHARS_MAX = 200;
/** The library would repair other forms, and so might send to another address. */
const ONE_ADDRESS = /^[^\s<>@]+@[^\s<>@]+$/;

/** Sends through the mail server of the operator, who chose its address: the policy for webhooks does not apply. */
export function createMailer({ smtpUrl, requireTls, from, dangerousOnlyCa }: MailerOptions): Mailer {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const secure = protocol === "smtps:";
  const secrets = [password, decodeURIComponent(password)].filter((text) => text !== "");
  const connection = {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: requireTls,
    ignoreTLS: !requireTls,
    ...(username === "" ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    ...(dangerousOnlyCa === undefined ? {} : { tls: { ca: dangerousOnlyCa } }),
    connectionTimeout: CONNECT_MS_MAX,
    greetingTimeout: CONNECT_MS_MAX,
    dnsTimeout: CONNECT_MS_MAX,
    socketTimeout: SILENCE_MS_MAX,
    // Texts hold names that others chose: nothing in them may make the library read a file or fetch a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  let transport: Transporter | undefined;
  // Loaded with the first mail: half a megabyte of code that most processes never use.
  const open = async () => {
    const { createTransport } = await import("nodemailer");
    transport ??= createTransport(connection);
    return transport;
  };
  const domain = from.address.slice(from.address.lastIndexOf("@") + 1);

  return {
    send: ({ to, subject, text, id }) =>
      within(secrets, async () => {
        if (!ONE_ADDRESS.test(to)) throw new SendFailure("not an e-mail address", { permanent: true });
        const opened = await open();
        await opened.sendMail({
          from,
          to: { name: "", address: to },
          subject: oneLine(subject).slice(0, SUBJECT_CHARS_MAX),
          text,
          messageId: `<${id}@${domain}>`,
          // Vacation responders and mailing lists leave such mail alone (RFC 3834).
          headers: { "Auto-Submitted": "auto-generated" },
        });
      }),
    verify: () =>
      within(secrets, async () => {
        const opened = await open();
        await opened.verify();
      }),
    async close() {
      transport?.close();
    },
  };
}

/** Subjects contain names that people chose: without line breaks or other control characters they start no header. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();

async function within(secrets: readonly string[], work: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("the mail server took too long")), MAIL_MS_MAX);
  });
  try {
    await Promise.race([work(), late]);
  } catch (error) {
    throw error instanceof SendFailure ? error : failureOf(error as SmtpError, secrets);
  } finally {
    clearTimeout(timer);
  }
}

interface SmtpError extends Error {
  code?: string;
  responseCode?: number;
  /** The SMTP command that was refused; `API`: the library itself refused. */
  command?: string;
}

/** Refusals of the recipient or of the mail itself are final; whatever concerns the connection or the sender may pass. */
function failureOf({ code, responseCode = 0, command, message }: SmtpError, secrets: readonly string[]): SendFailure {
  const aboutThisMail = (code === "EENVELOPE" && command !== "MAIL FROM") || code === "EMESSAGE";
  const permanent = aboutThisMail && (responseCode === 0 || responseCode >= 500);
  const shown = secrets.reduce((text, secret) => text.replaceAll(secret, "[redacted]"), oneLine(message));
  return new SendFailure(shown, { permanent });
}
