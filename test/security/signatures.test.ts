import fc from "fast-check";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { afterAll, beforeAll, expect, it } from "vitest";
import { scale, seeded } from "../support/proof.ts";
import { type Arrival, verify } from "../support/receiver.ts";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";

let fixture: WebhookFixture;
beforeAll(async () => {
  fixture = await startWebhookFixture();
});
afterAll(() => fixture.close());

const { seed } = seeded("random payloads");

/** Whether each public library takes it. */
const taken = (arrival: Arrival, secret: string, changed: Partial<Record<string, string>> = {}): boolean[] => {
  const headers = Object.fromEntries(
    ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => [
      name,
      changed[name] ?? String(arrival.headers[name]),
    ]),
  );
  return [new StandardWebhook(secret), new SvixWebhook(secret)].map((library) => {
    try {
      library.verify(changed.body ?? arrival.body, headers);
      return true;
    } catch {
      return false;
    }
  });
};

it("both public libraries verify every delivery of any text, with any secret, and none that was touched", async () => {
  const content = fc.record({
    body: fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 200 })
      .filter((text) => text.isWellFormed() && text.trim() !== ""),
    flip: fc.nat(),
  });
  const property = fc.asyncProperty(content, async ({ body, flip }) => {
    const hook = await fixture.createWebhook();
    const other = await fixture.createWebhook();
    await fixture.write(body);
    const [arrival] = (await fixture.receiver.waitFor(1, hook.path)) as [Arrival];
    const [elsewhere] = (await fixture.receiver.waitFor(1, other.path)) as [Arrival];
    expect(arrival.event.data.body).toBe(body);
    verify(arrival, hook.secret);
    verify(elsewhere, other.secret);

    // One bit of the body, one digit of the time, another event's id, another webhook's secret.
    const bytes = Buffer.from(arrival.body);
    const at = flip % bytes.length;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    const time = String(Number(arrival.headers["webhook-timestamp"]) - 1);
    for (const changed of [{ body: bytes.toString() }, { "webhook-timestamp": time }, { "webhook-id": "evt_0" }])
      expect(taken(arrival, hook.secret, changed), JSON.stringify(changed)).toEqual([false, false]);
    expect(taken(arrival, other.secret)).toEqual([false, false]);
    expect(taken(arrival, hook.secret)).toEqual([true, true]);
    for (const { id } of [hook, other]) await fixture.parley.call("DELETE", `/webhooks/${id}`);
  });
  await fc.assert(property, { seed, numRuns: scale(8, 60) });
});

it("while a secret is being changed both sign, and the old one alone no longer does after that", async () => {
  const hook = await fixture.createWebhook();
  const rotate = (overlap_seconds: number) =>
    fixture.parley.call("POST", `/webhooks/${hook.id}/rotate-secret`, { body: { overlap_seconds } });
  const second = (await rotate(60)).body.data.secret;
  await fixture.write("both");
  const [both] = (await fixture.receiver.waitFor(1, hook.path)) as [Arrival];
  verify(both, hook.secret);
  verify(both, second);

  const third = (await rotate(0)).body.data.secret;
  await fixture.write("the newest");
  const arrivals = await fixture.receiver.waitFor(2, hook.path);
  const last = arrivals.at(-1) as Arrival;
  verify(last, third);
  expect(taken(last, second)).toEqual([false, false]);
});
