import type { ImapFlow } from "imapflow";
import type { SecretBox } from "../../core/secret-box.ts";
import type { Database } from "../../db/database.ts";
import { type AddressPolicy, approvedAddress, type Lookup, type Outbound } from "../../url-guard/index.ts";
import { openSecret } from "../mailboxes/secrets.ts";
import { requestAccessToken } from "../oauth.ts";
import { SMALL_BYTES_MAX } from "../parse/parser.ts";
import { LINE_BYTES_MAX, paceInput, TEXT_BYTES_MAX } from "./pace.ts";
import { boundRanges } from "./ranges.ts";
import type { ReadMailbox } from "./state.ts";

export interface ConnectOptions {
  db: Database;
  secretBox: SecretBox;
  /** For the tokens of OAuth. */
  outbound: Outbound;
  policy: AddressPolicy;
  lookup: Lookup;
  /** Of one mail, or of a part of it. */
  literalBytesMax?: number;
}

interface ImapAccount extends Pick<ReadMailbox, "uuid" | "inbound" | "inbound_sealed"> {
  workspaceId: number;
  mailboxId: number;
}

const CONNECT_MS_MAX = 20_000;
const SILENCE_MS_MAX = 90_000;

/** Connects to an approved address and signs in. The caller closes it. */
export async function connectImap(
  options: ConnectOptions,
  account: ImapAccount,
  onFound: () => void = () => {},
): Promise<ImapFlow> {
  const { literalBytesMax = SMALL_BYTES_MAX } = options;
  const { host = "", port = 993, security = "tls", user = "" } = account.inbound;
  const group = String(account.workspaceId);
  const address = await approvedAddress(host, { policy: options.policy, lookup: options.lookup, group });
  onFound();
  const auth = await credentialsOf(options, account);
  // With its tables of encodings it takes some megabytes, which a server without mailboxes does not need.
  const { ImapFlow } = await import("imapflow");
  const client = new ImapFlow({
    // By number, so that the name is not looked up a second time; the certificate is verified for the name.
    host: address,
    servername: host,
    port,
    secure: security === "tls",
    doSTARTTLS: security === "starttls" ? true : security === "none" ? false : undefined,
    auth: { user, ...auth },
    // Stated, so that NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment cannot switch verification off.
    tls: { rejectUnauthorized: true },
    logger: false,
    disableAutoIdle: true,
    // Its results are ranges. A server that speaks nothing else sends them anyway: see `boundRanges`.
    disableIMAP4rev2: true,
    connectionTimeout: CONNECT_MS_MAX,
    greetingTimeout: CONNECT_MS_MAX,
    socketTimeout: SILENCE_MS_MAX,
    maxLineLength: LINE_BYTES_MAX,
    maxLiteralSize: literalBytesMax,
    maxResponseSize: literalBytesMax + TEXT_BYTES_MAX,
  });
  paceInput(client, account.workspaceId);
  boundRanges(client);
  // Before connecting: a connection that is lost later would otherwise end the process.
  client.on("error", () => {});
  try {
    await client.connect();
  } catch (error) {
    client.close();
    throw error;
  }
  return client;
}

async function credentialsOf(
  options: ConnectOptions,
  { workspaceId, mailboxId, uuid, inbound, inbound_sealed }: ImapAccount,
): Promise<{ pass: string } | { accessToken: string }> {
  if (inbound.oauth) {
    const { token } = await requestAccessToken(options, { workspaceId, mailboxId, part: "inbound" });
    return { accessToken: token };
  }
  return { pass: openSecret(options.secretBox, "inbound", uuid, inbound_sealed)?.password ?? "" };
}
