import ipaddr from "ipaddr.js";

/** Whether an address is in one of the CIDRs; an IPv4 address written as IPv6 counts as IPv4. */
export function isWithin(ip: string, cidrs: readonly string[]): boolean {
  if (!ipaddr.isValid(ip)) return false;
  const address = ipaddr.process(ip);
  return cidrs.some((cidr) => {
    const [range, bits] = ipaddr.parseCIDR(cidr);
    return range.kind() === address.kind() && address.match(range, bits);
  });
}

/** Whether every address of the inner CIDRs is in one of the outer; no inner CIDR at all means any address. */
export const liesWithin = (inner: readonly string[], outer: readonly string[]): boolean =>
  inner.length > 0 &&
  inner.every((cidr) => {
    const [network, bits] = ipaddr.parseCIDR(cidr);
    return outer.some((range) => {
      const [outerNetwork, outerBits] = ipaddr.parseCIDR(range);
      return network.kind() === outerNetwork.kind() && bits >= outerBits && network.match(outerNetwork, outerBits);
    });
  });

/** Sentences about items that are neither an address nor a CIDR. */
export const cidrProblems = (field: string, items: string[] | undefined): string[] =>
  (items ?? []).flatMap((item, index) =>
    toCidr(item) === null ? [`${field}[${index}] must be an address or a CIDR.`] : [],
  );

/** Addresses become CIDRs of one address; repeated ones are folded. */
export const toCidrs = (items: string[] | undefined): string[] | undefined =>
  items && [...new Set(items.map((item) => toCidr(item) ?? item))];

// ipaddr.js also takes "1" and "0x7f.1": in a list of allowed addresses such an item is a typing error, not an address.
const PLAIN = /^(\d{1,3}(\.\d{1,3}){3}|[0-9a-f:.]*:[0-9a-f:.]*)(\/\d{1,3})?$/i;

function toCidr(item: string): string | null {
  const text = item.trim();
  if (!PLAIN.test(text)) return null;
  if (ipaddr.isValidCIDR(text)) return text;
  return ipaddr.isValid(text) ? `${text}/${ipaddr.parse(text).kind() === "ipv4" ? 32 : 128}` : null;
}
