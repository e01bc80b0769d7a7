import type { SecretBox } from "../../core/secret-box.ts";
import { type Queryable, sql } from "../../db/database.ts";
import type { Outbound } from "../../resources/mailbox.ts";
import type { Sockets } from "../../url-guard/index.ts";
import { isAllowedPort, mayUseSharedServer } from "../mailboxes/rules.ts";
import { openSecret } from "../mailboxes/secrets.ts";
import type { AccessTokens } from "./access-tokens.ts";
import type { DueMailbox } from "./queue.ts";
import type { SmtpLogin, SmtpServer } from "./smtp.ts";

/** The mail server of the operator. */
export interface SharedServer extends Pick<SmtpServer, "host" | "port" | "security"> {
  login: { user: string; password: string } | null;
}

export interface AccountOptions {
  db: Queryable;
  secretBox: SecretBox;
  /** Null: none is set. */
  shared: SharedServer | null;
  domains: readonly string[];
  ports: readonly { from: number; to: number }[];
  /** For hosts that users chose, and for the operator's own. */
  guarded: Sockets;
  operator: Sockets;
  tokens: AccessTokens;
}

/**
 * How mail of a mailbox goes out. `error`: it cannot, and no later attempt will change that by itself. `isLoopback`: it goes
 * nowhere, since the mailbox is the demo's.
 */
export type Account =
  | { address: string; isLoopback: true }
  | {
      address: string;
      server: SmtpServer;
      login: () => Promise<SmtpLogin | null>;
      /** The server did not take the login: an access token is not used again. */
      refused?: () => void;
    }
  | { error: string };

const findAccount = sql(
  "mail_out_account",
  `select mailbox.uuid, mailbox.address, mailbox.outbound, mailbox.outbound_sealed, mailbox.version, workspace.is_demo
   from mailboxes mailbox
   join workspaces workspace on workspace.id = mailbox.workspace_id
   where mailbox.workspace_id = $1
     and mailbox.id = $2`,
);

interface AccountRow {
  uuid: string;
  address: string;
  outbound: Outbound | null;
  outbound_sealed: string | null;
  version: number;
  is_demo: boolean;
}

const NO_SERVER = "No mail server is set: the mailbox has no outbound, and PARLEY_SMTP_URL is not set.";
const NOT_SHARED = "The address is not in a domain of PARLEY_MAIL_DOMAINS: the mailbox needs an outbound of its own.";

export async function readAccount(options: AccountOptions, mailbox: DueMailbox): Promise<Account> {
  const [row] = await options.db.query<AccountRow>(findAccount, [mailbox.workspaceId, mailbox.mailboxId]);
  if (!row) return { error: "The mailbox was deleted." };
  const { address, outbound } = row;
  const group = String(mailbox.workspaceId);
  if (outbound) {
    if (!isAllowedPort(options.ports, outbound.port))
      return { error: `Port ${outbound.port} is not allowed any more.` };
    const { host, port, security } = outbound;
    const server = { host, port, security, group, sockets: options.guarded };
    return {
      address,
      server,
      login: () => loginOf(options, mailbox, { ...row, outbound }),
      refused: () => options.tokens.forget(mailbox),
    };
  }
  if (row.is_demo) return { address, isLoopback: true };
  const { shared, domains } = options;
  if (shared === null) return { error: NO_SERVER };
  const { workspaceId } = mailbox;
  if (!(await mayUseSharedServer(options.db, domains, { workspaceId, address }))) return { error: NOT_SHARED };
  const { login, ...server } = shared;
  return { address, server: { ...server, group, sockets: options.operator }, login: async () => login };
}

async function loginOf(
  { secretBox, tokens }: AccountOptions,
  mailbox: DueMailbox,
  { uuid, outbound, outbound_sealed, version }: AccountRow & { outbound: Outbound },
): Promise<SmtpLogin | null> {
  const { user } = outbound;
  const secrets = openSecret(secretBox, "outbound", uuid, outbound_sealed);
  if (user === null || !secrets) return null;
  if (secrets.oauth) return { user, accessToken: await tokens.get(mailbox, version) };
  return { user, password: secrets.password ?? "" };
}
