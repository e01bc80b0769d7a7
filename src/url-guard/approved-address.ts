import { isIP } from "node:net";
import type { AddressPolicy } from "./address-policy.ts";
import { lookupFailure, OutboundFailure } from "./failure.ts";
import type { Lookup } from "./lookup.ts";

interface ApprovingOptions {
  policy: AddressPolicy;
  lookup: Lookup;
  /** Whose connection it is, for the bounds on lookups. */
  group: string;
  signal?: AbortSignal;
}

/**
 * An address of a host that a user chose, for a client that connects by itself and by number, so that no second lookup can
 * say otherwise. Rejects where any address of the host is refused.
 */
export async function approvedAddress(
  host: string,
  { policy, lookup, group, signal }: ApprovingOptions,
): Promise<string> {
  const addresses = isIP(host) === 0 ? await resolve(host, lookup, { group, ...(signal ? { signal } : {}) }) : [host];
  const [first] = addresses;
  if (first === undefined) throw new OutboundFailure("dns", "the host name does not resolve");
  if (!addresses.every((address) => policy.check(address).allowed))
    throw new OutboundFailure("refused_address", "the destination is a private or reserved address");
  return first;
}

async function resolve(host: string, lookup: Lookup, options: Parameters<Lookup>[1]): Promise<string[]> {
  try {
    return (await lookup(host, options)).map(({ address }) => address);
  } catch (error) {
    throw lookupFailure(error);
  }
}
