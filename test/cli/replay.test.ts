import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureBuilt, hostedCommand } from "../support/cli.ts";
import { type Receiver, respondWith, startReceiver, verify } from "../support/receiver.ts";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the response holds
type Any = any;

let fixture: WebhookFixture;
let candidate: Receiver;
let webhook: Any;
beforeAll(async () => {
  await ensureBuilt();
  fixture = await startWebhookFixture();
  candidate = await startReceiver();
  webhook = await fixture.createWebhook({ template: { text: "{{ data.body }}" } });
  for (const text of ["one", "two", "three"]) await fixture.write(text);
  await fixture.waitForLogs(webhook, 3);
});
afterAll(async () => {
  await candidate?.close();
  await fixture?.close();
});

const run = (...args: string[]) =>
  hostedCommand(["replay", "--webhook", String(webhook.id), "--rate", "100", ...args], {
    PARLEY_URL: fixture.parley.url,
    PARLEY_KEY: fixture.parley.key,
  });

describe("parley replay", () => {
  it("sends recorded bodies to a candidate, signed, marked, oldest first, and reports equal responses", async () => {
    const { code, stdout } = await run("--to", candidate.url("/same"), "--last", "2", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout).summary).toMatchObject({ sent: 2, same: 2, different_status: 0, different_body: 0 });
    const arrivals = candidate.at("/same");
    expect(arrivals.map(({ body }) => JSON.parse(body).text)).toEqual(["two", "three"]);
    for (const arrival of arrivals) {
      verify(arrival, webhook.secret);
      expect(arrival.headers["parley-replay"]).toBe("1");
    }
  });

  it("reports how the responses of a candidate differ, as a table and as JSON", async () => {
    candidate.behave(respondWith(500), "/other");
    const { code, stdout } = await run("--to", candidate.url("/other"));
    expect(code).toBe(0);
    expect(stdout).toMatch(/message\.created +200 → 500 /);
    expect(stdout).toContain("3 sent, 0 with the same response, 3 different.");
    const { events } = JSON.parse((await run("--to", candidate.url("/other"), "--json")).stdout);
    expect(events[0]).toMatchObject({
      event_type: "message.created",
      recorded: { status: 200, error: null, body_digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
      candidate: { status: 500, error: "HTTP 500" },
    });
    expect(events[0].differs).toContain("status");
  });

  it("refuses the webhook's own address, however it is written, and sends nothing there", async () => {
    const before = fixture.receiver.at(webhook.path).length;
    const { origin, pathname } = new URL(webhook.url);
    const encoded = `%${pathname.charCodeAt(1).toString(16)}${pathname.slice(2)}`;
    const hosts = ["localhost", "0.0.0.0", "[::ffff:127.0.0.1]"];
    const elsewhere = hosts.map((host) => `${origin.replace("127.0.0.1", host)}${pathname}`);
    const paths = [`${pathname}?again=1`, `${pathname}/#a`, `/${pathname}`, `/${encoded}`];
    for (const address of [...paths.map((path) => origin + path), ...elsewhere]) {
      const { code, stderr } = await run("--to", address);
      expect([address, code, stderr.includes("own address")]).toEqual([address, 1, true]);
      expect(fixture.receiver.at(webhook.path)).toHaveLength(before);
    }
  });

  it("refuses an address with user name and password, which no request may have", async () => {
    const { code, stderr } = await run("--to", candidate.url("/x").replace("//", "//user@"));
    expect([code, stderr.includes("without user name")]).toEqual([1, true]);
  });

  it("reports a candidate that does not respond", async () => {
    candidate.behave((response) => response.socket?.destroy(), "/gone");
    const { events } = JSON.parse((await run("--to", candidate.url("/gone"), "--last", "1", "--json")).stdout);
    expect(events).toMatchObject([{ candidate: { status: 0, error: expect.any(String) } }]);
  });
});
