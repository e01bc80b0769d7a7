export { type AddressPolicy, type AddressVerdict, createAddressPolicy } from "./address-policy.ts";
export type { OutboundResult, OutboundTimings } from "./attempt.ts";
export {
  type CheckDestinationOptions,
  checkDestination,
  type DestinationVerdict,
  type ParsedDestination,
  parseDestination,
  REFUSED_MESSAGE,
  URL_CHARS_MAX,
} from "./destination.ts";
export type { OutboundError, OutboundErrorCode } from "./failure.ts";
export { createLookup, type Lookup, type ResolvedAddress } from "./lookup.ts";
export { queueLookups } from "./lookup-queue.ts";
export { createOperatorFetch } from "./operator-fetch.ts";
export {
  createOutbound,
  type Outbound,
  type OutboundOptions,
  type OutboundRequest,
  type OutboundStats,
} from "./outbound.ts";
