import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Reply, startParley, type TestParley } from "../support/parley.ts";
import { beforeMoment, until } from "../support/wait.ts";

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\+00:00$/;

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley();
});
afterAll(() => parley.close());

const patch = (id: number | string, body: unknown) => parley.call("PATCH", `/api-keys/${id}`, { body });
const use = async (key: string): Promise<number> => (await parley.call("GET", "/me", { key })).status;
const notFound = ({ status, body, text }: Reply) => {
  expect(status, text).toBe(404);
  expect(body).toEqual({ success: false, error: { code: "NOT_FOUND", message: expect.any(String) } });
};

const OPERATIONS = [
  ["GET", ""],
  ["PATCH", ""],
  ["DELETE", ""],
  ["POST", "/rotate"],
] as const;

describe("the id in a path", () => {
  it("is the integer id or the uuid, in any case", async () => {
    const { key: _, ...made } = await parley.createKey();
    for (const id of [made.id, made.uuid, made.uuid.toUpperCase()]) {
      const { status, body } = await parley.call("GET", `/api-keys/${id}`);
      expect(status).toBe(200);
      expect(body.data).toEqual(made);
    }
    for (const [method, rest] of OPERATIONS)
      expect((await parley.call(method, `/api-keys/${made.uuid}${rest}`)).status, method).not.toBe(404);
  });

  const NONE = [
    "999999999",
    "9007199254740991",
    "9007199254740992",
    "99999999999999999999999999",
    "0",
    "-1",
    "1.0",
    "1e3",
    "0x1",
    "01",
    "+1",
    "%201",
    "text",
    "null",
    "undefined",
    "%00",
    "%F0%9F%98%80",
    "00000000-0000-0000-0000-000000000000",
    "00000000-0000-0000-0000-00000000000g",
    "1;drop%20table",
    "x".repeat(8_000),
  ];

  it.each(OPERATIONS)("of %s …%s gets a 404 if it is anything else", async (method, rest) => {
    for (const id of NONE) notFound(await parley.call(method, `/api-keys/${id}${rest}`));
  });

  it.each(OPERATIONS)(
    "of %s …%s gets the same response if it is of another workspace as if it is unknown",
    async (method, rest) => {
      const other = await parley.createWorkspace();
      const foreign = await parley.createKey({}, { key: other.key });
      const unknown = await parley.call(method, `/api-keys/999999999${rest}`);
      for (const id of [foreign.id, foreign.uuid]) {
        const reply = await parley.call(method, `/api-keys/${id}${rest}`);
        notFound(reply);
        expect(reply.text).toBe(unknown.text);
      }
      const untouched = (await parley.call("GET", `/api-keys/${foreign.id}`, { key: other.key })).body.data;
      expect(untouched).toMatchObject({ is_active: true, rotated_at: null, revoked_at: null });
    },
  );
});

describe("PATCH /api-keys/{key}", () => {
  it("changes what it is given and nothing else", async () => {
    const { key, ...made } = await parley.createKey({ name: "before", description: "d", abilities: ["messages:read"] });
    const { status, body } = await patch(made.id, { name: "  after ", id: 1, revoked_at: "x", key: "y" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, data: { ...made, name: "after" } });
    expect(body.warnings.map(({ field }: { field: string }) => field)).toEqual(["id", "revoked_at", "key"]);
    expect((await parley.call("GET", `/api-keys/${made.id}`)).body.data).toEqual(body.data);
    expect(await use(key)).toBe(200);
  });

  it("takes each field, and null as absent", async () => {
    const made = await parley.createKey({ description: "d" });
    const changes = {
      name: "n2",
      description: "",
      abilities: ["messages:read", "audit:read"],
      rate_limit_tier: "high",
      expires_at: "2099-01-01T00:00:00+00:00",
      allowed_ips: ["10.0.0.0/8"],
    };
    expect((await patch(made.id, changes)).body.data).toMatchObject(changes);
    const nulls = Object.fromEntries(Object.keys(changes).map((name) => [name, null]));
    expect((await patch(made.id, { ...nulls, is_active: null })).body.data).toMatchObject(changes);
    expect((await patch(made.id, { expires_at: "", allowed_ips: [] })).body.data).toMatchObject({
      expires_at: null,
      allowed_ips: [],
    });
  });

  it("with an empty body changes nothing", async () => {
    const { key: _, ...made } = await parley.createKey();
    expect((await patch(made.id, {})).body.data).toEqual(made);
    expect((await parley.call("PATCH", `/api-keys/${made.id}`)).body.data).toEqual(made);
  });

  it("holds new abilities at once", async () => {
    const made = await parley.createKey({ rate_limit_tier: "unlimited" });
    expect((await parley.call("GET", "/api-keys", { key: made.key })).status).toBe(200);
    await patch(made.id, { abilities: ["messages:read"] });
    expect((await parley.call("GET", "/api-keys", { key: made.key })).status).toBe(403);
    await patch(made.id, { abilities: ["*"] });
    expect((await parley.call("GET", "/api-keys", { key: made.key })).status).toBe(200);
  });

  it.each([
    [{ name: " " }, "name"],
    [{ name: 1 }, "name"],
    [{ description: [] }, "description"],
    [{ abilities: [] }, "abilities"],
    [{ abilities: ["nope"] }, "abilities"],
    [{ rate_limit_tier: "nope" }, "rate_limit_tier"],
    [{ is_active: 1 }, "is_active"],
    [{ is_active: "true" }, "is_active"],
    [{ expires_at: "soon" }, "expires_at"],
    [{ expires_at: 5 }, "expires_at"],
    [{ expires_at: "0001-01-01T00:00:00+12:00" }, "expires_at"],
    [{ allowed_ips: ["x"] }, "allowed_ips"],
  ])("refuses %j", async (body, field) => {
    const made = await parley.createKey();
    const reply = await patch(made.id, body);
    expect(reply.status, reply.text).toBe(422);
    expect(Object.keys(reply.body.error.details)).toEqual([field]);
  });

  it("holds abilities to the key's own type", async () => {
    const bot = await parley.createKey({ type: "bot" });
    expect((await patch(bot.id, { abilities: ["webhooks:manage"] })).status).toBe(422);
    const limited = await parley.createKey({ type: "limited", abilities: ["messages:read"] });
    expect((await patch(limited.id, { abilities: ["*"] })).status).toBe(422);
  });

  it("of a key whose tier the operator has removed keeps that tier", async () => {
    const made = await parley.createKey();
    await parley.database.query("update api_keys set rate_limit_tier = 'gone' where id = $1", [made.id]);
    expect((await patch(made.id, { name: "still mine" })).body.data).toMatchObject({ rate_limit_tier: "gone" });
    expect(await use(made.key)).toBe(200);
  });
});

describe("a key", () => {
  it("is refused at once when it is paused, and accepted again when it is resumed", async () => {
    const made = await parley.createKey();
    expect(await use(made.key)).toBe(200);
    expect((await patch(made.id, { is_active: false })).body.data).toMatchObject({
      is_active: false,
      revoked_at: null,
    });
    expect(await use(made.key)).toBe(401);
    expect((await patch(made.id, { name: "still paused" })).body.data.is_active).toBe(false);
    expect((await patch(made.id, { is_active: true })).body.data.is_active).toBe(true);
    expect(await use(made.key)).toBe(200);
  });
});

describe("DELETE /api-keys/{key}", () => {
  it("revokes at once and permanently, and returns the record", async () => {
    const made = await parley.createKey({ name: "gone" });
    expect(await use(made.key)).toBe(200);
    const { status, body } = await parley.call("DELETE", `/api-keys/${made.id}`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id: made.id, name: "gone", is_active: false });
    expect(body.data.revoked_at).toMatch(TIMESTAMP);
    expect(body.data).not.toHaveProperty("key");
    expect(await use(made.key)).toBe(401);

    const listed = (await parley.call("GET", "/api-keys?is_active=false")).body.data;
    expect(listed.find((key: { id: number }) => key.id === made.id)).toEqual(body.data);
  });

  it("twice gives the same response", async () => {
    const made = await parley.createKey();
    const first = await parley.call("DELETE", `/api-keys/${made.id}`);
    const second = await parley.call("DELETE", `/api-keys/${made.id}`);
    expect(second.status).toBe(200);
    expect(second.body).toEqual(first.body);
  });

  it("leaves a key that can be neither changed nor resumed nor rotated: 409", async () => {
    const made = await parley.createKey();
    await parley.call("DELETE", `/api-keys/${made.id}`);
    for (const reply of [
      await patch(made.id, { name: "x" }),
      await patch(made.id, { is_active: true }),
      await parley.call("POST", `/api-keys/${made.id}/rotate`),
    ]) {
      expect(reply.status).toBe(409);
      expect(reply.body).toEqual({ success: false, error: { code: "CONFLICT", message: expect.any(String) } });
    }
    expect(await use(made.key)).toBe(401);
  });

  it("lets a key revoke itself, which is its last successful request", async () => {
    const made = await parley.createKey();
    expect((await parley.call("DELETE", `/api-keys/${made.id}`, { key: made.key })).status).toBe(200);
    expect(await use(made.key)).toBe(401);
  });
});

describe("expires_at", () => {
  it("ends the key when it passes, which then gets a 401 and is_active false without any further request", async () => {
    const { made, at } = await beforeMoment(1_500, async (moment) => {
      const at = moment.toISOString();
      const made = await parley.createKey({ expires_at: at });
      expect(made.is_active).toBe(true);
      expect(await use(made.key)).toBe(200);
      return { made, at };
    });
    await until("the key has expired", async () => (await use(made.key)) === 401);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(at) - 50);
    const { data } = (await parley.call("GET", `/api-keys/${made.id}`)).body;
    expect(data).toMatchObject({ is_active: false, revoked_at: null });
    const inactive = (await parley.call("GET", "/api-keys?is_active=0")).body.data;
    expect(inactive.some((key: { id: number }) => key.id === made.id)).toBe(true);
  });

  it("in the past ends the key at once, and in the future makes it valid again", async () => {
    const made = await parley.createKey();
    expect(await use(made.key)).toBe(200);
    await patch(made.id, { expires_at: "2020-01-01T00:00:00Z" });
    expect(await use(made.key)).toBe(401);
    expect((await patch(made.id, { is_active: true })).status).toBe(409);
    expect((await patch(made.id, { expires_at: "2099-01-01T00:00:00Z" })).body.data.is_active).toBe(true);
    expect(await use(made.key)).toBe(200);
  });
});
