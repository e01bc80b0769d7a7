import type { Config } from "../config/index.ts";
import { createClosers } from "../core/closers.ts";
import type { Logger } from "../core/logger.ts";
import type { MailCounts } from "../email/counts.ts";
import { createAccessTokens } from "../email/outbound/access-tokens.ts";
import type { AccountOptions, SharedServer } from "../email/outbound/account.ts";
import { createReplyMailer } from "../email/outbound/compose.ts";
import { type MailSender, startMailSender } from "../email/outbound/sender.ts";
import { startVisitorMail } from "../email/visitors/unseen.ts";
import type { Outbox } from "../events/outbox.ts";
import type { Store } from "../store.ts";
import { createLookup, createSockets } from "../url-guard/index.ts";
import { type Connections, openConnections } from "./network.ts";
import { fileLimitsOf } from "./settings.ts";

interface MailPartsOptions {
  config: Config;
  logger: Logger;
  store: Store;
  outbox: Outbox;
  counts: MailCounts;
  /** False: this process writes mail and leaves sending it to others. */
  deliver: boolean;
}

const CONNECTIONS = { userAgent: "Parley-Mail/1", originsMax: 64, connectionsPerOrigin: 4, graceMs: 5_000 };
/** Servers look at a mail before they accept it; RFC 5321 suggests ten minutes. */
const ACCEPT_FACTOR = 5;

/** Mail that goes out: how replies become mail, and the one that sends it. */
export function startMailParts({ config, logger, store, outbox, counts, deliver }: MailPartsOptions) {
  const closers = createClosers();
  const { db, secretBox } = store;
  let sender: MailSender | null = null;
  const onQueued = () => sender?.wake();
  const compose = { secretBox, fileLimits: fileLimitsOf(config), onQueued };
  if (deliver) {
    const connections = openConnections(config, closers, CONNECTIONS);
    const responseMs = config.PARLEY_MAIL_TIMEOUT_SECONDS * 1_000;
    sender = closers.add(
      startMailSender({
        states: {
          db,
          outbox,
          counts,
          retry: {
            scheduleSeconds: config.PARLEY_MAIL_RETRY_SCHEDULE,
            giveUpHours: config.PARLEY_MAIL_GIVE_UP_HOURS,
          },
        },
        accounts: mailAccounts(config, store, connections),
        logger,
        perHour: config.PARLEY_MAIL_PER_HOUR,
        times: { responseMs, acceptMs: responseMs * ACCEPT_FACTOR },
      }),
    );
    closers.add(startVisitorMail({ db, logger, compose, afterMinutes: config.PARLEY_WIDGET_MAIL_MINUTES }));
  }
  return { compose, replyMailer: createReplyMailer(compose), onQueued, close: closers.close };
}

/** The operator's mail server, as the settings of 0.2 name it. */
function sharedServerOf(config: Config): SharedServer | null {
  const { PARLEY_SMTP_URL: smtpUrl } = config;
  if (smtpUrl === null) return null;
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const begins = protocol === "smtps:";
  const security = begins ? "tls" : config.PARLEY_SMTP_TLS === "required" ? "starttls" : "none";
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (begins ? 465 : 587) : Number(port),
    security,
    login: username === "" ? null : { user: decodeURIComponent(username), password: decodeURIComponent(password) },
  };
}

/** What is needed to sign in at the servers of mailboxes, or at the operator's. */
export const mailAccounts = (config: Config, { db, secretBox }: Store, connections: Connections): AccountOptions => ({
  db,
  secretBox,
  shared: sharedServerOf(config),
  domains: config.PARLEY_MAIL_DOMAINS,
  ports: config.PARLEY_MAIL_PORTS,
  guarded: createSockets(connections),
  operator: createSockets({ policy: null, lookup: createLookup() }),
  tokens: createAccessTokens({ db, secretBox, outbound: connections.outbound }),
});
