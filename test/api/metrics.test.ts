import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startParley, type TestParley } from "../support/parley.ts";

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley({ PARLEY_METRICS_PORT: "0" });
});
afterAll(() => parley.close());

describe("metrics", () => {
  it("are served on a port of their own, and count requests by route and status", async () => {
    await parley.call("GET", "/me");
    await parley.call("GET", "/webhooks/424242");
    const response = await fetch(parley.app.metrics?.url ?? "");
    const text = await response.text();
    expect(response.headers.get("content-type")).toContain("text/plain");
    expect(text).toMatch(/parley_http_request_seconds_count\{method="GET",route="\/api\/v1\/me",status="200"\} 1/);
    expect(text).toMatch(/route="\/api\/v1\/webhooks\/:webhook",status="404"/);
    for (const name of [
      "parley_delivery_in_flight",
      "parley_delivery_attempts_total",
      "parley_delivery_pending 0",
      "parley_delivery_webhooks_failing 0",
      "parley_database_connections",
    ])
      expect(text).toContain(name);
  });

  it("are not served by the API's port, and hold no key", async () => {
    expect((await parley.call("GET", "//metrics", { key: null })).status).toBe(404);
    expect(await (await fetch(parley.app.metrics?.url ?? "")).text()).not.toContain(parley.key);
  });

  it("are off unless a port is given", async () => {
    const plain = await startParley();
    expect(plain.app.metrics).toBeNull();
    await plain.close();
  });
});
