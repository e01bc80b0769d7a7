import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { visitorRoutes } from "../../src/http/routes/visitor/index.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { scale, seeded } from "../support/proof.ts";
import { encoded, fitting, shaped, text } from "../support/random-input.ts";
import { createWidget, openVisitor, type TestVisitor, type TestWidget } from "../support/visitor.ts";

let parley: TestParley;
let widget: TestWidget;
beforeAll(async () => {
  parley = await startParley({
    PARLEY_WIDGET_MESSAGES_PER_MINUTE: "100000",
    PARLEY_WIDGET_SESSIONS_PER_ADDRESS: "100000",
    PARLEY_WIDGET_SESSIONS_PER_WIDGET: "100000",
  });
  widget = await createWidget(parley);
});
afterAll(() => parley.close());

const { seed } = seeded("random visitors");
const RUNS = { seed, numRuns: scale(10, 300) };
const specs = visitorRoutes({} as never);
// What ends the session, or streams, says nothing about the next request.
const repeatable = specs.filter(({ method, path }) => method !== "DELETE" && path !== "/stream");

interface Place {
  visitor: TestVisitor;
  conversation: string;
}

async function openPlace(): Promise<Place> {
  const visitor = openVisitor(parley, widget);
  const { conversation } = (await visitor.send("Hello")).body.data;
  return { visitor, conversation: conversation.id };
}

/** Responds, and says what is wrong in the form of every error. Too many requests are an error too. */
function isSound(place: string, { status, text: response, body }: Awaited<ReturnType<TestVisitor["call"]>>): void {
  expect(status, `${place} got ${status}: ${response.slice(0, 500)}`).toBeLessThan(500);
  if (status >= 400)
    expect(body, place).toMatchObject({
      success: false,
      error: { code: expect.any(String), message: expect.any(String) },
    });
}

it(
  "every visitor route responds to random bodies, and none with a fault of its own",
  async () => {
    const taking = repeatable.filter(({ body }) => body);
    expect(taking.length).toBeGreaterThan(3);
    const { visitor, conversation } = await openPlace();
    const stored: string[] = [];
    for (const { method, path, body } of taking) {
      const filled = path.slice(1).replace("{conversation}", conversation);
      const good = path === "/messages" ? { body: "x", conversation } : {};
      const random = shaped(body?.properties ?? {});
      const oneField = Object.entries(random).map(([name, value]) => value.map((one) => ({ ...good, [name]: one })));
      const sent = fc.oneof(...oneField, fc.record(random, { requiredKeys: [] }), fc.dictionary(text, fc.jsonValue()));
      const property = fc.asyncProperty(sent, async (fields) => {
        const id = path === "/messages" ? { id: randomUUID() } : {};
        const reply = await visitor.call(method, filled, { body: { ...id, ...fields } });
        isSound(`${method} ${path} with ${JSON.stringify(fields).slice(0, 1_000)}`, reply);
        if (path === "/messages" && reply.status === 201) stored.push(reply.body.data.message.body);
      });
      // Ten random ones may all be refused.
      await fc.assert(property, { ...RUNS, examples: [[good]] });
    }
    expect(stored.length).toBeGreaterThan(0);
  },
  scale(60_000, 300_000),
);

it(
  "every visitor route responds to random queries and ids, and gives nothing for an unknown id",
  async () => {
    const { visitor, conversation } = await openPlace();
    for (const { method, path, query } of repeatable) {
      const names = [...Object.keys(query?.properties ?? {}), "cursor", "unknown"];
      const value = (name: string) => (query?.properties[name] ? fitting(query.properties[name]).map(String) : text);
      const pair = fc.constantFrom(...names).chain((name) => fc.tuple(fc.constant(name), fc.oneof(value(name), text)));
      const id = fc.oneof(fc.constant(conversation), text, fc.uuid());
      const property = fc.asyncProperty(fc.array(pair, { maxLength: 4 }), id, async (pairs, ref) => {
        const filled = path.slice(1).replace(/\{\w+\}/g, encoded(ref));
        const asked = `${filled}?${pairs.map((parts) => parts.map(encoded).join("=")).join("&")}`;
        const reply = await visitor.call(method, asked, method === "GET" ? {} : { body: {} });
        isSound(`${method} ${asked}`, reply);
        if (path.includes("{conversation}") && ref !== conversation)
          expect(reply.status, `${method} ${asked}`).toBeGreaterThanOrEqual(400);
      });
      await fc.assert(property, RUNS);
    }
  },
  scale(60_000, 300_000),
);

it(
  "no random token opens a session of a visitor or makes a fault",
  async () => {
    const token = fc.string({ unit: fc.constantFrom(..."abcXYZ019-_.pvs' %=".split("")), maxLength: 80 });
    const property = fc.asyncProperty(token, async (made) => {
      const reply = await openVisitor(parley, widget, made.trim()).call("GET", "conversations");
      expect(reply.status, JSON.stringify(made)).toBe(401);
    });
    await fc.assert(property, RUNS);
  },
  scale(60_000, 300_000),
);
