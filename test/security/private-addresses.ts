import { PUBLIC_V4, PUBLIC_V6 } from "./attack-network.ts";

/** What a hostile name server may respond with; each is reachable here. */
export const PRIVATE_ADDRESSES: Record<string, string[]> = {
  loopback: ["127.0.0.1"],
  "this network": ["0.0.0.0"],
  "private use": ["10.0.0.1"],
  "cloud metadata": ["169.254.169.254"],
  "carrier-grade NAT": ["100.64.0.1"],
  "v6 loopback": ["::1"],
  "v4-mapped": ["::ffff:10.0.0.1"],
  "v4-compatible": ["::10.0.0.1"],
  NAT64: ["64:ff9b::a00:1"],
  "local NAT64": ["64:ff9b:1::a00:1"],
  "6to4": ["2002:a00:1::1"],
  Teredo: ["2001:0:a00:1::f5ff:fffe"],
  "unique local": ["fd00::1"],
  "link local": ["fe80::1"],
  "public first, then private": [PUBLIC_V4, "10.0.0.1"],
  "private first, then public": ["10.0.0.1", PUBLIC_V4],
  "public v4 with private v6": [PUBLIC_V4, "fd00::1"],
  "public v6 with private v4": [PUBLIC_V6, "192.168.0.1"],
  "private among seven": [...Array.from({ length: 6 }, (_, i) => `93.184.216.${i + 1}`), "10.0.0.1"],
};

/** 127.0.0.1, 10.0.0.1 and 169.254.169.254 as a browser would also read them, and their IPv6 disguises. */
export const LITERALS = [
  ...["127.0.0.1", "127.1", "127.0.0.1.", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "017700000001"],
  ...["10.0.0.1", "10.1", "167772161", "0xa000001", "012.0.0.1", "169.254.169.254", "2852039166", "0", "0.0.0.0"],
  ...["%31%30.0.0.1", "１０.0.0.1", "10。0。0。1", "⑩.0.0.1", "user@10.0.0.1", "93.184.216.34@10.0.0.1"],
  ...["[::1]", "[::]", "[::ffff:10.0.0.1]", "[::ffff:a00:1]", "[0:0:0:0:0:ffff:10.0.0.1]", "[::10.0.0.1]"],
  ...["[64:ff9b::10.0.0.1]", "[2002:a00:1::]", "[2001:0:a00:1::]", "[fd00::1]", "[fe80::1]", "[fe80::1%25lo]"],
  ...["localhost", "LocalHost.", "a.localhost", "db", "printer.local", "metadata.google.internal"],
];
