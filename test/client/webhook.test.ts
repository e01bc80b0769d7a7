import { signWebhook, unwrapWebhook, WebhookVerificationError } from "@parley/client";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { newSigningSecret } from "../../src/webhooks/signing.ts";

const secret = newSigningSecret();
const event = {
  id: "evt_1",
  type: "message.created",
  timestamp: "2026-07-14T10:00:00+00:00",
  data: { body: "Grüße 👋" },
  actor: { type: "contact", id: 7, name: "Ada" },
};
const body = JSON.stringify(event);

describe("unwrapWebhook", () => {
  it("returns the event of a delivery that another Standard Webhooks library signed", async () => {
    const now = new Date();
    const headers = {
      "Webhook-Id": "evt_1",
      "Webhook-Timestamp": String(Math.floor(now.getTime() / 1_000)),
      "Webhook-Signature": `v1,bm9uc2Vuc2U= ${new Webhook(secret).sign("evt_1", now, body)}`,
    };
    expect(await unwrapWebhook(body, headers, secret)).toEqual(event);
    expect(await unwrapWebhook(new TextEncoder().encode(body), new Headers(headers), secret)).toEqual(event);
    expect(await unwrapWebhook(body, headers, [newSigningSecret(), secret])).toEqual(event);
  });

  it("says what to pass instead of a body that was parsed", async () => {
    const headers = await signWebhook("evt_1", body, secret);
    for (const parsed of [event, [event], null, undefined])
      await expect(unwrapWebhook(parsed as never, headers, secret)).rejects.toThrow(/not parsed.*express\.raw/);
    await expect(unwrapWebhook(Buffer.from(body), headers, secret)).resolves.toEqual(event);
    await expect(unwrapWebhook(new TextEncoder().encode(body).buffer, headers, secret)).resolves.toEqual(event);
  });

  it("signs so that another Standard Webhooks library accepts it", async () => {
    const headers = await signWebhook("evt_1", body, secret);
    expect(new Webhook(secret).verify(body, headers)).toEqual(event);
  });

  it("refuses a changed body, another secret, a missing header and a timestamp that is too old or too new", async () => {
    const headers = await signWebhook("evt_1", body, secret);
    const refused = (...args: Parameters<typeof unwrapWebhook>) =>
      expect(unwrapWebhook(...args)).rejects.toBeInstanceOf(WebhookVerificationError);
    await refused(`${body} `, headers, secret);
    await refused(body, headers, newSigningSecret());
    await refused(body, { ...headers, "webhook-signature": undefined }, secret);
    await refused(body, { ...headers, "webhook-id": "evt_2" }, secret);
    for (const shift of [-301_000, 302_000])
      await refused(body, await signWebhook("evt_1", body, secret, new Date(Date.now() + shift)), secret);
  });

  it.each([undefined, "", []])("says that the secret is missing when it is given %j", async (missing) => {
    const body = JSON.stringify({ id: "evt_1", type: "message.created" });
    const headers = await signWebhook("evt_1", body, `whsec_${btoa("0".repeat(32))}`);
    await expect(unwrapWebhook(body, headers, missing as never)).rejects.toThrow("The secret is missing");
  });

  it("returns an event that this version does not know as type unknown, with its name", async () => {
    const news = JSON.stringify({ ...event, type: "planet.discovered" });
    const unwrapped = await unwrapWebhook(news, await signWebhook("evt_1", news, secret), secret);
    expect(unwrapped).toEqual({ ...event, type: "unknown", name: "planet.discovered" });
  });
});
