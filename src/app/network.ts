import type { Config } from "../config/index.ts";
import type { Closers } from "../core/closers.ts";
import {
  createAddressPolicy,
  createLookup,
  createOutbound,
  egressProxyOf,
  type OutboundOptions,
  queueLookups,
} from "../url-guard/index.ts";

/** By what rules and ways addresses are reached that users chose. */
export const networkOf = ({ PARLEY_ALLOWED_CIDRS, PARLEY_DNS_SERVERS, PARLEY_EGRESS_PROXY: proxy }: Config) => ({
  policy: createAddressPolicy({ allowedCidrs: PARLEY_ALLOWED_CIDRS }),
  lookup: createLookup({ servers: PARLEY_DNS_SERVERS }),
  proxy: proxy === null ? undefined : egressProxyOf(proxy),
});

/** The same with a bound on the lookups of each group. */
export function queuedNetworkOf(config: Config) {
  const { lookup, ...network } = networkOf(config);
  return { ...network, lookup: queueLookups(lookup) };
}

interface ConnectionOptions extends Pick<OutboundOptions, "userAgent" | "originsMax" | "connectionsPerOrigin"> {
  /** How long requests in flight may take once the part is closed. */
  graceMs: number;
}

/** And with connections for HTTP, which are closed with the other parts. */
export function openConnections(config: Config, closers: Closers, { graceMs, ...options }: ConnectionOptions) {
  const { lookup, ...network } = networkOf(config);
  // It queues its lookups by itself.
  const outbound = createOutbound({ ...network, lookup, ...options });
  closers.add({ close: () => outbound.close({ graceMs }) });
  return { ...network, lookup: queueLookups(lookup), outbound };
}

export type Connections = ReturnType<typeof openConnections>;
