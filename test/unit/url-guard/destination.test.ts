import { describe, expect, it } from "vitest";
import {
  checkDestination,
  createAddressPolicy,
  type Lookup,
  parseDestination,
  REFUSED_MESSAGE,
} from "../../../src/url-guard/index.ts";
import { atMost } from "../../support/proof.ts";

const closed = createAddressPolicy({ allowedCidrs: [] });
const loopback = createAddressPolicy({ allowedCidrs: ["127.0.0.0/8"] });
const REFUSED = { ok: false, message: REFUSED_MESSAGE };

function resolvesTo(...addresses: string[]): Lookup {
  return async () => addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
}

const notFound: Lookup = () => Promise.reject(Object.assign(new Error("not found"), { code: "ENOTFOUND" }));

describe("parseDestination", () => {
  it.each([
    ["http://example.com/", null],
    ["https://example.com:8443/a/b?c=d#e", null],
    ["HTTPS://EXAMPLE.COM", null],
    ["http://example.com./x", null],
    ["http://under_score.example.com/", null],
    ["http://bücher.example/", null],
    ["http://localhost:3000/", null],
    ["http://8.8.8.8/", "8.8.8.8"],
    ["http://[2606:4700::1111]:8080/", "2606:4700::1111"],
    ["http://127.1/", "127.0.0.1"],
    ["http://0/", "0.0.0.0"],
    ["http://0x7f.0.0.1./", "127.0.0.1"],
    ["http://①②⑦.0.0.1/", "127.0.0.1"],
  ])("takes %s", (text, literal) => {
    expect(parseDestination(text)).toMatchObject({ ok: true, literal });
  });

  it.each([
    "",
    "example.com",
    "//example.com/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "http:",
    "http://",
    "http:///example.com",
    "http:example.com",
    "http:\\\\example.com\\",
    "http://\\example.com",
    "http://user@example.com/",
    "http://user:pass@example.com/",
    "http://@example.com/",
    "http://:@example.com/",
    "http://exa mple.com/",
    " http://example.com/",
    "http://example.com/ ",
    "http://example.com/a b",
    "http://exam\tple.com/",
    "http://example.com/\n",
    "http://example.com/\u0000",
    "http://example.com/\u007f",
    "http://example.com/\u00a0",
    "http://a..b/",
    "http://./",
    "http://127.0.0.1../",
    "http://.example.com/",
    "http://-example.com/",
    "http://example-.com/",
    "http://a*b.com/",
    "http://1.2.3.4.5/",
    "http://256.256.256.256/",
    "http://[::1",
    "http://[fe80::1%25eth0]/",
    "http://example.com:0/",
    "http://example.com:65536/",
    "http://example.com:abc/",
    `http://${"a".repeat(64)}.com/`,
    `http://${"a.".repeat(127)}com/`,
    `http://example.com/${"a".repeat(2030)}`,
  ])("refuses %j as malformed", (text) => {
    const parsed = parseDestination(text);
    expect(parsed.ok).toBe(false);
    if (!parsed.ok) expect(parsed.message).toMatch(/^The (host of the )?url .*\.$/);
  });

  it("takes exactly 2,048 characters", () => {
    const base = "http://example.com/";
    expect(parseDestination(base + "a".repeat(2048 - base.length)).ok).toBe(true);
    expect(parseDestination(base + "a".repeat(2049 - base.length)).ok).toBe(false);
  });

  it("does not mistake an @ in the path for user info", () => {
    expect(parseDestination("http://example.com/@team?x=a@b").ok).toBe(true);
  });
});

describe("checkDestination", () => {
  it.each([
    "http://127.0.0.1:1/",
    "http://10.0.0.1/",
    "http://2130706433/",
    "http://0177.0.0.1/",
    "http://169.254.169.254/latest/meta-data",
    "http://[::1]/",
    "http://[::ffff:7f00:1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[2002:7f00:1::]/",
    "http://[fd00:ec2::254]/",
  ])("refuses the literal %s without a lookup", async (url) => {
    const lookup: Lookup = () => expect.fail("looked up");
    expect(await checkDestination(url, { policy: closed, lookup })).toEqual(REFUSED);
  });

  it.each([
    "localhost",
    "LOCALHOST",
    "localhost.",
    "foo.localhost",
    "printer.local",
    "metadata.google.internal",
    "router.home.arpa",
    "localhost.localdomain",
    "ip6-localhost",
    "ip6-loopback",
    "db",
    "nas.lan",
  ])("refuses the local name %s whether it resolves or not", async (host) => {
    for (const lookup of [
      notFound,
      resolvesTo("127.0.0.1"),
      resolvesTo("8.8.8.8"),
      resolvesTo("127.0.0.1", "8.8.8.8"),
    ]) {
      expect(await checkDestination(`http://${host}/`, { policy: closed, lookup })).toEqual(REFUSED);
    }
    expect(await checkDestination(`http://${host}/`, { policy: loopback, lookup: notFound })).toEqual(REFUSED);
  });

  it("takes a local name once the operator opened every address it has", async () => {
    const url = "http://localhost:3000/hook";
    expect(await checkDestination(url, { policy: loopback, lookup: resolvesTo("127.0.0.1") })).toEqual({
      ok: true,
      resolves: true,
    });
    const both = resolvesTo("::1", "127.0.0.1");
    expect(await checkDestination(url, { policy: loopback, lookup: both })).toEqual(REFUSED);
    const open = createAddressPolicy({ allowedCidrs: ["127.0.0.0/8", "::1/128"] });
    expect(await checkDestination(url, { policy: open, lookup: both })).toEqual({ ok: true, resolves: true });
    expect(await checkDestination(url, { policy: open, lookup: resolvesTo("127.0.0.1", "8.8.8.8") })).toEqual(REFUSED);
  });

  it.each([[["10.0.0.1"]], [["8.8.8.8", "10.0.0.1"]], [["::ffff:10.0.0.1"]], [["2606:4700::1111", "fe80::1"]]])(
    "refuses a public name that resolves to %j",
    async (addresses) => {
      const lookup = resolvesTo(...addresses);
      expect(await checkDestination("https://hooks.example.com/", { policy: closed, lookup })).toEqual(REFUSED);
    },
  );

  it("takes a public name with public addresses", async () => {
    const lookup = resolvesTo("8.8.8.8", "2606:4700::1111");
    expect(await checkDestination("https://hooks.example.com/", { policy: closed, lookup })).toEqual({
      ok: true,
      resolves: true,
    });
  });

  it("takes a public name that does not resolve, or not in time", async () => {
    const url = "https://hooks.example.com/";
    expect(await checkDestination(url, { policy: closed, lookup: notFound })).toEqual({ ok: true, resolves: false });
    expect(await checkDestination(url, { policy: closed, lookup: resolvesTo() })).toEqual({
      ok: true,
      resolves: false,
    });
    const never: Lookup = () => new Promise(() => {});
    const startedAt = performance.now();
    expect(await checkDestination(url, { policy: closed, lookup: never, timeoutMs: 30 })).toEqual({
      ok: true,
      resolves: false,
    });
    expect(performance.now() - startedAt).toBeLessThan(atMost(1_000));
    expect(await checkDestination("http://localhost/", { policy: loopback, lookup: never, timeoutMs: 30 })).toEqual(
      REFUSED,
    );
  });

  it("words a refusal the same for every port, path and reason", async () => {
    const urls = ["http://127.0.0.1:22/", "http://127.0.0.1:1/x", "https://10.1.2.3/", "http://localhost/"];
    const messages = await Promise.all(urls.map((url) => checkDestination(url, { policy: closed, lookup: notFound })));
    expect(new Set(messages.map((verdict) => JSON.stringify(verdict))).size).toBe(1);
  });
});
