import { join } from "node:path";
import { writePrivateFile } from "../host/paths.ts";
import type { Layout } from "../layout/layout.ts";
import { ADMIN_ROLE, APPLICATION_ROLE } from "./settings.ts";

const MAP = "parley";

/**
 * Peer authentication: the kernel reports which account connects, and only root and the server's own account
 * may use our two roles. No password exists that could leak. Written at every start, because the account may change.
 * Returns the settings that name the files.
 */
export function writeAuthentication({ cluster, account }: Layout): Record<string, string> {
  const roles = [APPLICATION_ROLE, ADMIN_ROLE];
  const hba = roles.map((role) => `local all ${role} peer map=${MAP}`);
  const ident = roles.flatMap((role) => ["root", quote(account.name)].map((user) => `${MAP} ${user} ${role}`));
  const files = { hba_file: join(cluster, "parley_hba.conf"), ident_file: join(cluster, "parley_ident.conf") };
  writePrivateFile(files.hba_file, `${hba.join("\n")}\n`, account);
  writePrivateFile(files.ident_file, `${ident.join("\n")}\n`, account);
  return files;
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
