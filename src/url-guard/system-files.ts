import { readFileSync } from "node:fs";

/** How long a file that was read is used before it is read again. */
const FRESH_MS = 5_000;

export interface SystemFiles {
  /** The addresses that the hosts file gives a name, in its order; empty where it names none. */
  hostsEntries(hostname: string): string[];
  /** The names to ask for: the name itself, and where it is short also under each search domain. */
  candidateNames(hostname: string): string[];
}

/** What `/etc/hosts` and `/etc/resolv.conf` say. c-ares reads the name servers itself, but neither of these two. */
export function readSystemFiles(paths = { hosts: "/etc/hosts", resolvConf: "/etc/resolv.conf" }): SystemFiles {
  const hosts = refreshed(paths.hosts, parseHosts);
  const search = refreshed(paths.resolvConf, parseSearch);
  return {
    hostsEntries: (hostname) => hosts().get(withoutFinalDot(hostname).toLowerCase()) ?? [],
    candidateNames(hostname) {
      const { domains, ndots } = search();
      const dots = hostname.split(".").length - 1;
      if (hostname.endsWith(".") || dots >= ndots) return [hostname];
      return [hostname, ...domains.map((domain) => `${hostname}.${domain}`)];
    },
  };
}

export const withoutFinalDot = (hostname: string): string => hostname.replace(/\.$/, "");

function refreshed<T>(path: string, parse: (text: string) => T): () => T {
  let parsed: T | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (parsed === undefined || performance.now() - readAt > FRESH_MS) {
      parsed = parse(readOrEmpty(path));
      readAt = performance.now();
    }
    return parsed;
  };
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function parseHosts(text: string): Map<string, string[]> {
  const entries = new Map<string, string[]>();
  for (const fields of fieldsOfLines(text)) {
    const [address = "", ...names] = fields;
    for (const name of names) {
      const addresses = entries.get(name.toLowerCase()) ?? [];
      if (!addresses.includes(address)) addresses.push(address);
      entries.set(name.toLowerCase(), addresses);
    }
  }
  return entries;
}

interface SearchSettings {
  domains: string[];
  /** A name with at least this many dots is asked for as it is, without the search domains. */
  ndots: number;
}

function parseSearch(text: string): SearchSettings {
  const settings: SearchSettings = { domains: [], ndots: 1 };
  for (const [keyword, ...values] of fieldsOfLines(text)) {
    if (keyword === "search" || keyword === "domain") settings.domains = values.map(withoutFinalDot);
    if (keyword !== "options") continue;
    for (const option of values) {
      const ndots = /^ndots:(\d+)$/.exec(option)?.[1];
      if (ndots !== undefined) settings.ndots = Math.min(15, Number(ndots));
    }
  }
  return settings;
}

const fieldsOfLines = (text: string): string[][] =>
  text
    .split("\n")
    .map((line) => line.replace(/[#;].*/, "").trim())
    .filter((line) => line !== "")
    .map((line) => line.split(/\s+/));
