import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { type Receiver, respondWith, startReceiver } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

interface CollectedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  status: { code?: number };
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

const CLIENT_TRACE = "0af7651916cd43dd8448eb211c80319c";
const CLIENT_SPAN = "b7ad6b7169203331";
const COLLECTOR_KEY = "a-key-of-the-collector";

/** Takes OTLP over HTTP, as a collector does. */
const collected: CollectedSpan[] = [];
let collectorKey: string | undefined;
let collector: Server;
let database: TestDatabase;
let receiver: Receiver;
/** `front` takes requests, `back` delivers. */
let front: TestParley;
let back: TestParley;

beforeAll(async () => {
  collector = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      collectorKey = request.headers["x-key"] as string;
      for (const { scopeSpans } of JSON.parse(body).resourceSpans)
        for (const { spans } of scopeSpans) collected.push(...spans);
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  const settings = {
    PARLEY_TRACES_URL: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`,
    PARLEY_TRACES_HEADERS: `x-key=${COLLECTOR_KEY}`,
    PARLEY_RETRY_SCHEDULE: "0.1",
  };
  database = await createTestDatabase();
  receiver = await startReceiver();
  front = await startParley(settings, database, { deliver: false });
  back = await startParley(settings, database);
});
afterAll(async () => {
  await receiver.close();
  await front.close();
  await back.close();
  collector.closeAllConnections();
  await new Promise((resolve) => collector.close(resolve));
  await database.drop();
});

const spansOf = (traceId: string) => collected.filter((span) => span.traceId === traceId);
const attribute = (span: CollectedSpan | undefined, key: string) =>
  Object.values(span?.attributes.find((one) => one.key === key)?.value ?? {})[0];

async function created(path: string, body: object, headers: Record<string, string> = {}) {
  const reply = await front.call("POST", path, { body, headers });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data;
}

describe("traces", () => {
  it("lead from the client's request to every attempt of its delivery on another node", async () => {
    await created("/webhooks", { name: "t", url: receiver.url("/t"), events: ["message.created"] });
    const { id } = await created("/conversations", {});
    let failures = 1;
    receiver.behave((response, arrival) => respondWith(failures-- > 0 ? 500 : 200)(response, arrival), "/t");
    await created(
      `/conversations/${id}/messages`,
      { body: "a body that no span holds" },
      { traceparent: `00-${CLIENT_TRACE}-${CLIENT_SPAN}-01` },
    );
    const arrivals = await receiver.waitFor(2, "/t");
    const spans = await until("the spans have been collected", () => {
      const found = spansOf(CLIENT_TRACE);
      return found.length >= 3 ? found : null;
    });

    const request = spans.find(({ name }) => name === "POST /api/v1/conversations/:conversation/messages");
    expect(request?.parentSpanId).toBe(CLIENT_SPAN);
    expect(attribute(request, "http.response.status_code")).toBe(201);
    const attempts = spans.filter(({ name }) => name === "deliver message.created");
    expect(attempts.map(({ parentSpanId }) => parentSpanId)).toEqual([request?.spanId, request?.spanId]);
    expect(attempts.map((span) => attribute(span, "parley.attempt"))).toEqual([1, 2]);
    expect(attempts.map((span) => attribute(span, "http.response.status_code"))).toEqual([500, 200]);
    expect(attempts.map(({ status }) => status.code ?? 0)).toEqual([2, 0]);
    expect(arrivals.map(({ headers }) => headers.traceparent)).toEqual(
      attempts.map(({ spanId }) => `00-${CLIENT_TRACE}-${spanId}-01`),
    );
    expect(collectorKey).toBe(COLLECTOR_KEY);
    const text = JSON.stringify(collected);
    for (const secret of ["a body that no span holds", front.key, COLLECTOR_KEY]) expect(text).not.toContain(secret);
  });

  it("begin at Parley where the client sends none, one per request, also for writes in one batch", async () => {
    const { id } = await created("/conversations", {});
    const from = receiver.at("/t").length;
    await Promise.all(Array.from({ length: 12 }, () => created(`/conversations/${id}/messages`, { body: "together" })));
    const arrivals = (await receiver.waitFor(from + 12, "/t")).slice(from);
    const traceIds = new Set(arrivals.map(({ headers }) => String(headers.traceparent).split("-")[1] ?? ""));
    expect(traceIds.size).toBe(12);
    await until("each trace has its request and its attempt", () =>
      [...traceIds].every((traceId) => spansOf(traceId).length === 2),
    );
  });

  it("that the client does not record are not recorded here either", async () => {
    const traceId = "1".repeat(32);
    await created("/contacts", { name: "unrecorded" }, { traceparent: `00-${traceId}-${CLIENT_SPAN}-00` });
    await created("/contacts", { name: "recorded" }, { traceparent: `00-${"2".repeat(32)}-${CLIENT_SPAN}-01` });
    await until("the later one has been collected", () => spansOf("2".repeat(32)).length > 0);
    expect(spansOf(traceId)).toEqual([]);
  });

  it("are off by default: receivers get no traceparent and nothing is stored", async () => {
    const before = (await database.query("select 1 from event_traces")).length;
    await back.close();
    const plain = await startParley({}, database);
    try {
      const from = receiver.at("/t").length;
      const reply = await plain.call("POST", "/conversations", { body: { message: { body: "untraced" } } });
      expect(reply.status).toBe(201);
      const arrivals = await receiver.waitFor(from + 1, "/t");
      expect(arrivals.at(-1)?.headers.traceparent).toBeUndefined();
      expect(await database.query("select 1 from event_traces")).toHaveLength(before);
    } finally {
      await plain.close();
    }
  });
});
