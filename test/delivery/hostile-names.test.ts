import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { serveDns } from "../support/dns-server.ts";
import { until } from "../support/wait.ts";
import { startWebhookFixture } from "../support/webhook-fixture.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A name server that knows one name, and says nothing about any name below `silent.example`. */
async function startNameServer() {
  const socket = createSocket("udp4");
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const dns = serveDns(socket, { isSilent: (name) => name.endsWith(".silent.example") });
  dns.set("hooks.good.example", ["127.0.0.1"]);
  closers.push(() => dns.close());
  return `127.0.0.1:${(socket.address() as AddressInfo).port}`;
}

describe("a workspace whose name servers never respond", () => {
  it("does not delay the deliveries of another workspace", async () => {
    const fixture = await startWebhookFixture({
      PARLEY_DNS_SERVERS: await startNameServer(),
      PARLEY_RETRY_SCHEDULE: "1",
    });
    closers.push(fixture.close);
    const attacker = await fixture.parley.createWorkspace();
    const port = new URL(fixture.receiver.url()).port;
    const silent = Array.from({ length: 40 }, (_, index) => `http://h${index}.silent.example:${port}/`);
    await Promise.all(silent.map((url) => fixture.createWebhook({ url, timeout_seconds: 60 }, { key: attacker.key })));
    const victim = await fixture.createWebhook({ url: `http://hooks.good.example:${port}/victim` });
    const conversation = await fixture.parley.call("POST", "/conversations", { key: attacker.key, body: {} });
    const attack = (text: string) =>
      fixture.parley.call("POST", `/conversations/${conversation.body.data.id}/messages`, {
        key: attacker.key,
        body: { body: text },
      });

    await attack("first");
    await until("a lookup of the attacker has failed", async () => {
      const rows = await fixture.parley.database.query(
        "select 1 from delivery_attempts where not delivered and error_message like '%name server%'",
      );
      return rows.length > 0;
    });
    const attemptsAtLastAttack = () =>
      fixture.parley.database.query(
        `select 1 from delivery_attempts
         where event_id = (select max(id) from events where workspace_id = $1)`,
        [attacker.id],
      );
    for (let round = 0; round < 5; round++) {
      await attack(`round ${round}`);
      await fixture.write(`victim ${round}`);
      // With four threads of getaddrinfo in the way this took longer than 150 s.
      await fixture.receiver.waitFor(round + 1, "/victim", 10_000);
      // On a busy machine everything takes longer. What counts is the order: it did not wait for lookups to time out.
      expect((await attemptsAtLastAttack()).length).toBeLessThan(silent.length);
    }
    await fixture.waitForLogs(victim, 5);
  });
});

describe("a webhook that points at Parley's own API", () => {
  it("is refused by the API with a clear error and causes nothing", async () => {
    const fixture = await startWebhookFixture({ PARLEY_RETRY_SCHEDULE: "3600" });
    closers.push(fixture.close);
    const webhook = await fixture.createWebhook({
      url: `${fixture.parley.url}/api/v1/contacts`,
      events: ["contact.created"],
      headers: { authorization: `Bearer ${fixture.parley.key}` },
    });
    await fixture.parley.call("POST", "/contacts", { body: { name: "one" } });
    const [log] = await fixture.waitForLogs(webhook, 1);
    expect(log).toMatchObject({ status: "failed", response_code: 508 });
    const detail = await fixture.parley.call("GET", `/webhooks/${webhook.id}/logs/${log.id}`);
    expect(JSON.stringify(detail.body)).toContain("LOOP_DETECTED");
    expect((await fixture.parley.call("GET", "/contacts")).body.meta.pagination.total).toBe(1);
  });

  it("cannot hide what it is by a header of its own", async () => {
    const fixture = await startWebhookFixture();
    closers.push(fixture.close);
    const body = fixture.valid({ headers: { "Parley-Delivery": "" } });
    const reply = await fixture.parley.call("POST", "/webhooks", { body });
    expect(reply.status).toBe(422);
    expect(reply.body.error.details.headers[0]).toContain("reserved");
  });
});

describe("the port policy", () => {
  it("refuses ports of other services and takes every other one by default", async () => {
    const fixture = await startWebhookFixture();
    closers.push(fixture.close);
    for (const port of [22, 25, 465, 587, 3306, 5432, 6379, 9200, 11211, 27017]) {
      const body = fixture.valid({ url: `http://127.0.0.1:${port}/` });
      const reply = await fixture.parley.call("POST", "/webhooks", { body });
      expect(reply.status, String(port)).toBe(422);
      expect(reply.body.error.details.url).toEqual([`The url must not use port ${port}.`]);
    }
    await fixture.createWebhook({ url: "http://127.0.0.1:3000/" });
  });

  it("takes only what the settings allow, and leaves existing webhooks alone", async () => {
    const fixture = await startWebhookFixture();
    closers.push(fixture.close);
    const existing = await fixture.createWebhook();
    const strict = await startWebhookFixture(
      { PARLEY_WEBHOOK_HTTPS_ONLY: "true", PARLEY_WEBHOOK_PORTS: "443,8000-8999" },
      fixture.parley.database,
    );
    closers.push(strict.close);
    const refusal = async (url: string) => {
      const reply = await strict.parley.call("POST", "/webhooks", { body: strict.valid({ url }) });
      return reply.body.error?.details.url[0];
    };
    expect(await refusal("http://127.0.0.1:8080/")).toBe("The url must start with https://.");
    expect(await refusal("https://127.0.0.1:9000/")).toBe("The url must not use port 9000.");
    expect(await refusal("https://127.0.0.1:8443/")).toBeUndefined();
    expect(await refusal("https://127.0.0.1\\@example.com/")).toBe("The url must not contain a backslash.");
    const test = await strict.parley.call("POST", `/webhooks/${existing.id}/test`);
    expect(test.body.data).toMatchObject({ success: true });
  });
});
