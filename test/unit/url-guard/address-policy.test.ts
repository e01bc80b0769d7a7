import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import { createAddressPolicy, parseDestination } from "../../../src/url-guard/index.ts";

const policy = createAddressPolicy({ allowedCidrs: [] });

/** Written out again rather than imported: a range lost from the source must fail here. */
const DENIED_V4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "255.255.255.255/32",
];
const DENIED_V6 = [
  "::/128",
  "::1/128",
  "::/96",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "100::/64",
  "100:0:0:1::/64",
  "2001::/23",
  "2001::/32",
  "2001:2::/48",
  "2001:10::/28",
  "2001:20::/28",
  "2001:db8::/32",
  "2002::/16",
  "2620:4f:8000::/48",
  "3fff::/20",
  "5f00::/16",
  "fc00::/7",
  "fe80::/10",
  "fec0::/10",
  "ff00::/8",
];

function toBigInt(address: string): bigint {
  return ipaddr
    .parse(address)
    .toByteArray()
    .reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}

function toText(value: bigint, bytes: 4 | 16): string {
  const list = Array.from({ length: bytes }, (_, index) => Number((value >> BigInt(8 * (bytes - 1 - index))) & 255n));
  return ipaddr.fromByteArray(list).toString();
}

function bounds(cidr: string): { first: bigint; last: bigint; bytes: 4 | 16 } {
  const [base = "", prefix = ""] = cidr.split("/");
  const bytes = base.includes(":") ? 16 : 4;
  const hostBits = BigInt(bytes * 8 - Number(prefix));
  const first = (toBigInt(base) >> hostBits) << hostBits;
  return { first, last: first + (1n << hostBits) - 1n, bytes };
}

const DENIED_BOUNDS_V4 = DENIED_V4.map(bounds);
const DENIED_BOUNDS_V6 = DENIED_V6.map(bounds);

/** An address of the range, its first and last ones included often. */
function inside(cidr: string): fc.Arbitrary<bigint> {
  const { first, last } = bounds(cidr);
  return fc.oneof(fc.constantFrom(first, last), fc.bigInt({ min: first, max: last }));
}

function hex(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}

/** One IPv4 address in the spellings inet_aton and browsers understand. */
function spellingsV4(value: bigint): string[] {
  const plain = toText(value, 4);
  const [a = 0, b = 0, c = 0, d = 0] = plain.split(".").map(Number);
  const fullWidth = [...plain].map((char) => (char === "." ? "。" : String.fromCharCode(char.charCodeAt(0) + 0xfee0)));
  const encoded = [...plain].map((char) => `%${char.charCodeAt(0).toString(16)}`);
  return [
    plain,
    `${plain}.`,
    value.toString(),
    hex(value),
    hex(value).toUpperCase().replace("0X", "0X"),
    `0${value.toString(8)}`,
    [a, b, c, d].map((part) => hex(part)).join("."),
    [a, b, c, d].map((part) => `0${part.toString(8)}`).join("."),
    [a, b, c, d].map((part) => `000${part.toString(8)}`).join("."),
    `${a}.${(b << 16) | (c << 8) | d}`,
    `${a}.${b}.${(c << 8) | d}`,
    `${hex(a)}.0${b.toString(8)}.${(c << 8) | d}`,
    fullWidth.join(""),
    encoded.join(""),
  ];
}

function mappedSpellings(value: bigint): string[] {
  const plain = toText(value, 4);
  const [a = 0, b = 0, c = 0, d = 0] = plain.split(".").map(Number);
  return [
    `[::ffff:${plain}]`,
    `[::FFFF:${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}]`,
    `[0:0:0:0:0:ffff:${plain}]`,
  ];
}

function judge(host: string): boolean {
  const parsed = parseDestination(`http://${host}/`);
  if (!parsed.ok) return false;
  expect(parsed.literal, `${host} must be seen as an address`).not.toBeNull();
  return policy.check(parsed.literal ?? "").allowed;
}

describe("address policy", () => {
  it.each(DENIED_V4)("refuses any address of %s in every spelling", (cidr) => {
    fc.assert(
      fc.property(inside(cidr), (value) => {
        expect(policy.check(toText(value, 4)).allowed).toBe(false);
        for (const host of spellingsV4(value)) expect(judge(host), host).toBe(false);
      }),
      { numRuns: 40 },
    );
  });

  it.each(DENIED_V6)("refuses any address of %s", (cidr) => {
    fc.assert(
      fc.property(inside(cidr), (value) => {
        const address = toText(value, 16);
        expect(policy.check(address).allowed).toBe(false);
        expect(judge(`[${address}]`)).toBe(false);
        expect(judge(`[${ipaddr.parse(address).toNormalizedString().toUpperCase()}]`)).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  it("allows every other IPv4 address, in every spelling", () => {
    const publicV4 = fc
      .bigInt({ min: 0n, max: 0xffffffffn })
      .filter((value) => !DENIED_BOUNDS_V4.some(({ first, last }) => value >= first && value <= last));
    fc.assert(
      fc.property(publicV4, (value) => {
        expect(policy.check(toText(value, 4))).toEqual({ allowed: true, opened: false });
        for (const host of spellingsV4(value)) expect(judge(host), host).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it("allows global unicast IPv6 and nothing outside it", () => {
    const { first, last } = bounds("2000::/3");
    const mapped = bounds("::ffff:0:0/96");
    const anywhere = fc.oneof(fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }), fc.bigInt({ min: first, max: last }));
    fc.assert(
      fc.property(anywhere, (value) => {
        fc.pre(value < mapped.first || value > mapped.last);
        const special = DENIED_BOUNDS_V6.some((range) => value >= range.first && value <= range.last);
        expect(policy.check(toText(value, 16)).allowed).toBe(value >= first && value <= last && !special);
      }),
      { numRuns: 400 },
    );
  });

  it("refuses an IPv4-mapped IPv6 address, whatever the IPv4 address is", () => {
    const some = createAddressPolicy({ allowedCidrs: ["10.0.0.0/9", "127.0.0.1/32"] });
    const interesting = fc.oneof(
      fc.bigInt({ min: 0n, max: 0xffffffffn }),
      inside("10.0.0.0/8"),
      inside("127.0.0.0/30"),
      inside("172.16.0.0/12"),
    );
    fc.assert(
      fc.property(interesting, (value) => {
        expect(some.check(`::ffff:${toText(value, 4)}`).allowed).toBe(false);
        expect(policy.check(toText((0xffffn << 32n) | value, 16)).allowed).toBe(false);
        for (const host of mappedSpellings(value)) expect(judge(host), host).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ["NAT64", "64:ff9b::/96", "64:ff9b::8.8.8.8", "64:ff9b::127.0.0.1"],
    ["IPv4-compatible", "::/96", "::8.8.8.8", "::10.0.0.1"],
    ["6to4", "2002::/16", "2002:808:808::1", "2002:a00:1::1"],
    ["Teredo", "2001::/32", "2001:0:808:808::f7f7:f7f7", "2001:0:808:808::80ff:fffe"],
  ])("%s is refused outright, and once opened still judged by what it embeds", (_name, cidr, good, bad) => {
    const open = createAddressPolicy({ allowedCidrs: [cidr] });
    expect(policy.check(good).allowed).toBe(false);
    expect(policy.check(bad).allowed).toBe(false);
    expect(open.check(good)).toEqual({ allowed: true, opened: true });
    expect(open.check(bad).allowed).toBe(false);
    expect(createAddressPolicy({ allowedCidrs: ["0.0.0.0/0"] }).check(good).allowed).toBe(false);
  });

  it("opens exactly the ranges it is given", () => {
    const open = createAddressPolicy({ allowedCidrs: ["127.0.0.0/8", " ::1/128", "::ffff:10.1.0.0/112"] });
    expect(open.check("127.9.9.9")).toEqual({ allowed: true, opened: true });
    expect(open.check("::1")).toEqual({ allowed: true, opened: true });
    expect(open.check("10.1.2.3").allowed).toBe(true);
    expect(open.check("10.2.0.1").allowed).toBe(false);
    expect(open.check("::").allowed).toBe(false);
    expect(open.check("169.254.169.254").allowed).toBe(false);
  });

  it.each([
    "",
    "localhost",
    "127.1",
    "0x7f.0.0.1",
    "010.0.0.1",
    "2130706433",
    "8.8.8.8/32",
    "[2606:4700::1]",
    "8.8.8.8 ",
  ])("refuses %j, which is not an address in its ordinary spelling", (text) => {
    expect(policy.check(text).allowed).toBe(false);
  });

  it("refuses zone ids, even on an opened range", () => {
    const open = createAddressPolicy({ allowedCidrs: ["fe80::/10"] });
    expect(open.check("fe80::1").allowed).toBe(true);
    expect(open.check("fe80::1%eth0").allowed).toBe(false);
    expect(policy.check("2606:4700::1%1").allowed).toBe(false);
  });

  it.each([
    "",
    "127.0.0.0",
    "127.0.0.0/",
    "127.0.0.0/33",
    "::/129",
    "127.0.0.0/-1",
    "127.0.0.0/8x",
    "localhost/8",
    "127.1/8",
    "fe80::1%a/64",
    "::ffff:0:0/95",
  ])("says clearly that %j is not a range", (cidr) => {
    expect(() => createAddressPolicy({ allowedCidrs: [cidr] })).toThrow(`"${cidr}"`);
  });
});
