import type { ImapFlowError } from "imapflow";
import { Fault } from "../../core/errors.ts";
import { OutboundFailure } from "../../url-guard/index.ts";
import { quotaSentence } from "../inbound/quota.ts";
import { OauthFailure } from "../oauth.ts";

/** What went wrong, in a sentence for the person who has to change something. */
interface ReadFailure {
  sentence: string;
  /** Trying again soon would change nothing, and servers lock accounts that are tried too often. */
  isLasting: boolean;
}

interface Server {
  host: string;
  port: number;
  folder: string;
}

export function explainFailure(error: unknown, { host, port, folder }: Server): ReadFailure {
  if (error instanceof OauthFailure) return { sentence: error.message, isLasting: error.isPermanent };
  if (error instanceof OutboundFailure) return { sentence: `${host}: ${error.message}.`, isLasting: false };
  const quota = quotaSentence(error);
  if (quota !== null) return { sentence: `Mail is left on the server for now. ${quota}`, isLasting: true };
  if (error instanceof Fault) return { sentence: error.message, isLasting: false };
  const known = error as ImapFlowError;
  if (known.authenticationFailed)
    return { sentence: `${host} refused the user name or the password${said(known)}.`, isLasting: true };
  if (known.reason)
    return { sentence: `${host} closed the connection (it said: ${cut(known.reason)}).`, isLasting: false };
  const code = known.code ?? "";
  if (/CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_/.test(code))
    return { sentence: `The certificate of ${host} is not valid for this name (${code}).`, isLasting: false };
  const sentence = SENTENCES[code];
  if (sentence) return { sentence: sentence(host, port), isLasting: false };
  if (known.responseStatus === "NO" && /SELECT|EXAMINE/.test(known.executedCommand ?? ""))
    return { sentence: `The folder ${folder} cannot be opened${said(known)}.`, isLasting: true };
  if (known.responseText) return { sentence: `${host} said: ${known.responseText.slice(0, 300)}`, isLasting: false };
  return { sentence: `Reading from ${host} failed: ${known.message.slice(0, 300)}`, isLasting: false };
}

const SENTENCES: Record<string, (host: string, port: number) => string> = {
  ECONNREFUSED: (host, port) => `${host} refuses connections on port ${port}.`,
  ECONNRESET: (host) => `${host} closed the connection.`,
  EPIPE: (host) => `${host} closed the connection.`,
  ETIMEDOUT: (host, port) => `${host} does not respond on port ${port}.`,
  CONNECT_TIMEOUT: (host, port) => `${host} does not respond on port ${port}.`,
  GREETING_TIMEOUT: (host, port) => `${host} does not greet on port ${port}. Is this the port for its security?`,
  UPGRADE_TIMEOUT: (host) => `${host} did not complete STARTTLS.`,
  ETIMEOUT: (host) => `${host} stopped responding.`,
  EHOSTUNREACH: (host) => `There is no route to ${host}.`,
  ENETUNREACH: (host) => `There is no route to ${host}.`,
  EPROTO: (host, port) => `${host} does not speak TLS on port ${port}.`,
  ERR_SSL_WRONG_VERSION_NUMBER: (host, port) => `${host} does not speak TLS on port ${port}.`,
  LineTooLarge: (host) => `${host} sends more than it was asked for.`,
  LiteralTooLarge: (host) => `${host} sends more than it was asked for.`,
  ResponseTooLarge: (host) => `${host} sends more than it was asked for.`,
  NoConnection: (host) => `The connection to ${host} was closed.`,
  EConnectionClosed: (host) => `The connection to ${host} was closed.`,
  ClosedAfterConnectText: (host) => `${host} closed the connection before it greeted.`,
  ClosedAfterConnectTLS: (host) => `${host} closed the connection before it greeted.`,
};

const said = ({ responseText }: ImapFlowError): string => (responseText ? ` (it said: ${cut(responseText)})` : "");

const cut = (text: string): string => text.slice(0, 200);
