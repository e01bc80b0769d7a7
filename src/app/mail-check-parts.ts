import type { Config } from "../config/index.ts";
import { checkConnections } from "../email/check/check.ts";
import type { Store } from "../store.ts";
import { createDnsRecords, createOutbound, queueLookups } from "../url-guard/index.ts";
import { mailAccounts } from "./mail-parts.ts";
import { networkOf } from "./network.ts";

const USER_AGENT = "Parley-Mail/1";
const OUTBOUND_GRACE_MS = 1_000;

/** What the check of a mailbox connects with: the same parts as reading and sending, with connections of their own. */
export function createMailCheck(config: Config, store: Store) {
  const { db, secretBox } = store;
  const { policy, proxy, ...network } = networkOf(config);
  const lookup = queueLookups(network.lookup);
  const outbound = createOutbound({ policy, lookup, proxy, userAgent: USER_AGENT });
  const options = {
    db,
    secretBox,
    connect: { db, secretBox, outbound, policy, lookup },
    accounts: mailAccounts(config, store, { policy, lookup, outbound }),
    dns: createDnsRecords({ servers: config.PARLEY_DNS_SERVERS }),
    receives: config.PARLEY_SMTP_PORT !== null || config.PARLEY_LMTP_PORT !== null,
    ownHost: config.PARLEY_PUBLIC_URL === null ? config.HOST : new URL(config.PARLEY_PUBLIC_URL).hostname,
  };
  return {
    check: (workspaceId: number, mailbox: Parameters<typeof checkConnections>[2]) =>
      checkConnections(options, workspaceId, mailbox),
    close: () => outbound.close({ graceMs: OUTBOUND_GRACE_MS }),
  };
}
