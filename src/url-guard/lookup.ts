import { lookup as dnsLookup } from "node:dns/promises";

export interface ResolvedAddress {
  address: string;
  family: number;
}

export type Lookup = (hostname: string) => Promise<ResolvedAddress[]>;

/** The system's resolver, so that /etc/hosts and nsswitch mean here what they mean to every other program. */
export const systemLookup: Lookup = (hostname) => dnsLookup(hostname, { all: true, verbatim: true });

/**
 * Joins look-ups of one name that are under way at the same time: getaddrinfo has four threads for the whole process,
 * and 64 connections opened to one origin would queue 64 times behind them. Nothing is kept once it is answered, so
 * each later connection is judged by a fresh answer.
 */
export function joinLookups(lookup: Lookup): Lookup {
  const underWay = new Map<string, Promise<ResolvedAddress[]>>();
  return (hostname) => {
    const joined = underWay.get(hostname);
    if (joined !== undefined) return joined;
    const started = lookup(hostname).finally(() => underWay.delete(hostname));
    underWay.set(hostname, started);
    return started;
  };
}
