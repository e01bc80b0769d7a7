import { statSync } from "node:fs";
import type { Config } from "../config/index.ts";
import { CODE_ROOT } from "../core/package-files.ts";
import { type Account, accountForRoot, isRoot } from "../db/embedded/host/accounts.ts";
import { canReadAndEnter, closedOnTheWay } from "../db/embedded/host/paths.ts";
import { note } from "./output.ts";

/**
 * Root is needed to listen on a low port and to start PostgreSQL as another account, and for nothing after that. Called
 * once the process listens: it continues as the account that runs the embedded database. Pages and modules are still read
 * from the checkout later on, so root is kept, with a note, where that account cannot read it.
 */
export async function dropRoot(config: Config, databaseDir: string | null): Promise<void> {
  if (!isRoot() || config.PARLEY_KEEP_ROOT) return;
  const account = await accountForRoot([databaseDir ?? config.PARLEY_DATA_DIR]);
  const closed = closedOnTheWay(CODE_ROOT, account) ?? (canReadAndEnter(CODE_ROOT, account) ? null : CODE_ROOT);
  if (closed !== null) {
    note(`  Keeps running as root: the account ${account.name} may not enter ${closed}.`);
    return;
  }
  if (databaseDir !== null && statSync(databaseDir).uid !== account.uid) return;
  if (become(account)) note(`  Runs as ${account.name} from here on (root is no longer needed).`);
  else note(`  Keeps running as root: this is a user namespace without the account ${account.name}.`);
}

/** In a user namespace, as a container without root has one, "root" may be the only account there is. */
function become({ uid, gid }: Account): boolean {
  try {
    process.setgroups?.([gid]);
    process.setgid?.(gid);
    process.setuid?.(uid);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EPERM" || code === "EINVAL") return false;
    throw error;
  }
}
