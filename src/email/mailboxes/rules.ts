import { createPrivateKey } from "node:crypto";
import { type FieldErrors, problems } from "../../core/errors.ts";
import { type Queryable, sql } from "../../db/database.ts";
import type { MailboxRecord } from "../../resources/mailbox.ts";
import type { AccountInput } from "./accounts.ts";
import { type MailboxInput, nextMailbox, type StoredMailbox } from "./next.ts";

/** What a mailbox may use, as the operator has set it. */
export interface MailboxRules {
  /** In lower case. */
  domains: readonly string[];
  ports: readonly { from: number; to: number }[];
  /** What is wrong with a host that a user chose; null: nothing. */
  checkHost: (host: string, workspaceId: number) => Promise<string | null>;
  checkUrl: (url: string, workspaceId: number) => Promise<{ ok: true } | { ok: false; message: string }>;
}

const PORTS = [24, 25, 110, 143, 465, 587, 993, 2525];
const ADDRESS = /^[^\s@<>(),;:"\\[\]]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)*$/i;
const RSA_BITS_MIN = 1024;
const IMAP_ONLY = ["host", "port", "security", "user", "password", "oauth", "folder", "since", "after_import"] as const;

const findWorkspaces = sql(
  "mailbox_workspaces",
  `select count(*) as workspaces
   from (
     select mailbox.workspace_id
     from mailboxes mailbox
     join workspaces workspace on workspace.id = mailbox.workspace_id
     where not workspace.is_demo
     union
     select id
     from workspaces
     where id = $1
       and not is_demo
     limit 2) counted`,
);

interface Subject {
  workspaceId: number;
  /** Null: it is being created. */
  stored: StoredMailbox | null;
}

/** What is wrong with the settings that follow from a body. Fields that the schema refused are not in it. */
export async function mailboxProblems(
  db: Queryable,
  rules: MailboxRules,
  { workspaceId, stored }: Subject,
  body: MailboxInput,
): Promise<FieldErrors> {
  const next = nextMailbox(body, stored);
  const { address, inbound, outbound } = next.shown;
  const needsDomain = inbound?.type === "smtp" && address !== "" && !rules.domains.includes(domainOf(address));
  const sharedServer =
    outbound === null && address !== "" && (body.outbound !== undefined || body.address !== undefined || !stored)
      ? (await isDemo(db, workspaceId)) || (await mayUseSharedServer(db, rules.domains, { workspaceId, address }))
      : true;
  return problems({
    address: body.address !== undefined && !ADDRESS.test(body.address) ? ["address must be an e-mail address."] : [],
    inbound: [
      ...next.problems.inbound,
      ...onlyForImap(body.inbound),
      ...(needsDomain ? ["inbound of type smtp needs an address in one of the domains of PARLEY_MAIL_DOMAINS."] : []),
      ...(body.inbound?.type === "imap" ? await serverProblems(rules, workspaceId, ["inbound", body.inbound]) : []),
    ],
    outbound: [
      ...next.problems.outbound,
      ...(body.outbound ? await serverProblems(rules, workspaceId, ["outbound", body.outbound]) : []),
      ...(sharedServer ? [] : [NOT_SHARED]),
    ],
    dkim: [...next.problems.dkim, ...keyProblems(body.dkim?.private_key)],
    own_lists: (body.own_lists ?? []).some((list) => /[<>\s]/.test(list))
      ? ["own_lists must be List-Ids without < and >."]
      : [],
  });
}

const NOT_SHARED =
  "outbound must name a mail server: the one of the installation sends only for the domains of PARLEY_MAIL_DOMAINS.";

// Its mailboxes need no server.
const findDemo = sql("mailbox_of_demo", "select from workspaces where id = $1 and is_demo");

const isDemo = async (db: Queryable, workspaceId: number): Promise<boolean> =>
  (await db.query(findDemo, [workspaceId])).length > 0;

/**
 * Whether an address may send through the operator's mail server: its domain is the operator's, or there is nobody else in
 * whose name it could send.
 */
export async function mayUseSharedServer(
  db: Queryable,
  domains: readonly string[],
  { workspaceId, address }: { workspaceId: number; address: string },
): Promise<boolean> {
  if (domains.length > 0) return domains.includes(domainOf(address));
  const [row] = await db.query<{ workspaces: number }>(findWorkspaces, [workspaceId]);
  return (row?.workspaces ?? 0) <= 1;
}

export const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1).toLowerCase();

function onlyForImap(inbound: MailboxInput["inbound"]): string[] {
  if (!inbound || inbound.type === "imap") return [];
  return IMAP_ONLY.filter((name) => inbound[name] !== undefined).map(
    (name) => `inbound.${name} is only for type imap.`,
  );
}

async function serverProblems(
  { ports, checkHost, checkUrl }: MailboxRules,
  workspaceId: number,
  [part, { host, port, oauth }]: [string, AccountInput],
): Promise<string[]> {
  const found: string[] = [];
  const hostProblem = host === undefined ? null : await checkHost(host, workspaceId);
  if (hostProblem !== null) found.push(`${part}.host ${hostProblem}`);
  if (port !== undefined && !isAllowedPort(ports, port))
    found.push(`${part}.port must be one of ${PORTS.join(", ")}, or one of PARLEY_MAIL_PORTS.`);
  const url = oauth && (await checkUrl(oauth.token_url, workspaceId));
  if (url && !url.ok) found.push(`${part}.oauth.token_url: ${url.message}`);
  return found;
}

export const isAllowedPort = (ports: MailboxRules["ports"], port: number): boolean =>
  PORTS.includes(port) || ports.some(({ from, to }) => port >= from && port <= to);

function keyProblems(privateKey: string | undefined): string[] {
  if (privateKey === undefined) return [];
  const wrong = ["dkim.private_key must be a private key in PEM form: RSA with 1,024 bits or more, or Ed25519."];
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(privateKey);
    if (asymmetricKeyType === "ed25519") return [];
    return asymmetricKeyType === "rsa" && (asymmetricKeyDetails?.modulusLength ?? 0) >= RSA_BITS_MIN ? [] : wrong;
  } catch {
    return wrong;
  }
}

/** Whether mail is to be read from another source than before, so that the cursor means nothing there. */
export const readsElsewhere = (before: MailboxRecord["inbound"], after: MailboxRecord["inbound"]): boolean =>
  (["type", "host", "user", "folder", "since"] as const).some((name) => before?.[name] !== after?.[name]);
