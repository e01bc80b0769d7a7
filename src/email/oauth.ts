import type { SecretBox } from "../core/secret-box.ts";
import { type Database, sql } from "../db/database.ts";
import type { Outbound } from "../url-guard/index.ts";
import { openSecret, sealSecret } from "./mailboxes/secrets.ts";

interface OauthOptions {
  db: Database;
  secretBox: SecretBox;
  /** The guarded connector: the address of the provider was chosen by a user. */
  outbound: Outbound;
}

interface Account {
  workspaceId: number;
  mailboxId: number;
  part: "inbound" | "outbound";
}

/** The provider refuses to give an access token, or could not be asked. */
export class OauthFailure extends Error {
  /** Asking again changes nothing: a person has to give a new refresh token. */
  readonly isPermanent: boolean;
  constructor(message: string, { isPermanent }: { isPermanent: boolean }) {
    super(message);
    this.isPermanent = isPermanent;
  }
}

const TOKEN_MS_MAX = 10_000;
const EXPIRES_SECONDS_DEFAULT = 300;

interface Row {
  uuid: string;
  settings: { oauth?: { token_url: string; client_id: string; scope: string | null } } | null;
  sealed: string | null;
}

const statementsOf = (part: Account["part"]) => ({
  // Locked: two processes that use one refresh token at the same time would each get another one, and lose one of them.
  lock: sql(
    `mailbox_oauth_${part}`,
    `select uuid, ${part} as settings, ${part}_sealed as sealed
     from mailboxes
     where workspace_id = $1
       and id = $2
     for update`,
  ),
  // The version stays: readers and senders that use these settings need not begin again.
  store: sql(
    `mailbox_oauth_${part}_store`,
    `update mailboxes set ${part}_sealed = $3 where workspace_id = $1 and id = $2`,
  ),
});
const STATEMENTS = { inbound: statementsOf("inbound"), outbound: statementsOf("outbound") };

interface AccessToken {
  token: string;
  expiresAt: number;
}

/** Exchanges the refresh token. One that the provider replaces is stored in the transaction that used the old one. */
export function requestAccessToken({ db, secretBox, outbound }: OauthOptions, account: Account): Promise<AccessToken> {
  const { workspaceId, mailboxId, part } = account;
  return db.transaction(async (tx) => {
    const [row] = await tx.query<Row>(STATEMENTS[part].lock, [workspaceId, mailboxId]);
    const settings = row?.settings?.oauth;
    const secrets = row && openSecret(secretBox, part, row.uuid, row.sealed);
    if (!settings || !secrets)
      throw new OauthFailure("There is no refresh token for this mailbox.", { isPermanent: true });
    const { client_secret = null, refresh_token = "" } = secrets.oauth ?? {};
    const form = new URLSearchParams({
      grant_type: "refresh_token",
      client_id: settings.client_id,
      refresh_token,
      ...(client_secret === null ? {} : { client_secret }),
      ...(settings.scope === null ? {} : { scope: settings.scope }),
    });
    const response = await outbound.send({
      url: settings.token_url,
      headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
      body: form.toString(),
      timeoutMs: TOKEN_MS_MAX,
      group: String(workspaceId),
    });
    const granted = readResponse(response);
    if (granted.refresh_token !== undefined && granted.refresh_token !== refresh_token) {
      const next = { oauth: { client_secret, refresh_token: granted.refresh_token } };
      const sealed = sealSecret(secretBox, part, row.uuid, next);
      await tx.query(STATEMENTS[part].store, [workspaceId, mailboxId, sealed]);
    }
    return { token: granted.access_token, expiresAt: Date.now() + granted.expires_in * 1_000 };
  });
}

interface Granted {
  access_token: string;
  refresh_token?: string;
  expires_in: number;
}

function readResponse({ statusCode, error, body }: Awaited<ReturnType<Outbound["send"]>>): Granted {
  if (statusCode === 0)
    throw new OauthFailure(`The provider of the sign-in could not be reached: ${error?.message ?? "no response"}.`, {
      isPermanent: false,
    });
  const fields = parse(body.toString("utf8"));
  if (statusCode >= 200 && statusCode < 300 && typeof fields.access_token === "string") {
    const seconds = Number(fields.expires_in);
    return {
      access_token: fields.access_token,
      ...(typeof fields.refresh_token === "string" ? { refresh_token: fields.refresh_token } : {}),
      expires_in: Number.isFinite(seconds) && seconds > 0 ? seconds : EXPIRES_SECONDS_DEFAULT,
    };
  }
  const reason = typeof fields.error === "string" ? fields.error.slice(0, 100) : `HTTP ${statusCode}`;
  const isPermanent = statusCode >= 400 && statusCode < 500 && statusCode !== 408 && statusCode !== 429;
  throw new OauthFailure(
    `The provider refused the refresh token (${reason}).${isPermanent ? " Get a new one and save it here." : ""}`,
    { isPermanent },
  );
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
