import { resolve } from "node:path";
import { createChatSender } from "../alerts/chat.ts";
import { type CheckOptions, runChecks } from "../alerts/checks.ts";
import { createNotices } from "../alerts/notices.ts";
import { type PushSender, type Sender, startSender } from "../alerts/sender.ts";
import { createTestMessages } from "../alerts/test-message.ts";
import { newestBackupAt } from "../backup/schedule.ts";
import type { Config } from "../config/index.ts";
import { mailConfigOf } from "../config/mail.ts";
import { findLateConsumers } from "../consumers/late-consumers.ts";
import { createClosers } from "../core/closers.ts";
import type { Logger } from "../core/logger.ts";
import { startLoop } from "../core/loop.ts";
import { FAILED_TOO_LONG, GONE } from "../delivery/pump/disabler.ts";
import { createMailer } from "../mail/mailer.ts";
import type { Store } from "../store.ts";
import { openConnections } from "./network.ts";

export type AlertParts = ReturnType<typeof startAlertParts>;

const CONNECTIONS = { userAgent: "Parley-Alerts/1", originsMax: 64, connectionsPerOrigin: 4, graceMs: 5_000 };
const CHECK_POLL_MS = 10_000;

/** What reaches people by e-mail, chat and push: what is checked, the queue, and the one who sends it. */
export function startAlertParts(config: Config, logger: Logger, store: Store, push: PushSender) {
  const { db, secretBox } = store;
  const closers = createClosers();
  const settings = mailConfigOf(config);
  const mailer = settings && closers.add(createMailer(settings));
  const { outbound } = openConnections(config, closers, CONNECTIONS);
  const chat = createChatSender(db, secretBox, outbound);
  const mail = mailer && settings && { mailer, publicUrl: settings.publicUrl };
  const sender: Sender = closers.add(startSender({ db, secretBox, logger, mail, chat, push }));
  const checks: CheckOptions = {
    ...{ db, secretBox, logger, sendsMail: mailer !== null, publicUrl: config.PARLEY_PUBLIC_URL },
    disabledReasons: [GONE, FAILED_TOO_LONG],
    backlogMinutes: config.PARLEY_ALERT_BACKLOG_MINUTES,
    consumers: { find: (tx) => findLateConsumers(tx, config.PARLEY_ALERT_CONSUMER_MINUTES) },
    backups: backupsOf(config, store),
  };
  closers.add(
    startLoop({
      work: () => runChecks(checks),
      pauseMs: CHECK_POLL_MS,
      onError: (error) => logger.warn({ err: error.message }, "checking for alerts failed, retrying"),
    }),
  );
  return {
    /** Null: no mail server is set. */
    notices: settings && createNotices({ secretBox, publicUrl: settings.publicUrl, onQueued: sender.now }),
    sendTestMessage: createTestMessages(mailer, chat),
    /** Looks for what is wrong now, instead of within a minute. */
    async check() {
      await runChecks(checks, 0);
      sender.now();
    },
    stats: sender.stats,
    /** A message was queued elsewhere. */
    onQueued: sender.now,
    close: closers.close,
  };
}

function backupsOf(config: Config, { embedded }: Store): CheckOptions["backups"] {
  if (!embedded || !config.PARLEY_BACKUP_DIR) return null;
  const directory = resolve(config.PARLEY_BACKUP_DIR);
  return {
    everyHours: config.PARLEY_BACKUP_HOURS,
    newestAt: () => newestBackupAt(directory),
    uptimeMs: () => process.uptime() * 1_000,
  };
}
