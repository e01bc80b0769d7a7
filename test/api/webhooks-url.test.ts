import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";

/** The production policy: no range is open. */
let fixture: WebhookFixture;
beforeAll(async () => {
  fixture = await startWebhookFixture({ PARLEY_ALLOWED_CIDRS: "" });
});
afterAll(() => fixture.close());

const REFUSED = "The url must not point to a private or reserved address.";
const create = (url: unknown) => fixture.parley.call("POST", "/webhooks", { body: fixture.valid({ url }) });

async function refusal(url: unknown): Promise<string[]> {
  const reply = await create(url);
  expect(reply.status, `${url}: ${reply.text}`).toBe(422);
  expect(Object.keys(reply.body.error.details)).toEqual(["url"]);
  return reply.body.error.details.url;
}

describe("the url of a webhook", () => {
  it.each([
    "https://Example.COM",
    "http://example.com:8080/Path?q=%41&b=ü#fragment",
    "HTTPS://example.com/a/../b//c",
    "http://8.8.8.8/hook",
    "http://[2606:4700:4700::1111]/hook",
    "https://xn--bcher-kva.example/",
  ])("is returned exactly as it was given: %s", async (url) => {
    const reply = await create(url);
    expect(reply.status, reply.text).toBe(201);
    expect(reply.body.data.url).toBe(url);
    const read = await fixture.parley.call("GET", `/webhooks/${reply.body.data.id}`);
    expect(read.body.data.url).toBe(url);
  });

  it("may be a name that does not resolve", async () => {
    expect((await create("https://nobody-has-this-name.example/hook")).status).toBe(201);
    expect((await create("https://hooks.invalid/")).status).toBe(201);
  });

  it("has at most 2,048 characters", async () => {
    const base = "https://nobody.example/";
    expect((await create(base + "a".repeat(2_048 - base.length))).status).toBe(201);
    expect(await refusal(base + "a".repeat(2_049 - base.length))).toEqual([
      "The url must not be longer than 2048 characters.",
    ]);
  });

  it.each([
    "",
    "example.com",
    "/hook",
    "ftp://example.com",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "http:/example.com",
    "http:example.com",
    "http:///example.com",
    "http://",
    "https://exa mple.com",
    " https://example.com",
    "https://example.com\n",
    "http://example.com:99999/",
    "http://[::1",
    "http://1.2.3.4.5/",
    "http://-bad-.example/",
  ])("is http or https, with a host: %j is refused", async (url) => {
    expect((await refusal(url))[0]).toMatch(/^The (url|host)/);
  });

  it.each([
    "http://user@example.com",
    "http://user:secret@example.com",
    "http://:@example.com/",
    "http://@example.com",
  ])("has no user info: %s is refused", async (url) => {
    expect((await refusal(url))[0]).toBe("The url must not contain a user name or password.");
  });
});

describe("a private destination", () => {
  it.each([
    "http://127.0.0.1/",
    "http://127.1/",
    "http://127.0.0.1./",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0x7f.0.0.1/",
    "http://0177.0.0.1/",
    "http://017700000001/",
    "http://%31%32%37.0.0.1/",
    "http://１２７.0.0.1/",
    "http://0/",
    "http://0.0.0.0/",
    "http://10.0.0.1/",
    "http://10.1/",
    "http://172.16.0.1/",
    "http://172.31.255.255/",
    "http://192.168.1.1/",
    "http://192.168.257/",
    "http://169.254.169.254/latest/meta-data/",
    "http://100.64.0.1/",
    "http://198.18.0.1/",
    "http://192.0.2.1/",
    "http://224.0.0.1/",
    "http://240.0.0.1/",
    "http://255.255.255.255/",
    "http://[::]/",
    "http://[::1]/",
    "http://[0:0:0:0:0:0:0:1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[::127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[2002:7f00:1::]/",
    "http://[2001:0:7f00:1::]/",
    "http://[fc00::1]/",
    "http://[fe80::1]/",
    "http://[ff02::1]/",
    "http://localhost/",
    "http://LOCALHOST:8080/",
    "http://localhost./",
    "http://a.localhost/",
    "http://printer.local/",
    "http://db/",
    "http://metadata.google.internal/",
  ])("is refused in every spelling: %s", async (url) => {
    expect(await refusal(url)).toEqual([REFUSED]);
  });

  it("is refused in the same words whether anything listens there or not", async () => {
    const { port } = new URL(fixture.receiver.url());
    expect(await refusal(`http://127.0.0.1:${port}/`)).toEqual(await refusal("http://127.0.0.1:1/"));
    expect(fixture.receiver.arrivals).toEqual([]);
  });

  it("is refused by PATCH too, and the webhook keeps its url", async () => {
    const { data } = (await create("https://nobody.example/")).body;
    const reply = await fixture.parley.call("PATCH", `/webhooks/${data.id}`, { body: { url: "http://10.0.0.1/" } });
    expect(reply.status).toBe(422);
    expect(reply.body.error.details).toEqual({ url: [REFUSED] });
    expect((await fixture.parley.call("GET", `/webhooks/${data.id}`)).body.data.url).toBe("https://nobody.example/");
  });

  it("is refused by test with a 422 on url, and nothing is sent", async () => {
    const { data } = (await create("https://nobody.example/")).body;
    // As if the operator had closed the range after the webhook was made.
    await fixture.parley.database.query("update webhooks set url = $2 where id = $1", [
      data.id,
      fixture.receiver.url(),
    ]);
    const reply = await fixture.parley.call("POST", `/webhooks/${data.id}/test`);
    expect(reply.status).toBe(422);
    expect(reply.body.error).toMatchObject({ code: "VALIDATION_ERROR", details: { url: [REFUSED] } });
    expect(fixture.receiver.arrivals).toEqual([]);
    expect((await fixture.logs(data)).data).toEqual([]);
  });

  it("is refused at delivery: logged as a failure without a response, retried, and nothing is sent", async () => {
    const reply = await fixture.parley.call("POST", "/webhooks", {
      body: fixture.valid({ url: "https://nobody.example/", retry_count: 2 }),
    });
    const webhook = reply.body.data;
    await fixture.parley.database.query("update webhooks set url = $2, version = version + 1 where id = $1", [
      webhook.id,
      fixture.receiver.url(),
    ]);
    await fixture.write();
    const logs = await fixture.waitForLogs(webhook, 3);
    for (const log of logs) {
      expect(log).toMatchObject({ status: "failed", response_code: 0, event_type: "message.created" });
      expect(log.error_message).toMatch(/private|address|refused|allowed/i);
      expect(log.error_message).not.toContain("127.0.0.1");
    }
    expect(logs.map(({ attempt }: { attempt: number }) => attempt)).toEqual([3, 2, 1]);
    expect(fixture.receiver.arrivals).toEqual([]);
  });
});

describe("PARLEY_ALLOWED_CIDRS", () => {
  it("opens what it names and nothing else", async () => {
    const open = await startWebhookFixture({ PARLEY_ALLOWED_CIDRS: "127.0.0.0/8" });
    try {
      const status = async (url: string) =>
        (await open.parley.call("POST", "/webhooks", { body: open.valid({ url }) })).status;
      expect(await status("http://127.0.0.1:9/")).toBe(201);
      expect(await status("http://127.1.2.3/")).toBe(201);
      expect(await status("http://0x7f000001/")).toBe(201);
      expect(await status("http://10.0.0.1/")).toBe(422);
      expect(await status("http://[::1]/")).toBe(422);
    } finally {
      await open.close();
    }
  });
});
