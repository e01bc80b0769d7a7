import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { beforeMoment, until } from "../support/wait.ts";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";

let fixture: WebhookFixture;
let narrow: string;
beforeAll(async () => {
  fixture = await startWebhookFixture();
  narrow = (await fixture.parley.createKey({ name: "narrow", type: "webhook" })).key;
});
afterAll(() => fixture.close());

const call: WebhookFixture["parley"]["call"] = (...args) => fixture.parley.call(...args);

/** A webhook on `*`, created by a key that may receive key events, and sent one. */
async function hearing() {
  const webhook = await fixture.createWebhook({ events: ["*"] });
  await fixture.parley.createKey({ name: "reported" });
  const [log] = await fixture.waitForLogs(webhook, 1, "?event_type=api_key.created");
  return { webhook, log };
}

describe("a key without api-keys:manage, at a webhook that receives key events", () => {
  it("does not see the body of a key event in the log; one that holds it does", async () => {
    const { webhook, log } = await hearing();
    const path = `/webhooks/${webhook.id}/logs/${log.id}`;
    expect((await call("GET", path, { key: narrow })).body.data.request.body).toBeNull();
    expect(JSON.parse((await call("GET", path)).body.data.request.body).type).toBe("api_key.created");
  });

  it("cannot have a key event sent again, nor recovered", async () => {
    const { webhook, log } = await hearing();
    const path = `/webhooks/${webhook.id}/logs/${log.id}/redeliver`;
    expect((await call("POST", path, { key: narrow })).status).toBe(403);
    expect((await call("POST", path)).status).toBe(202);
    await call("POST", `/webhooks/${webhook.id}/disable`);
    await fixture.parley.createKey({ name: "missed" });
    await call("POST", `/webhooks/${webhook.id}/enable`);
    const body = { since: "2020-01-01", dry_run: true };
    const counts = async (key?: string) =>
      (await call("POST", `/webhooks/${webhook.id}/recover`, { body, ...(key ? { key } : {}) })).body.data.events;
    expect((await counts()) - (await counts(narrow))).toBe(1);
  });

  it("receives a 403 before a 422", async () => {
    const body = { name: "", url: "http://10.0.0.1", events: ["api_key.created"] };
    expect((await call("POST", "/webhooks", { key: narrow, body })).status).toBe(403);
  });
});

describe("a request that was valid when it was made", () => {
  it("is replayed by its Idempotency-Key even where it would no longer be valid", async () => {
    const { body, headers, first } = await beforeMoment(1_500, async (moment) => {
      const body = { name: "short", expires_at: moment.toISOString() };
      const headers = { "idempotency-key": `until ${body.expires_at}` };
      const first = await call("POST", "/api-keys", { body, headers });
      expect(first.status, first.text).toBe(201);
      return { body, headers, first };
    });
    await until("the key has expired", () => Date.now() >= Date.parse(body.expires_at));
    const again = await call("POST", "/api-keys", { body, headers });
    expect(again.status).toBe(409);
    expect(again.body.error.message).toContain(String(first.body.data.id));
  });
});
