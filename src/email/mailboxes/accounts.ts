import type { Outbound } from "../../resources/mailbox.ts";
import type { AccountSecrets } from "./secrets.ts";

type Security = Outbound["security"];

interface OauthInput {
  token_url: string;
  client_id: string;
  client_secret?: string | null;
  refresh_token?: string;
  scope?: string | null;
}

/** An account on a mail server, as a body names it. */
export interface AccountInput {
  host?: string;
  port?: number;
  security?: Security;
  user?: string | null;
  password?: string;
  oauth?: OauthInput;
}

interface ResolvedAccount {
  shown: Omit<Outbound, "user"> & { user: string | null };
  secrets: AccountSecrets | null;
  problems: string[];
}

interface StoredAccount {
  shown: { host?: string; user?: string | null; oauth?: Outbound["oauth"] } | null;
  secrets: AccountSecrets | null;
}

const PORTS: Record<"inbound" | "outbound", Record<Security, number>> = {
  inbound: { tls: 993, starttls: 143, none: 143 },
  outbound: { tls: 465, starttls: 587, none: 25 },
};

/**
 * The account that follows from a body and from what is stored. A secret that the body leaves out is kept only for the
 * same user of the same host: otherwise a caller could have it sent to a host of their own.
 */
export function resolveAccount(
  part: "inbound" | "outbound",
  given: AccountInput,
  stored: StoredAccount,
): ResolvedAccount {
  const security = given.security ?? "tls";
  const user = given.user ?? null;
  const host = (given.host ?? "").toLowerCase();
  const isSame = stored.secrets && stored.shown?.host === host && (stored.shown.user ?? null) === user;
  const problems: string[] = [];
  if (host === "") problems.push(`${part}.host is required.`);
  if (given.password !== undefined && given.oauth)
    problems.push(`${part} must have either password or oauth, not both.`);
  const { secrets, oauth } = given.oauth
    ? oauthOf(part, given.oauth, { stored: isSame ? stored : null, problems })
    : passwordOf(part, given, { stored: isSame ? stored : null, problems });
  if (user === null && (part === "inbound" || secrets !== null)) problems.push(`${part}.user is required.`);
  const port = given.port ?? PORTS[part][security];
  return { shown: { host, port, security, user, ...(oauth ? { oauth } : {}) }, secrets, problems };
}

interface Keeping {
  stored: StoredAccount | null;
  problems: string[];
}

type Signing = Pick<ResolvedAccount, "secrets"> & { oauth: Outbound["oauth"] | undefined };

function oauthOf(part: string, given: OauthInput, { stored, problems }: Keeping): Signing {
  const { token_url, client_id, scope = null } = given;
  const oauth = { token_url, client_id, scope };
  const known = stored?.shown?.oauth;
  const kept = known?.token_url === token_url && known.client_id === client_id ? stored?.secrets?.oauth : undefined;
  const refreshToken = given.refresh_token ?? kept?.refresh_token;
  if (refreshToken === undefined) {
    problems.push(`${part}.oauth.refresh_token is required.`);
    return { oauth, secrets: null };
  }
  const clientSecret = given.client_secret === undefined ? (kept?.client_secret ?? null) : given.client_secret;
  return { oauth, secrets: { oauth: { client_secret: clientSecret, refresh_token: refreshToken } } };
}

function passwordOf(part: "inbound" | "outbound", given: AccountInput, { stored, problems }: Keeping): Signing {
  if (given.password !== undefined) return { oauth: undefined, secrets: { password: given.password } };
  if (stored) return { oauth: stored.shown?.oauth, secrets: stored.secrets };
  // A relay that asks nobody to sign in.
  if (part === "outbound" && (given.user ?? null) === null) return { oauth: undefined, secrets: null };
  problems.push(`${part} must have a password or oauth; both are asked for again when host or user changes.`);
  return { oauth: undefined, secrets: null };
}
