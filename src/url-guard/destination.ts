import { isIP } from "node:net";
import type { AddressPolicy } from "./address-policy.ts";
import type { Lookup, ResolvedAddress } from "./lookup.ts";
import { checkPort, type PortPolicy, portOf } from "./port-policy.ts";

const URL_CHARS_MAX = 2048;

/** One wording for every refusal, whatever was found: it says to the owner what to do and to a port scanner nothing. */
export const REFUSED_MESSAGE = "The url must not point to a private or reserved address.";

type ParsedDestination = { ok: true; url: URL; literal: string | null } | { ok: false; message: string };

/**
 * Reads a destination without asking the network. `literal` is the host as a plain IP address: the WHATWG parser has
 * by then turned decimal, octal, hex, short, percent-encoded and full-width spellings into the ordinary one.
 */
export function parseDestination(text: string): ParsedDestination {
  if (text.length > URL_CHARS_MAX) return refuse(`The url must not be longer than ${URL_CHARS_MAX} characters.`);
  // The parser drops tabs and newlines and trims blanks in silence; what was judged must be what was written.
  if (hasBlankOrControl(text)) return refuse("The url must not contain spaces or control characters.");
  // The parser reads a backslash as a slash, other programs do not: they would disagree about the host.
  if (text.includes("\\")) return refuse("The url must not contain a backslash.");
  // The parser also takes "http:host" and "http:///host". Nobody means those.
  if (!/^https?:\/\/[^/\\?#]/i.test(text)) return refuse("The url must start with http:// or https:// and a host.");
  const url = parseUrl(text);
  if (url === null) return refuse("The url is not valid.");
  if (url.username !== "" || url.password !== "" || hasUserInfo(text)) {
    return refuse("The url must not contain a user name or password.");
  }
  if (url.port === "0") return refuse("The url is not valid.");
  const host = url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname;
  if (isIP(host) !== 0) return { ok: true, url, literal: host };
  if (!isHostName(host)) return refuse("The host of the url is not a valid name.");
  return { ok: true, url, literal: null };
}

/** Where a connection to it leads. */
export const targetOf = ({ url, literal }: { url: URL; literal: string | null }) => ({
  host: literal ?? url.hostname,
  literal: literal !== null,
  port: portOf(url),
  secure: url.protocol === "https:",
});

interface CheckDestinationOptions {
  policy: AddressPolicy;
  lookup: Lookup;
  /** Whose destination it is, for the bounds on lookups. */
  group?: string;
  /** Absent: every scheme and port. A webhook that exists keeps working when the policy changes. */
  ports?: PortPolicy;
  timeoutMs?: number;
}

/** `resolves` is false for a name without an address: accepted, and worth a warning. */
type DestinationVerdict = { ok: true; resolves: boolean } | { ok: false; message: string };

/**
 * The early verdict, for a form: the connector decides again on the address it connects to. A name nobody can resolve
 * (in time) is accepted, so that an installation without a network can be set up; a local name is not, because only
 * its addresses could justify it.
 */
export async function checkDestination(text: string, options: CheckDestinationOptions): Promise<DestinationVerdict> {
  const parsed = parseDestination(text);
  if (!parsed.ok) return parsed;
  const addresses = await checkAddresses(parsed, options);
  if (!addresses.pass) return REFUSED;
  const portProblem = options.ports && checkPort(parsed.url, options.ports);
  return portProblem ? { ok: false, message: portProblem } : { ok: true, resolves: addresses.resolves };
}

/** The same for a host alone, for a connection that is not HTTP. What is wrong with it, after its name; null: nothing. */
export async function checkHost(host: string, options: CheckDestinationOptions): Promise<string | null> {
  const parsed = parseDestination(`http://${isIP(host) === 6 ? `[${host}]` : host}/`);
  const isHost = parsed.ok && parsed.url.pathname === "/" && parsed.url.port === "" && parsed.url.search === "";
  if (!isHost || parsed.url.hash !== "") return "must be the name or address of a server.";
  const { pass } = await checkAddresses(parsed, options);
  return pass ? null : "must not be or point to a private or reserved address.";
}

async function checkAddresses(
  { url, literal }: { url: URL; literal: string | null },
  options: CheckDestinationOptions,
): Promise<{ pass: boolean; resolves: boolean }> {
  if (literal !== null) return { pass: options.policy.check(literal).allowed, resolves: true };
  const local = isLocalName(url.hostname);
  const addresses = await resolveWithin(url.hostname, options);
  if (addresses.length === 0) return { pass: !local, resolves: false };
  const pass = addresses.every(({ address }) => {
    const verdict = options.policy.check(address);
    return verdict.allowed && (!local || verdict.opened);
  });
  return { pass, resolves: true };
}

const REFUSED: DestinationVerdict = Object.freeze({ ok: false, message: REFUSED_MESSAGE });

/** RFC 6761, 6762, 8375, ICANN's .internal, and the names the usual hosts files and home routers give out. */
const LOCAL_SUFFIXES = [
  "localhost",
  "localdomain",
  "local",
  "internal",
  "home.arpa",
  "intranet",
  "lan",
  "home",
  "corp",
];

/**
 * A name that can only be that of a machine nearby. A single label (`db`, `ip6-localhost`, a compose service) is one:
 * it resolves through the search list or the hosts file. These pass only if the operator opened every address they have.
 */
function isLocalName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, "");
  if (!name.includes(".")) return true;
  return LOCAL_SUFFIXES.some((suffix) => name.endsWith(`.${suffix}`) || name === suffix);
}

async function resolveWithin(hostname: string, options: CheckDestinationOptions): Promise<ResolvedAddress[]> {
  const { lookup, group = "", timeoutMs = 1_000 } = options;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  const stopped = new Promise<[]>((resolve) => {
    late.signal.addEventListener("abort", () => resolve([]), { once: true });
  });
  try {
    return await Promise.race([lookup(hostname, { group, signal: late.signal }).catch(() => []), stopped]);
  } finally {
    clearTimeout(timer);
  }
}

/** Not `canParse` and then `new URL`: this runs before every delivery to a new url and would parse twice. */
function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

function hasBlankOrControl(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is being looked for
  return /[\u0000-\u0020\u007f-\u00a0\u2028\u2029\ufeff\s]/.test(text);
}

/** `http://@host/` has an empty user info, which the parsed URL no longer shows. */
function hasUserInfo(text: string): boolean {
  const authority = /^https?:\/\/([^/\\?#]*)/i.exec(text)?.[1] ?? "";
  return authority.includes("@");
}

function isHostName(host: string): boolean {
  const name = host.endsWith(".") ? host.slice(0, -1) : host;
  if (name.length === 0 || name.length > 253) return false;
  // Underscores are not host names by RFC 1123 but exist and resolve.
  return name.split(".").every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label));
}

function refuse(message: string): { ok: false; message: string } {
  return { ok: false, message };
}
