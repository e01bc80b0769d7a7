export { type AddressPolicy, createAddressPolicy } from "./address-policy.ts";
export { approvedAddress } from "./approved-address.ts";
export {
  checkDestination,
  checkHost,
  parseDestination,
  REFUSED_MESSAGE,
} from "./destination.ts";
export { createDnsRecords, type DnsRecords } from "./dns-records.ts";
export { checkEgressProxy, type EgressProxy, egressProxyOf } from "./egress-proxy.ts";
export type { OutboundResult, OutboundTimings } from "./exchange.ts";
export { OutboundFailure } from "./failure.ts";
export { createGuardedGet } from "./guarded-get.ts";
export { createLookup, type Lookup } from "./lookup.ts";
export { queueLookups } from "./lookup-queue.ts";
export { createOperatorFetch } from "./operator-fetch.ts";
export {
  createOutbound,
  type Outbound,
  type OutboundOptions,
  type OutboundRequest,
  unsent,
} from "./outbound.ts";
export { createSockets, type Sockets } from "./socket.ts";
