import type { Config } from "../config/index.ts";
import { createClosers } from "../core/closers.ts";
import { checkConnections } from "../email/check/check.ts";
import type { Store } from "../store.ts";
import { createDnsRecords } from "../url-guard/index.ts";
import { mailAccounts } from "./mail-parts.ts";
import { openConnections } from "./network.ts";

/** What the check of a mailbox connects with: the same parts as reading and sending, with connections of their own. */
export function createMailCheck(config: Config, store: Store) {
  const { db, secretBox } = store;
  const closers = createClosers();
  const connections = openConnections(config, closers, { userAgent: "Parley-Mail/1", graceMs: 1_000 });
  const options = {
    db,
    secretBox,
    connect: { db, secretBox, ...connections },
    accounts: mailAccounts(config, store, connections),
    dns: createDnsRecords({ servers: config.PARLEY_DNS_SERVERS }),
    receives: config.PARLEY_SMTP_PORT !== null || config.PARLEY_LMTP_PORT !== null,
    ownHost: config.PARLEY_PUBLIC_URL === null ? config.HOST : new URL(config.PARLEY_PUBLIC_URL).hostname,
  };
  return {
    check: (workspaceId: number, mailbox: Parameters<typeof checkConnections>[2]) =>
      checkConnections(options, workspaceId, mailbox),
    close: closers.close,
  };
}
