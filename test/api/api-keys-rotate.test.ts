import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startParley, type TestParley } from "../support/parley.ts";
import { atMost } from "../support/proof.ts";
import { beforeMoment, until } from "../support/wait.ts";

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley();
});
afterAll(() => parley.close());

const rotate = (id: number | string, options = {}) => parley.call("POST", `/api-keys/${id}/rotate`, options);
const use = async (key: string): Promise<number> => (await parley.call("GET", "/me", { key })).status;

describe("POST /api-keys/{key}/rotate", () => {
  it("gives the same record a new secret, and the old one ends at once", async () => {
    const { key: old, ...made } = await parley.createKey({ name: "r", type: "bot", description: "d" });
    expect(await use(old)).toBe(200);
    const { status, body } = await rotate(made.id);
    expect(status).toBe(200);
    const { key, rotated_at, last_used_at, ...rest } = body.data;
    expect(rotated_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    expect(last_used_at).not.toBeNull();
    expect(rest.last_four).toBe(key.slice(-4));
    expect({ ...rest, rotated_at: null, last_used_at: null, last_four: made.last_four }).toEqual(made);
    expect(key).toMatch(/^parley_bot_/);
    expect(key).not.toBe(old);
    expect(await use(old)).toBe(401);
    expect(await use(key)).toBe(200);
    expect((await parley.call("GET", `/api-keys/${made.id}`)).body.data.rotated_at).toBe(rotated_at);
  });

  it("with an overlap keeps the old secret until it ends, and no longer", async () => {
    const { made, body, moment } = await beforeMoment(2_000, async (moment) => {
      const made = await parley.createKey();
      const overlap_seconds = Math.ceil((moment.getTime() - Date.now()) / 1_000);
      const { body } = await rotate(made.id, { body: { overlap_seconds } });
      expect([await use(made.key), await use(body.data.key)]).toEqual([200, 200]);
      return { made, body, moment };
    });
    await until("the overlap ends", async () => (await use(made.key)) === 401);
    expect(Date.now() - moment.getTime()).toBeGreaterThan(-200);
    expect(Date.now() - moment.getTime()).toBeLessThan(atMost(2_000));
    expect(await use(body.data.key)).toBe(200);
  });

  it("without overlap ends every earlier secret, also those of an earlier overlap", async () => {
    const made = await parley.createKey();
    const second = (await rotate(made.id, { body: { overlap_seconds: 86_400 } })).body.data.key;
    expect([await use(made.key), await use(second)]).toEqual([200, 200]);
    const third = (await rotate(made.id)).body.data.key;
    expect([await use(made.key), await use(second), await use(third)]).toEqual([401, 401, 200]);
  });

  it("with a second overlap never prolongs the first", async () => {
    const made = await parley.createKey();
    await rotate(made.id, { body: { overlap_seconds: 1 } });
    const second = (await rotate(made.id, { body: { overlap_seconds: 3_600 } })).body.data.key;
    const [row] = await parley.database.query<{ count: string }>(
      "select count(*) from api_key_digests where api_key_id = $1 and valid_until < now() + interval '10 s'",
      [made.id],
    );
    expect(second).toMatch(/^parley_full_/);
    expect(Number(row?.count)).toBe(1);
    await until("the first overlap ends", async () => (await use(made.key)) === 401, { timeoutMs: 4_000 });
  });

  it("leaves two secrets during an overlap, which a revocation ends both", async () => {
    const made = await parley.createKey();
    const { key } = (await rotate(made.id, { body: { overlap_seconds: 60 } })).body.data;
    await parley.call("DELETE", `/api-keys/${made.id}`);
    expect([await use(made.key), await use(key)]).toEqual([401, 401]);
  });

  it("leaves a paused key paused", async () => {
    const made = await parley.createKey();
    await parley.call("PATCH", `/api-keys/${made.id}`, { body: { is_active: false } });
    const { body } = await rotate(made.id);
    expect(body.data.is_active).toBe(false);
    expect(await use(body.data.key)).toBe(401);
  });

  it("lets a key rotate itself", async () => {
    const made = await parley.createKey();
    const { body } = await rotate(made.id, { key: made.key });
    expect([await use(made.key), await use(body.data.key)]).toEqual([401, 200]);
  });

  it.each([
    ["no body", {}],
    ["an empty JSON body", { rawBody: "", headers: { "content-type": "application/json" } }],
    ["{}", { body: {} }],
    ["null for the overlap", { body: { overlap_seconds: null } }],
    ["unknown fields", { body: { reason: "leaked", key: "mine" } }],
    ["white space", { rawBody: " \n\t", headers: { "content-type": "application/json" } }],
  ])("takes %s", async (_what, options) => {
    const made = await parley.createKey();
    const { status, text } = await rotate(made.id, options);
    expect(status, text).toBe(200);
    expect(await use(made.key)).toBe(401);
  });

  it.each([
    ["no JSON at all", 422, { rawBody: "not json", headers: { "content-type": "text/plain" } }],
    ["half a JSON object", 422, { rawBody: '{"overlap_seconds": 1', headers: { "content-type": "application/json" } }],
    ["a JSON list", 422, { body: [1] }],
    ["a form", 415, { rawBody: "a=b", headers: { "content-type": "application/x-www-form-urlencoded" } }],
    ["a multipart form", 415, { rawBody: "--x--", headers: { "content-type": "multipart/form-data; boundary=x" } }],
  ])("refuses %s with %i, and the key keeps its secret", async (_what, expected, options) => {
    const made = await parley.createKey();
    const { status, text } = await rotate(made.id, options);
    expect(status, text).toBe(expected);
    expect(await use(made.key)).toBe(200);
  });

  it.each([[-1], [86_401], [1.5], ["60"], [true], [[]]])("refuses an overlap of %j", async (overlap_seconds) => {
    const made = await parley.createKey();
    const { status, body } = await rotate(made.id, { body: { overlap_seconds } });
    expect(status).toBe(422);
    expect(Object.keys(body.error.details)).toEqual(["overlap_seconds"]);
    expect(await use(made.key)).toBe(200);
  });

  it("takes an overlap of 0 and of 86400 seconds", async () => {
    const made = await parley.createKey();
    for (const overlap_seconds of [86_400, 0])
      expect((await rotate(made.id, { body: { overlap_seconds } })).status).toBe(200);
  });

  it("returns a secret to each of many requests at once, of which one is valid afterwards", async () => {
    const made = await parley.createKey();
    const replies = await Promise.all(Array.from({ length: 8 }, () => rotate(made.id)));
    const states = await Promise.all(replies.map((reply) => use(reply.body.data.key)));
    expect(states.filter((status) => status === 200)).toHaveLength(1);
  });
});

describe("POST /api-keys/{key}/revoke-old-secret", () => {
  const revokeOld = (id: number) => parley.call("POST", `/api-keys/${id}/revoke-old-secret`);

  it("refuses the old secret from now on and leaves the current one valid", async () => {
    const made = await parley.createKey();
    const rotated = (await rotate(made.id, { body: { overlap_seconds: 3_600 } })).body.data;
    expect(Date.parse(rotated.old_secret_expires_at) - Date.now()).toBeGreaterThan(3_500_000);
    expect(await use(made.key)).toBe(200);
    const { status, body } = await revokeOld(made.id);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id: made.id, old_secret_expires_at: null, is_active: true });
    expect([await use(made.key), await use(rotated.key)]).toEqual([401, 200]);
    const { body: audit } = await parley.call("GET", "/audit-logs?action=api_key.old_secret_revoked");
    expect(audit.data[0]).toMatchObject({ resource: { type: "api_key", id: made.id } });
  });

  it("changes nothing where there is no old secret", async () => {
    const { key, ...made } = await parley.createKey();
    const { status, body } = await revokeOld(made.id);
    expect(status).toBe(200);
    expect(body.data).toEqual(made);
    expect(await use(key)).toBe(200);
  });
});
