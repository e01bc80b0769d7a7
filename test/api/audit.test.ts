import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startParley, type TestParley } from "../support/parley.ts";

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\+00:00$/;

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley();
});
afterAll(() => parley.close());

const trail = async (query = "") => {
  const { status, body, text } = await parley.call("GET", `/audit-logs${query}`);
  expect(status, text).toBe(200);
  return body;
};
const of = (id: number, more = "") => trail(`?resource_type=api_key&resource_id=${id}${more}`);

describe("the audit log", () => {
  it("says who did what to which key, from where and in which request", async () => {
    const maker = await parley.createKey({ name: "Maker" });
    const reply = await parley.call("POST", "/api-keys", { key: maker.key, body: { name: "made" } });
    const { data } = await of(reply.body.data.id);
    expect(data).toEqual([
      {
        id: expect.any(Number),
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        action: "api_key.created",
        actor: { type: "api_key", id: maker.id, name: "Maker" },
        resource: { type: "api_key", id: reply.body.data.id },
        ip: "127.0.0.1",
        request_id: reply.headers.get("x-request-id"),
        changes: {},
        created_at: expect.stringMatching(TIMESTAMP),
      },
    ]);
  });

  it("has an entry for each change of a key, newest first, with old and new values", async () => {
    const { id } = await parley.createKey({ name: "before" });
    const patch = (body: object) => parley.call("PATCH", `/api-keys/${id}`, { body });
    await patch({ name: "after", description: "d" });
    await patch({ is_active: false });
    await patch({ is_active: true });
    await parley.call("POST", `/api-keys/${id}/rotate`, { body: { overlap_seconds: 5 } });
    await parley.call("DELETE", `/api-keys/${id}`);
    await parley.call("DELETE", `/api-keys/${id}`);
    const { data } = await of(id);
    expect(data.map((entry: { action: string; changes: object }) => [entry.action, entry.changes])).toEqual([
      ["api_key.revoked", {}],
      ["api_key.rotated", { overlap_seconds: 5 }],
      ["api_key.resumed", { is_active: { from: false, to: true } }],
      ["api_key.paused", { is_active: { from: true, to: false } }],
      ["api_key.updated", { name: { from: "before", to: "after" }, description: { from: "", to: "d" } }],
      ["api_key.created", {}],
    ]);
  });

  it("has none for what was refused", async () => {
    const { id } = await parley.createKey();
    await parley.call("PATCH", `/api-keys/${id}`, { body: { name: "" } });
    await parley.call("DELETE", `/api-keys/${id}`, { key: "wrong" });
    expect((await of(id)).data).toHaveLength(1);
  });

  it("asks for audit:read", async () => {
    const with_ = await parley.createKey({ type: "limited", abilities: ["audit:read"] });
    const without = await parley.createKey({ type: "limited", abilities: ["api-keys:manage"] });
    expect((await parley.call("GET", "/audit-logs", { key: with_.key })).status).toBe(200);
    expect((await parley.call("GET", "/audit-logs", { key: without.key })).status).toBe(403);
  });

  it("shows another workspace nothing", async () => {
    const other = await parley.createWorkspace();
    const { body } = await parley.call("GET", "/audit-logs", { key: other.key });
    expect(body.data).toHaveLength(1);
    expect(body.data[0].actor.type).toBe("system");
  });
});

describe("a list of the audit log", () => {
  it("is filtered by action, resource_type and resource_id, alone and together", async () => {
    const { id } = await parley.createKey();
    await parley.call("DELETE", `/api-keys/${id}`);
    expect((await of(id, "&action=api_key.revoked")).data).toHaveLength(1);
    for (const entry of (await trail("?action=api_key.created")).data) expect(entry.action).toBe("api_key.created");
    expect((await trail("?resource_type=webhook")).data).toEqual([]);
    for (const entry of (await trail(`?resource_id=${id}`)).data) expect(entry.resource.id).toBe(id);
  });

  it("is filtered by created_after and created_before in any ISO 8601 form, an unencoded + too", async () => {
    const { id } = await parley.createKey();
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const plus = (text: string) => text.replace(/\.\d+Z$/, "+00:00");
    const counts = async (query: string) => (await of(id, query)).data.length;
    expect(await counts(`&created_after=${day(-1)}&created_before=${day(1)}`)).toBe(1);
    expect(await counts(`&created_after=${plus(day(-1))}`)).toBe(1);
    expect(await counts(`&created_after=${encodeURIComponent(plus(day(1)))}`)).toBe(0);
    expect(await counts(`&created_before=${day(-1).slice(0, 10)}`)).toBe(0);
  });

  it("is always a page, 25 by default", async () => {
    for (let i = 0; i < 30; i++) await parley.createKey();
    const body = await trail();
    expect(body.data).toHaveLength(25);
    expect(body.meta.pagination).toMatchObject({ per_page: 25, current_page: 1, from: 1, to: 25 });
    expect(body.links.prev).toBeNull();
    const second = (await parley.call("GET", body.links.next.slice(`${parley.url}/api/v1`.length))).body;
    expect(second.data[0].id).toBeLessThan(body.data[24].id);
  });

  it.each([
    ["action=nope", "action"],
    ["resource_type=nope", "resource_type"],
    ["resource_id=0", "resource_id"],
    ["resource_id=x", "resource_id"],
    ["created_after=yesterday", "created_after"],
    ["created_before=12", "created_before"],
    ["per_page=101", "per_page"],
  ])("with ?%s is a 422 that names the parameter", async (query, field) => {
    const { status, body } = await parley.call("GET", `/audit-logs?${query}`);
    expect(status).toBe(422);
    expect(Object.keys(body.error.details)).toEqual([field]);
  });
});
