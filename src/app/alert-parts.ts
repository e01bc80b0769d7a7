import { createChatSender } from "../alerts/chat.ts";
import { createNotices, type Notices } from "../alerts/notices.ts";
import { type Sender, startSender } from "../alerts/sender.ts";
import type { Config } from "../config/index.ts";
import { mailConfigOf } from "../config/mail.ts";
import { createClosers } from "../core/closers.ts";
import type { Logger } from "../core/logger.ts";
import { createMailer } from "../mail/mailer.ts";
import type { Store } from "../store.ts";
import { createLookup, createOutbound } from "../url-guard/index.ts";
import { policyOf } from "./delivery-parts.ts";

interface AlertParts {
  /** Null: no mail server is set. */
  notices: Notices | null;
  stats: Sender["stats"];
  close(): Promise<void>;
}

const USER_AGENT = "Parley-Alerts/1";
const OUTBOUND_GRACE_MS = 5_000;

/** What reaches people by e-mail and chat: the queue, and the one who sends it. */
export function startAlertParts(config: Config, logger: Logger, { db, secretBox }: Store): AlertParts {
  const closers = createClosers();
  const settings = mailConfigOf(config);
  const mailer = settings && closers.add(createMailer(settings));
  const outbound = createOutbound({
    policy: policyOf(config),
    lookup: createLookup({ servers: config.PARLEY_DNS_SERVERS }),
    userAgent: USER_AGENT,
    originsMax: 64,
    connectionsPerOrigin: 4,
  });
  closers.add({ close: () => outbound.close({ graceMs: OUTBOUND_GRACE_MS }) });
  const chat = createChatSender(db, secretBox, outbound);
  const mail = mailer && settings && { mailer, publicUrl: settings.publicUrl };
  const sender = closers.add(startSender({ db, secretBox, logger, mail, chat }));
  const notices = settings && createNotices({ secretBox, publicUrl: settings.publicUrl, onQueued: sender.now });
  return { notices, stats: sender.stats, close: closers.close };
}
