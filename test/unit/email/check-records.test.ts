import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { checkRecords } from "../../../src/email/check/records.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const published = publicKey.export({ type: "spki", format: "der" }).toString("base64");

const dnsOf = (texts: Record<string, string[]>, exchanges: { priority: number; exchange: string }[] = []) => ({
  texts: async (name: string) => texts[name] ?? [],
  exchanges: async () => exchanges,
});
const mailbox = {
  address: "support@shop.example",
  inbound: { type: "http" as const },
  outbound: { host: "smtp.gmail.com", port: 465, security: "tls" as const, user: "a" },
  dkim: { domain: "shop.example", selector: "p1" },
};
const check = (dns: ReturnType<typeof dnsOf>, more: object = {}) =>
  checkRecords(dns, { mailbox: { ...mailbox, ...more }, privateKey: pem, ownHost: "chat.shop.example" });

describe("what DNS says about a mailbox", () => {
  it("is right where every record is", async () => {
    const found = await check(
      dnsOf(
        {
          "shop.example": ["something else", "v=spf1 include:_spf.google.com -all"],
          "p1._domainkey.shop.example": [`v=DKIM1; k=rsa; p=${published.slice(0, 50)} ${published.slice(50)}`],
          "_dmarc.shop.example": ["v=DMARC1; p=reject"],
        },
        [
          { priority: 20, exchange: "b.example" },
          { priority: 10, exchange: "a.example" },
        ],
      ),
    );
    expect(Object.values(found).map(({ ok }) => ok)).toEqual([true, true, true, true]);
    expect(found.mx.found).toBe("10 a.example\n20 b.example");
  });

  it("names the right record where one is missing or wrong", async () => {
    const found = await check(
      dnsOf({ "shop.example": ["v=spf1 mx -all"], "p1._domainkey.shop.example": ["v=DKIM1; p=other"] }),
      { inbound: { type: "smtp" } },
    );
    expect(found).toEqual({
      spf: { ok: false, found: "v=spf1 mx -all", expected: "v=spf1 include:_spf.google.com ~all" },
      dkim: { ok: false, found: "v=DKIM1; p=other", expected: `v=DKIM1; k=rsa; p=${published}` },
      dmarc: { ok: false, found: null, expected: "v=DMARC1; p=none; rua=mailto:support@shop.example" },
      mx: { ok: false, found: null, expected: "10 chat.shop.example" },
    });
  });

  it.each([
    ["mail.shop.example", "a:mail.shop.example"],
    ["192.0.2.7", "ip4:192.0.2.7"],
    ["2001:db8::7", "ip6:2001:db8::7"],
    ["127.0.0.1", "mx"],
  ])("names the server for sending in the SPF record as it is written (%s)", async (host, mechanism) => {
    const { spf } = await check(dnsOf({}), { outbound: { ...mailbox.outbound, host } });
    expect(spf.expected).toBe(`v=spf1 ${mechanism} ~all`);
  });

  it("refuses two SPF records, and takes the DMARC record of the domain above", async () => {
    const found = await check(
      dnsOf({
        "mail.shop.example": ["v=spf1 a -all", "v=spf1 mx -all"],
        "_dmarc.shop.example": ["v=DMARC1; p=none"],
      }),
      { address: "support@mail.shop.example", outbound: null, dkim: null },
    );
    expect(found.spf.ok).toBe(false);
    expect(found.dmarc.ok).toBe(true);
    expect(found.dkim).toEqual({ ok: true, found: null, expected: null });
  });
});
