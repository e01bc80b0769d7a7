import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { GLOBAL_UNICAST_V6, SPECIAL_V4, SPECIAL_V6 } from "./special-ranges.ts";

/** `opened`: a special range the operator opened, as against an ordinary public address. */
type AddressVerdict = { allowed: true; opened: boolean } | { allowed: false; reason: string };

export interface AddressPolicy {
  /** Judges one address in its ordinary spelling. The reason is for operators; it never goes to a webhook's owner. */
  check(address: string): AddressVerdict;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = { network: Address; prefix: number; name: string };

const PUBLIC: AddressVerdict = Object.freeze({ allowed: true, opened: false });
const OPENED: AddressVerdict = Object.freeze({ allowed: true, opened: true });

const DENIED_V4 = SPECIAL_V4.map(([cidr, name]) => parseCidr(cidr, name));
const DENIED_V6 = SPECIAL_V6.map(([cidr, name]) => parseCidr(cidr, name));
const GLOBAL_V6 = parseCidr(GLOBAL_UNICAST_V6, "global unicast");

/** Throws, with the offending text in the message, when an allowed range is not a CIDR. */
export function createAddressPolicy(options: { allowedCidrs: readonly string[] }): AddressPolicy {
  const opened = options.allowedCidrs.map((cidr) => parseCidr(cidr.trim(), "opened"));

  function judge(address: Address): AddressVerdict {
    if (contains(opened, address)) {
      // Opening a tunnel's range opens the tunnel, not what may be reached through it.
      const hidden = embeddedV4(address).find((inner) => !judge(inner).allowed);
      return hidden === undefined ? OPENED : { allowed: false, reason: "embeds an address that is not allowed" };
    }
    const special = find(address.kind() === "ipv4" ? DENIED_V4 : DENIED_V6, address);
    if (special !== undefined) return { allowed: false, reason: `${special.name} (${cidrOf(special)})` };
    if (address.kind() === "ipv6" && !contains([GLOBAL_V6], address)) {
      return { allowed: false, reason: "not global unicast" };
    }
    return PUBLIC;
  }

  return {
    check(address) {
      // isIP takes only what inet_pton takes: no octal, hex or short forms. Those are for the URL parser to normalise.
      if (isIP(address) === 0) return { allowed: false, reason: "not an IP address" };
      if (address.includes("%")) return { allowed: false, reason: "has a zone id" };
      const parsed = parseAddress(address);
      // The only reason to write a mapped address is to get an IPv4 address past a check.
      if (isMapped(parsed)) return { allowed: false, reason: "IPv4-mapped" };
      return judge(parsed);
    },
  };
}

function contains(ranges: readonly Range[], address: Address): boolean {
  return find(ranges, address) !== undefined;
}

function find(ranges: readonly Range[], address: Address): Range | undefined {
  return ranges.find((range) => range.network.kind() === address.kind() && address.match(range.network, range.prefix));
}

function isMapped(address: Address): address is ipaddr.IPv6 {
  return address.kind() === "ipv6" && (address as ipaddr.IPv6).isIPv4MappedAddress();
}

/**
 * For what `isIP` takes. The dotted tail of an IPv6 address is written in hex first, because ipaddr.js reads the
 * compatible form `::8.8.8.8` as the mapped `::ffff:8.8.8.8`.
 */
function parseAddress(text: string): Address {
  if (!text.includes(":")) return ipaddr.IPv4.parse(text);
  const tail = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/;
  const group = (high = "", low = "") => ((Number(high) << 8) | Number(low)).toString(16);
  const [dotted = "", a, b, c, d] = tail.exec(text) ?? [];
  const hex = dotted === "" ? "" : `${group(a, b)}:${group(c, d)}`;
  return ipaddr.IPv6.parse(text.slice(0, text.length - dotted.length) + hex);
}

/** The IPv4 addresses a packet to this IPv6 address may really go to (RFC 4291, 6052, 3056, 4380). */
function embeddedV4(address: Address): ipaddr.IPv4[] {
  if (address.kind() === "ipv4") return [];
  const bytes = address.toByteArray();
  const at = (offset: number, flip = 0) => new ipaddr.IPv4(bytes.slice(offset, offset + 4).map((byte) => byte ^ flip));
  switch (find(DENIED_V6, address)?.name) {
    case "NAT64":
    case "IPv4-compatible":
    case "IPv4-translated":
      return [at(12)];
    case "6to4":
      return [at(2)];
    case "Teredo":
      return [at(4), at(12, 0xff)];
    default:
      return [];
  }
}

function parseCidr(text: string, name: string): Range {
  const slash = text.lastIndexOf("/");
  const base = text.slice(0, slash);
  const prefix = text.slice(slash + 1);
  const version = slash < 0 ? 0 : isIP(base);
  const bits = version === 4 ? 32 : 128;
  if (version === 0 || base.includes("%") || !/^\d{1,3}$/.test(prefix) || Number(prefix) > bits) {
    throw new Error(
      `"${text}" is not a CIDR range. Write an address, a slash and a prefix length, e.g. 127.0.0.0/8 or ::1/128.`,
    );
  }
  const network = parseAddress(base);
  if (!isMapped(network)) return { network, prefix: Number(prefix), name };
  // Mapped addresses are judged as IPv4, so a range of them has to be one too.
  if (Number(prefix) < 96) throw new Error(`"${text}" covers IPv4-mapped addresses: write the IPv4 range instead.`);
  return { network: network.toIPv4Address(), prefix: Number(prefix) - 96, name };
}

function cidrOf(range: Range): string {
  return `${range.network.toString()}/${range.prefix}`;
}
