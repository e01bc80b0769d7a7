/**
 * Every range of the IANA special-purpose registries (IPv4: RFC 6890 and later, IPv6: likewise), by name. The list is
 * our own and explicit because each npm SSRF filter tried let some forms through, and because `ipaddr.js` range names
 * change between releases while a security list must not.
 *
 * Some of these are globally reachable on paper (AS112, AMT, PCP anycast); none can be a customer's web server.
 */
export const SPECIAL_V4: readonly (readonly [cidr: string, name: string])[] = [
  ["0.0.0.0/8", "this network"],
  ["10.0.0.0/8", "private use"],
  ["100.64.0.0/10", "carrier-grade NAT"],
  ["127.0.0.0/8", "loopback"],
  // Not in the registry: Azure's platform address, reachable only from inside a virtual machine.
  ["168.63.129.16/32", "cloud platform"],
  ["169.254.0.0/16", "link local"],
  ["172.16.0.0/12", "private use"],
  ["192.0.0.0/24", "protocol assignments"],
  ["192.0.2.0/24", "documentation"],
  ["192.31.196.0/24", "AS112"],
  ["192.52.193.0/24", "multicast tunnelling"],
  ["192.88.99.0/24", "6to4 relay"],
  ["192.168.0.0/16", "private use"],
  ["192.175.48.0/24", "AS112"],
  ["198.18.0.0/15", "benchmarking"],
  ["198.51.100.0/24", "documentation"],
  ["203.0.113.0/24", "documentation"],
  ["224.0.0.0/4", "multicast"],
  ["240.0.0.0/4", "reserved"],
  ["255.255.255.255/32", "broadcast"],
];

/** Ordered from narrow to wide, so that the name found first is the telling one. */
export const SPECIAL_V6: readonly (readonly [cidr: string, name: string])[] = [
  ["::/128", "unspecified"],
  ["::1/128", "loopback"],
  ["::/96", "IPv4-compatible"],
  ["::ffff:0:0:0/96", "IPv4-translated"],
  ["64:ff9b::/96", "NAT64"],
  ["64:ff9b:1::/48", "local NAT64"],
  ["100::/64", "discard only"],
  ["100:0:0:1::/64", "dummy prefix"],
  ["2001::/32", "Teredo"],
  ["2001:10::/28", "ORCHID"],
  ["2001:20::/28", "ORCHIDv2"],
  ["2001::/23", "protocol assignments"],
  ["2001:db8::/32", "documentation"],
  ["2002::/16", "6to4"],
  ["2620:4f:8000::/48", "AS112"],
  ["3fff::/20", "documentation"],
  ["5f00::/16", "segment routing"],
  ["fc00::/7", "unique local"],
  ["fe80::/10", "link local"],
  ["fec0::/10", "site local"],
  ["ff00::/8", "multicast"],
];

/** What IANA has opened for global unicast so far; anything outside is refused without needing a name. */
export const GLOBAL_UNICAST_V6 = "2000::/3";
