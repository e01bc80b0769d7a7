import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startParley, type TestParley } from "../support/parley.ts";

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley();
});
afterAll(() => parley.close());

describe("GET /me", () => {
  it("returns the key, its scopes and its workspace", async () => {
    const { key, ...made } = await parley.createKey({ type: "limited", abilities: ["messages:read", "audit:read"] });
    const { status, body } = await parley.call("GET", "/me", { key });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      data: {
        api_key: { ...made, last_used_at: expect.any(String) },
        scopes: ["messages:read", "audit:read"],
        workspace: { id: expect.any(Number), uuid: expect.any(String), name: "Default" },
      },
    });
  });

  it("spells wildcards out as scopes", async () => {
    const { key } = await parley.createKey({ abilities: ["conversations:*", "events:read"] });
    const { data } = (await parley.call("GET", "/me", { key })).body;
    expect(data.api_key.abilities).toEqual(["conversations:*", "events:read"]);
    expect(data.scopes).toEqual(["conversations:read", "conversations:write", "events:read"]);
  });

  it.each(["full", "webhook", "bot"])("may be asked by any valid key, of type %s", async (type) => {
    const { key } = await parley.createKey({ type });
    expect((await parley.call("GET", "/me", { key })).status).toBe(200);
  });

  it("names the key's own workspace", async () => {
    const other = await parley.createWorkspace();
    const { data } = (await parley.call("GET", "/me", { key: other.key })).body;
    expect(data.workspace).toMatchObject({ id: other.id, name: "Other" });
  });
});
