import { randomBytes } from "node:crypto";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Layout } from "../layout/layout.ts";
import { ADMIN_ROLE, APPLICATION_ROLE, type AuthenticationFiles } from "./settings.ts";

const MAP = "parley";

/**
 * Peer authentication: the kernel reports which account connects, and only root and the server's own account
 * may use our two roles. No password exists that could leak. Written at every start, because the account may change.
 */
export async function writeAuthentication({ cluster, account }: Layout): Promise<AuthenticationFiles> {
  const roles = [APPLICATION_ROLE, ADMIN_ROLE];
  const hba = roles.map((role) => `local all ${role} peer map=${MAP}`);
  const ident = roles.flatMap((role) => ["root", quote(account.name)].map((user) => `${MAP} ${user} ${role}`));
  const files = { hba: join(cluster, "parley_hba.conf"), ident: join(cluster, "parley_ident.conf") };
  await write(files.hba, hba);
  await write(files.ident, ident);
  return files;

  async function write(path: string, lines: readonly string[]): Promise<void> {
    // wx and rename: the directory belongs to the server's account; root must not follow a link that was put there.
    const draft = `${path}.${randomBytes(4).toString("hex")}.tmp`;
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(`${lines.join("\n")}\n`);
      if (account.switchTo) await handle.chown(account.uid, account.gid);
    } finally {
      await handle.close();
    }
    await rename(draft, path);
  }
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
