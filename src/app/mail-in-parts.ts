import { readFile } from "node:fs/promises";
import { type Config, ConfigError } from "../config/index.ts";
import { createClosers } from "../core/closers.ts";
import type { Logger } from "../core/logger.ts";
import { startLoop } from "../core/loop.ts";
import { startReaders } from "../email/imap/readers.ts";
import type { InboundOptions } from "../email/inbound/ingest.ts";
import { type Receiver, startReceiver } from "../email/receiver/receiver.ts";
import { createFileLinks } from "../files/links.ts";
import { openConnections } from "./network.ts";
import type { AppParts } from "./parts.ts";
import { fileLimitsOf } from "./settings.ts";

export type MailIn = Awaited<ReturnType<typeof startMailIn>>;

/** How often the certificate is read again. */
const CERTIFICATE_MS = 600_000;

/** What storing a mail needs, but for the links, which depend on who will follow them. */
export const inboundOf = (config: Config, parts: AppParts): Omit<InboundOptions, "links"> => ({
  db: parts.store.db,
  outbox: parts.deliveryParts.outbox,
  secretBox: parts.store.secretBox,
  parser: parts.mailParser,
  fileLimits: fileLimitsOf(config),
  counts: parts.mailCounts,
});

/** The ways in that bring mail by themselves. The HTTP server is another one. */
export async function startMailIn(config: Config, logger: Logger, parts: AppParts, publicUrl: string) {
  const closers = createClosers();
  const inbound = { ...inboundOf(config, parts), links: createFileLinks(parts.store.secretBox, () => publicUrl) };
  const mayWrite = () => parts.schema.problem() === null;
  const shared = { inbound, logger, mailBytesMax: config.PARLEY_MAIL_BYTES_MAX, mayWrite };
  type Own = Pick<Parameters<typeof startReceiver>[0], "protocol" | "host" | "tls">;
  async function receive(setting: "PARLEY_SMTP_PORT" | "PARLEY_LMTP_PORT", own: Own): Promise<Receiver | null> {
    const port = config[setting];
    if (port === null) return null;
    return closers.add(await listening(setting, port, () => startReceiver({ ...shared, ...own, port })));
  }
  try {
    const tls = await readCertificate(config);
    const smtpHost = config.PARLEY_SMTP_HOST ?? config.HOST;
    const smtp = await receive("PARLEY_SMTP_PORT", { protocol: "smtp", host: smtpHost, tls });
    if (smtp && tls) closers.add(renewCertificate(config, smtp, logger));
    const lmtp = await receive("PARLEY_LMTP_PORT", { protocol: "lmtp", host: config.HOST, tls: null });
    const connections = openConnections(config, closers, { userAgent: "Parley-Mail/1", graceMs: 1_000 });
    const { db, secretBox } = parts.store;
    closers.add(startReaders({ ...shared, connect: { db, secretBox, ...connections } }));
    // Where it listens; null: it does not.
    return { ports: { smtp: smtp?.port ?? null, lmtp: lmtp?.port ?? null }, close: closers.close };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

/** Says which setting to change where nothing can listen on its port. */
export async function listening<T>(setting: string, port: number, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE")
      throw new ConfigError([`${setting} is ${port}, where another program listens; set it to a free port.`]);
    if (code === "EACCES")
      throw new ConfigError([`${setting} is ${port}, which this account may not open; set it to one above 1023.`]);
    throw error;
  }
}

async function readCertificate(config: Config): Promise<{ cert: string; key: string } | null> {
  const { PARLEY_SMTP_TLS_CERT: certFile, PARLEY_SMTP_TLS_KEY: keyFile } = config;
  if (certFile === null && keyFile === null) return null;
  if (certFile === null || keyFile === null)
    throw new ConfigError(["PARLEY_SMTP_TLS_CERT and PARLEY_SMTP_TLS_KEY are needed together for STARTTLS."]);
  const read = async (setting: string, file: string): Promise<string> => {
    try {
      return await readFile(file, "utf8");
    } catch (error) {
      throw new ConfigError([`${setting} cannot be read: ${(error as Error).message}.`]);
    }
  };
  return {
    cert: await read("PARLEY_SMTP_TLS_CERT", certFile),
    key: await read("PARLEY_SMTP_TLS_KEY", keyFile),
  };
}

/** Certificates are renewed while the server runs. */
function renewCertificate(config: Config, receiver: Receiver, logger: Logger) {
  return startLoop({
    work: async () => {
      const tls = await readCertificate(config);
      if (tls) receiver.setTls(tls);
    },
    pauseMs: CERTIFICATE_MS,
    onError: (error) => logger.warn({ err: error.message }, "reading the certificate failed, keeping the last one"),
  });
}
