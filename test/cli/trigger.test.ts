import { Parley } from "@parley/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EVENT_TYPES } from "../../src/events/catalogue.ts";
import { parseField, TRIGGERED_EVENTS, trigger } from "../../src/trigger/triggers.ts";
import { hostedCommand } from "../support/cli.ts";
import { startParley, type TestParley } from "../support/parley.ts";

let server: TestParley;
let parley: Parley;

beforeAll(async () => {
  server = await startParley();
  parley = new Parley({ url: server.url, key: server.key, maxRetries: 0 });
});
afterAll(() => server.close());

const OF_MEMBERS: readonly string[] = ["conversation.assigned", "conversation.mentioned"];

describe("parley trigger", () => {
  it("knows every event of the catalogue", () => {
    expect([...TRIGGERED_EVENTS].sort()).toEqual([...EVENT_TYPES].sort());
  });

  it.each(EVENT_TYPES.filter((name) => !OF_MEMBERS.includes(name)))("causes %s", async (name) => {
    await trigger(parley, name, {});
    const events = await parley.events.list({ type: name }).take(1);
    expect(events).toMatchObject([{ type: name }]);
  });

  it("causes events about members where the workspace has one, and says so where it has none", async () => {
    for (const name of OF_MEMBERS)
      await expect(trigger(parley, name, {}), name).rejects.toThrow("no member to assign or mention");
    const [user] = await server.database.query<{ id: string }>(
      "insert into users (uuid, email, name, password_hash) values (gen_random_uuid(), 'ada@example.com', 'Ada', '') returning id",
    );
    await server.database.query(
      "insert into memberships (workspace_id, user_id, role) select min(id), $1, 'agent' from workspaces",
      [user?.id],
    );
    for (const name of OF_MEMBERS) {
      await trigger(parley, name, {});
      expect(await parley.events.list({ type: name }).take(1), name).toHaveLength(1);
    }
  });

  it("marks conversations with the label test", async () => {
    await trigger(parley, "conversation.created", { subject: "Mine" });
    const [conversation] = await parley.conversations.list({ search: "Mine" }).take(1);
    expect(conversation).toMatchObject({ labels: ["test"], attributes: { created_by: "parley trigger" } });
  });

  it("sets the fields it is given", async () => {
    expect(await trigger(parley, "message.created", { body: "Hello", direction: "out" })).toMatchObject({
      body: "Hello",
      direction: "out",
    });
    expect(parseField("body=a=b")).toEqual(["body", "a=b"]);
    expect(() => parseField("body")).toThrow("--set takes field=value");
  });

  it("refuses an unknown event or field, with the nearest one if it is near", async () => {
    await expect(trigger(parley, "mesage.created", {})).rejects.toThrow("Did you mean message.created?");
    await expect(trigger(parley, "payment_intent.succeeded", {})).rejects.toThrow(/is not a known event\.$/);
    for (const name of ["toString", "constructor", "__proto__"])
      await expect(trigger(parley, name, {})).rejects.toThrow(`${name} is not a known event.`);
    await expect(trigger(parley, "message.created", { bdy: "x" })).rejects.toThrow("Did you mean body?");
    await expect(trigger(parley, "message.created", { foo: "x" })).rejects.toThrow(
      /^message\.created has no field foo to set\. It takes /,
    );
  });

  it("leaves no active key and no webhook behind", async () => {
    const keys = await parley.apiKeys.list({ search: "Test key", is_active: true }).take(10);
    expect(keys).toEqual([]);
    expect(await parley.webhooks.list({ search: "Test webhook" }).take(10)).toEqual([]);
  });
});

describe("parley api and parley events get", () => {
  const settings = () => ({ PARLEY_URL: server.url, PARLEY_KEY: server.key });

  it("print the response, and an error with a non-zero code", async () => {
    const [event] = await parley.events.list().take(1);
    const [found, missing, got] = await Promise.all([
      hostedCommand(["api", "get", "/contacts", "--query", "per_page=1"], settings()),
      hostedCommand(["api", "GET", "/contacts/999999"], settings()),
      hostedCommand(["events", "get", event?.id ?? ""], settings()),
    ]);
    expect(JSON.parse(got.stdout)).toMatchObject({ id: event?.id, deliveries: [] });
    expect(JSON.parse(found.stdout)).toMatchObject({ success: true, meta: { pagination: { per_page: 1 } } });
    expect(found.code).toBe(0);
    expect(JSON.parse(missing.stdout)).toMatchObject({ success: false, status: 404, error: { code: "NOT_FOUND" } });
    expect(missing.code).toBe(1);
  });
});
