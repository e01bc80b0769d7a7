import type { Config } from "../config/index.ts";
import { createAddressPolicy, createLookup, egressProxyOf } from "../url-guard/index.ts";

/** By what rules and ways addresses are reached that users chose. */
export const networkOf = ({ PARLEY_ALLOWED_CIDRS, PARLEY_DNS_SERVERS, PARLEY_EGRESS_PROXY: proxy }: Config) => ({
  policy: createAddressPolicy({ allowedCidrs: PARLEY_ALLOWED_CIDRS }),
  lookup: createLookup({ servers: PARLEY_DNS_SERVERS }),
  proxy: proxy === null ? undefined : egressProxyOf(proxy),
});
