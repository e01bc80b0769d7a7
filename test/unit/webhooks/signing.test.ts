import fc from "fast-check";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, it } from "vitest";
import { newSigningSecret, signatureHeader, signingKey } from "../../../src/webhooks/signing.ts";

describe("signatures", () => {
  it("of any body verify with both public libraries", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.uuid(), (text, id) => {
        const secret = newSigningSecret();
        const body = JSON.stringify({ text });
        const timestamp = Math.floor(Date.now() / 1_000);
        const headers = {
          "webhook-id": id,
          "webhook-timestamp": String(timestamp),
          "webhook-signature": signatureHeader([signingKey(secret)], id, timestamp, body),
        };
        expect(new StandardWebhook(secret).verify(body, headers)).toEqual({ text });
        expect(new SvixWebhook(secret).verify(body, headers)).toEqual({ text });
      }),
    );
  });

  it("have one part per secret, newest first, separated by a space", () => {
    const keys = [newSigningSecret(), newSigningSecret()].map(signingKey);
    const header = signatureHeader(keys, "evt_1", 1, "{}");
    expect(header.split(" ")).toEqual(keys.map((key) => signatureHeader([key], "evt_1", 1, "{}")));
    expect(header).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/);
  });

  it("have secrets of 24 to 64 random bytes, none twice", () => {
    const secrets = Array.from({ length: 1_000 }, newSigningSecret);
    expect(new Set(secrets).size).toBe(1_000);
    for (const secret of secrets.slice(0, 20)) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/);
      const { length } = Buffer.from(secret.slice("whsec_".length), "base64");
      expect(length).toBeGreaterThanOrEqual(24);
      expect(length).toBeLessThanOrEqual(64);
    }
  });
});
