import type { Config } from "../config/index.ts";
import { type Closers, createClosers } from "../core/closers.ts";
import type { Logger } from "../core/logger.ts";
import { startMentionMail } from "../notify/mention-mail.ts";
import { startNotifier } from "../notify/notifier.ts";
import { createPushSender } from "../notify/push.ts";
import { openPushKeys } from "../notify/push-keys.ts";
import type { Store } from "../store.ts";
import { openConnections } from "./network.ts";

const CONNECTIONS = { userAgent: "Parley-Push/1", originsMax: 64, connectionsPerOrigin: 8, graceMs: 5_000 };

/** What sends pushes, with the keys of this installation. */
export async function openPush(config: Config, { db, secretBox }: Store, closers: Closers) {
  const keys = await openPushKeys(db, secretBox, subjectOf(config));
  const { outbound } = openConnections(config, closers, CONNECTIONS);
  // Browsers subscribe with the public key.
  return { publicKey: keys.publicKey, push: createPushSender({ db, secretBox, keys, outbound }) };
}

interface NotifyOptions {
  config: Config;
  logger: Logger;
  store: Store;
  /** There is something to send. */
  onQueued: () => void;
  sendsMail: boolean;
}

/** Looks for whom to notify of what. */
export function startNotifyParts({ config, logger, store, onQueued, sendsMail }: NotifyOptions) {
  const closers = createClosers();
  const { db, secretBox } = store;
  const publicUrl = config.PARLEY_PUBLIC_URL;
  closers.add(startNotifier({ db, secretBox, logger, onQueued }));
  if (sendsMail && publicUrl !== null) closers.add(startMentionMail({ db, secretBox, logger, publicUrl, onQueued }));
  return { close: closers.close };
}

/** Push services want to know whom to ask. Browsers subscribe under https only, or on the machine itself. */
const subjectOf = ({ PARLEY_PUBLIC_URL: url }: Config): string =>
  url?.startsWith("https:") ? new URL(url).origin : "https://localhost";
