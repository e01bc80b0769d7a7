import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { readSystemFiles, type SystemFiles, withoutFinalDot } from "./system-files.ts";

export interface ResolvedAddress {
  address: string;
  family: number;
}

export interface LookupOptions {
  /** Whose lookup it is: each group has a bounded share of the lookups in progress. */
  group?: string;
  /** Ends the lookup; its sockets are closed at once. */
  signal?: AbortSignal;
  /** Called when the lookup has to wait for its turn, and when its turn comes. */
  onQueued?: () => void;
  onStarted?: () => void;
}

export type Lookup = (hostname: string, options?: LookupOptions) => Promise<ResolvedAddress[]>;

interface LookupSettings {
  /** Name servers as `address` or `address:port`; empty: those of the system. */
  servers?: readonly string[];
  files?: SystemFiles;
}

/** One question to a name server waits this long, and is repeated once. */
const TRY_MS = 1_500;
const TRIES = 2;
/** All questions for one name together: less than the shortest attempt, so that silence is seen as such. */
const LOOKUP_MS_MAX = 4_000;
/** RFC 8305: once one address family has been found, the other may take this much longer. */
const OTHER_FAMILY_MS = 250;

/**
 * Looks names up with c-ares, which needs no thread and can be canceled. `getaddrinfo` has four threads for the whole
 * process and keeps one until the name server's time is up: 40 names whose server never responds delayed every other
 * delivery by more than 150 s. The hosts file and the search domains mean here what they mean to other programs.
 */
export function createLookup({ servers = [], files = readSystemFiles() }: LookupSettings = {}): Lookup {
  return async (hostname, { signal } = {}) => {
    const local = localAddresses(hostname, files);
    if (local.length > 0) return local;
    // One resolver per lookup: canceling it cancels this lookup and no other.
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
    if (servers.length > 0) resolver.setServers(servers);
    const ended = AbortSignal.any([AbortSignal.timeout(LOOKUP_MS_MAX), ...(signal ? [signal] : [])]);
    const cancel = () => resolver.cancel();
    ended.addEventListener("abort", cancel, { once: true });
    try {
      return await firstFound(resolver, files.candidateNames(hostname));
    } catch (error) {
      if (!ended.aborted) throw error;
      throw dnsError(signal?.aborted ? "ECANCELLED" : "ETIMEOUT");
    } finally {
      ended.removeEventListener("abort", cancel);
      resolver.cancel();
    }
  };
}

/** The hosts file comes first; `localhost` never leaves the machine, even where no file names it (RFC 6761). */
function localAddresses(hostname: string, files: SystemFiles): ResolvedAddress[] {
  const listed = files.hostsEntries(hostname).filter((address) => isIP(address) !== 0);
  if (listed.length > 0) return listed.map((address) => ({ address, family: isIP(address) }));
  if (!/^(?:.+\.)?localhost$/i.test(withoutFinalDot(hostname))) return [];
  return [
    { address: "127.0.0.1", family: 4 },
    { address: "::1", family: 6 },
  ];
}

async function firstFound(resolver: Resolver, names: readonly string[]): Promise<ResolvedAddress[]> {
  let failure: unknown = dnsError("ENOTFOUND");
  for (const name of names) {
    try {
      return await bothFamilies(resolver, name);
    } catch (error) {
      failure = error;
      if (!isNotFound(error)) break;
    }
  }
  throw failure;
}

async function bothFamilies(resolver: Resolver, name: string): Promise<ResolvedAddress[]> {
  const found: Record<4 | 6, ResolvedAddress[]> = { 4: [], 6: [] };
  const ask = async (family: 4 | 6): Promise<void> => {
    const addresses = await (family === 4 ? resolver.resolve4(name) : resolver.resolve6(name));
    found[family] = addresses.map((address) => ({ address, family }));
  };
  const questions = [ask(4), ask(6)];
  const all = Promise.allSettled(questions);
  await Promise.any(questions).catch(() => {});
  const outcomes = await Promise.race([all, sleep(OTHER_FAMILY_MS, null, { ref: false })]);
  const addresses = alternating(found[6], found[4]);
  if (addresses.length > 0) return addresses;
  const errors = (outcomes ?? []).flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
  // A server that fails for one family and has no records of the other has not said that the name does not exist.
  throw errors.find((error) => !isNotFound(error)) ?? dnsError("ENOTFOUND");
}

/** Both families are among the first few addresses, whichever of them works here. */
function alternating<T>(first: readonly T[], second: readonly T[]): T[] {
  const mixed: T[] = [];
  for (let index = 0; index < Math.max(first.length, second.length); index++)
    mixed.push(...first.slice(index, index + 1), ...second.slice(index, index + 1));
  return mixed;
}

const isNotFound = (error: unknown): boolean =>
  ["ENOTFOUND", "ENODATA"].includes((error as NodeJS.ErrnoException).code ?? "");

export const dnsError = (code: "ENOTFOUND" | "ETIMEOUT" | "ECANCELLED" | "EBACKOFF"): Error =>
  Object.assign(new Error(`DNS lookup failed: ${code}`), { code });
