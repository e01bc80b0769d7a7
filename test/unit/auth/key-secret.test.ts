import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { cidrProblems, isWithin, toCidrs } from "../../../src/auth/allowed-ips.ts";
import { digestOf, isMistyped, newKeySecret, shownParts } from "../../../src/auth/key-secret.ts";
import { KEY_TYPES } from "../../../src/auth/scopes.ts";

describe("a key's secret", () => {
  it("has a checksum that notices any one changed character", () => {
    for (const type of KEY_TYPES) {
      const secret = newKeySecret(type);
      expect(isMistyped(secret)).toBe(false);
      const start = `parley_${type}_`.length;
      for (let i = start; i < secret.length; i++) {
        if (secret[i] === "_") continue;
        const changed = secret.slice(0, i) + (secret[i] === "x" ? "y" : "x") + secret.slice(i + 1);
        expect(isMistyped(changed), changed).toBe(true);
      }
    }
  });

  it("notices a swapped type and swapped neighbours", () => {
    const secret = newKeySecret("bot");
    expect(isMistyped(secret.replace("_bot_", "_full_"))).toBe(true);
    const [a, b] = [secret[15], secret[16]];
    if (a !== b) expect(isMistyped(`${secret.slice(0, 15)}${b}${a}${secret.slice(17)}`)).toBe(true);
  });

  it("names its cell from cell 1 on, and the checksum covers the cell", () => {
    const secret = newKeySecret("limited", 7);
    expect(secret).toMatch(/^parley_limited_c7_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/);
    expect(isMistyped(secret)).toBe(false);
    expect(isMistyped(secret.replace("_c7_", "_c8_"))).toBe(true);
    expect(isMistyped(secret.replace("_c7_", "_"))).toBe(true);
    expect(shownParts(secret)).toEqual(["parley_limited_c7_", secret.slice(-4)]);
    expect(newKeySecret("full", 0)).toMatch(/^parley_full_[0-9A-Za-z]{32}_/);
  });

  it("of another form is not called mistyped: it is looked up", () => {
    for (const other of ["", "x", "parley_full_short_000000", `parley_admin_${"0".repeat(32)}_000000`, "sk_live_123"])
      expect(isMistyped(other)).toBe(false);
  });

  it("uses all of its alphabet", () => {
    const seen = new Set(Array.from({ length: 200 }, () => newKeySecret("full").split("_")[2]).join(""));
    expect(seen.size).toBe(62);
  });

  it("is stored as its SHA-256 digest", () => {
    expect(digestOf("abc").equals(createHash("sha256").update("abc").digest())).toBe(true);
  });
});

describe("allowed addresses", () => {
  it.each(["10.0.0.0/8", "192.0.2.1", "0.0.0.0/0", "::1", "2001:db8::/32", "::ffff:1.2.3.4", " 10.0.0.1 "])(
    "take %s",
    (item) => expect(cidrProblems("f", [item])).toEqual([]),
  );

  it.each([
    "",
    "1",
    "10.1",
    "0x7f.1",
    "256.0.0.1",
    "10.0.0.0/33",
    "::/129",
    "10.0.0.0/",
    "/8",
    "localhost",
    "10.0.0.*",
  ])("refuse %j", (item) => expect(cidrProblems("f", ["10.0.0.1", item])[0]).toContain("f[1]"));

  it("become CIDRs, repeated ones folded", () => {
    expect(toCidrs(["10.0.0.1", "10.0.0.1/32", "::1", "10.0.0.0/8"])).toEqual(["10.0.0.1/32", "::1/128", "10.0.0.0/8"]);
    expect(toCidrs(undefined)).toBeUndefined();
  });

  it("match by range, an IPv4-mapped IPv6 address as IPv4", () => {
    expect(isWithin("10.1.2.3", ["10.0.0.0/8"])).toBe(true);
    expect(isWithin("11.1.2.3", ["10.0.0.0/8"])).toBe(false);
    expect(isWithin("::ffff:10.1.2.3", ["10.0.0.0/8"])).toBe(true);
    expect(isWithin("2001:db8::1", ["10.0.0.0/8", "2001:db8::/32"])).toBe(true);
    for (const odd of ["", "unknown", "10.1.2.3:80"]) expect(isWithin(odd, ["0.0.0.0/0", "::/0"])).toBe(false);
  });
});
