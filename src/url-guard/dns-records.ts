import { Resolver } from "node:dns/promises";

/** Records of a domain as people see them; null: none, or the name server did not respond. */
export interface DnsRecords {
  texts(name: string): Promise<string[]>;
  exchanges(name: string): Promise<{ priority: number; exchange: string }[]>;
}

const TRY_MS = 2_000;
const TRIES = 2;

export function createDnsRecords({ servers = [] }: { servers?: readonly string[] } = {}): DnsRecords {
  const ask = async <T>(question: (resolver: Resolver) => Promise<T[]>): Promise<T[]> => {
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
    if (servers.length > 0) resolver.setServers(servers);
    return question(resolver).catch(() => []);
  };
  return {
    texts: async (name) => (await ask((resolver) => resolver.resolveTxt(name))).map((parts) => parts.join("")),
    exchanges: (name) => ask((resolver) => resolver.resolveMx(name)),
  };
}
