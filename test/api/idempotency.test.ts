import type { ServerResponse } from "node:http";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expireIdempotencyKeys } from "../../src/http/pipeline/idempotency.ts";
import { type CallOptions, startParley, type TestParley } from "../support/parley.ts";
import { type Receiver, respondWith, startReceiver } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley();
});
afterAll(() => parley.close());

let counter = 0;
const fresh = () => `idempotency-${++counter}`;
const create = (idempotencyKey: string, body: unknown, options: CallOptions = {}) =>
  parley.call("POST", "/api-keys", { body, ...options, headers: { "idempotency-key": idempotencyKey } });
const rotate = (id: number | string, idempotencyKey: string, body?: unknown) =>
  parley.call("POST", `/api-keys/${id}/rotate`, {
    headers: { "idempotency-key": idempotencyKey },
    ...(body === undefined ? {} : { body }),
  });
const countNamed = async (name: string): Promise<number> =>
  (await parley.call("GET", `/api-keys?search=${name}`)).body.data.length;
const conflict = (reply: { status: number; body: unknown; text: string }) => {
  expect(reply.status, reply.text).toBe(409);
  expect(reply.body).toEqual({ success: false, error: { code: "CONFLICT", message: expect.any(String) } });
};

describe("an Idempotency-Key on POST /api-keys", () => {
  it("creates once: the repeat is a 409 that names the record and shows no secret", async () => {
    const key = fresh();
    const first = await create(key, { name: "once-only" });
    expect(first.status).toBe(201);
    for (let i = 0; i < 2; i++) {
      const repeat = await create(key, { name: "once-only" });
      conflict(repeat);
      expect(repeat.body.error.message).toContain(String(first.body.data.id));
      expect(repeat.body.error.message).toContain(first.body.data.uuid);
      expect(repeat.text).not.toContain(first.body.data.key);
    }
    expect(await countNamed("once-only")).toBe(1);
  });

  it("treats a body with its fields in another order as the same", async () => {
    const key = fresh();
    const first = await create(key, { name: "ordered", description: "d" });
    const repeat = await create(key, { description: "d", name: "ordered" });
    conflict(repeat);
    expect(repeat.body.error.message).toContain(first.body.data.uuid);
  });

  it("with another body is a 409 too, and creates nothing", async () => {
    const key = fresh();
    await create(key, { name: "first-body" });
    const other = await create(key, { name: "second-body" });
    conflict(other);
    expect(other.body.error.message).toMatch(/another body/);
    expect(await countNamed("second-body")).toBe(0);
  });

  it("keeps no errors: the corrected request succeeds", async () => {
    const key = fresh();
    expect((await create(key, { name: "" })).status).toBe(422);
    expect((await create(key, { name: "corrected" })).status).toBe(201);

    const narrow = await parley.createKey({ type: "limited", abilities: ["api-keys:manage"] });
    const other = fresh();
    expect((await create(other, { name: "too wide" }, { key: narrow.key })).status).toBe(403);
    const within = { name: "fits", type: "limited", abilities: ["api-keys:manage"] };
    expect((await create(other, within, { key: narrow.key })).status).toBe(201);
  });

  it("counts per API key", async () => {
    const key = fresh();
    const other = await parley.createKey();
    expect((await create(key, { name: "same" })).status).toBe(201);
    expect((await create(key, { name: "same" }, { key: other.key })).status).toBe(201);
  });

  it("may have 255 characters and no more", async () => {
    expect((await create("k".repeat(255), { name: "n" })).status).toBe(201);
    const long = await create("k".repeat(256), { name: "too-long" });
    expect(long.status).toBe(422);
    expect(Object.keys(long.body.error.details)).toEqual(["Idempotency-Key"]);
    expect(await countNamed("too-long")).toBe(0);
  });

  it("empty counts as absent", async () => {
    expect((await create("", { name: "empty-key" })).status).toBe(201);
    expect((await create("", { name: "empty-key" })).status).toBe(201);
    expect(await countNamed("empty-key")).toBe(2);
  });

  it("sent many times at once creates one", async () => {
    const key = fresh();
    const replies = await Promise.all(Array.from({ length: 10 }, () => create(key, { name: "at-once" })));
    const made = replies.filter((reply) => reply.status === 201);
    expect(made).toHaveLength(1);
    for (const reply of replies) {
      if (reply === made[0]) continue;
      conflict(reply);
      expect(reply.body.error.message).toContain(made[0]?.body.data.uuid);
    }
    expect(await countNamed("at-once")).toBe(1);
  });

  it("is forgotten after 24 hours, not before", async () => {
    const key = fresh();
    await create(key, { name: "aged" });
    const age = (hours: number) =>
      parley.database.query(
        "update idempotency_keys set created_at = now() - make_interval(hours => $2) where idempotency_key = $1",
        [key, hours],
      );
    await age(23);
    conflict(await create(key, { name: "aged" }));
    await age(25);
    expect((await create(key, { name: "aged" })).status).toBe(201);
    conflict(await create(key, { name: "aged" }));
  });

  it("is kept when it is claimed again while the housekeeping deletes old ones", async () => {
    const key = fresh();
    await create(key, { name: "renewed" });
    const renew = (interval: string) => `update idempotency_keys set created_at = now() - interval '${interval}'
      where idempotency_key = '${key}'`;
    await parley.database.query(renew("25 hours"));
    const other = new pg.Client({ connectionString: parley.database.url });
    await other.connect();
    await other.query(`begin; ${renew("0 hours")}`);
    const expiring = expireIdempotencyKeys(parley.app.store.db);
    await until("the housekeeping waits for the row", async () => {
      const waiting = await parley.database.query("select 1 from pg_stat_activity where wait_event_type = 'Lock'");
      return waiting.length > 0;
    });
    await other.query("commit");
    await other.end();
    await expiring;
    conflict(await create(key, { name: "renewed" }));
  });

  it("is stored without the response, which holds the secret", async () => {
    const key = fresh();
    await create(key, { name: "stored" });
    const [row] = await parley.database.query<{ response: string | null; status: number; resource: string }>(
      "select response, status, resource from idempotency_keys where idempotency_key = $1",
      [key],
    );
    expect(row).toMatchObject({ response: null, status: 201 });
  });
});

describe("an Idempotency-Key on a path that can be written in several ways", () => {
  const post = (path: string, idempotencyKey: string) =>
    parley.call("POST", path, { body: { body: "x" }, headers: { "idempotency-key": idempotencyKey } });

  it("is the same key for a path with percent-encoded letters", async () => {
    const key = fresh();
    const first = await post("/contacts", key);
    const repeat = await post("/%63ontact%73", key);
    expect([first.status, repeat.status, repeat.headers.get("idempotent-replayed")]).toEqual([201, 201, "true"]);
    expect(repeat.body).toEqual(first.body);
  });

  it("is the same key for a uuid in capitals or percent-encoded, and another one for another resource", async () => {
    const key = fresh();
    const [one, other] = [
      (await post("/conversations", fresh())).body.data,
      (await post("/conversations", fresh())).body.data,
    ];
    const first = await post(`/conversations/${one.uuid}/messages`, key);
    const encoded = one.uuid.replaceAll("-", "%2D");
    for (const uuid of [one.uuid.toUpperCase(), encoded, encoded.toUpperCase()]) {
      const repeat = await post(`/conversations/${uuid}/messages`, key);
      expect([repeat.status, repeat.headers.get("idempotent-replayed")], uuid).toEqual([201, "true"]);
      expect(repeat.body).toEqual(first.body);
    }
    const elsewhere = await post(`/conversations/${other.uuid.toUpperCase()}/messages`, key);
    expect([elsewhere.status, elsewhere.headers.get("idempotent-replayed")]).toEqual([201, null]);
    expect(elsewhere.body.data.conversation_id).toBe(other.id);
  });
});

describe("an Idempotency-Key on rotate", () => {
  it("rotates once: the repeat is a 409 that names the key, and the first new secret stays valid", async () => {
    const made = await parley.createKey();
    const key = fresh();
    const first = await rotate(made.id, key);
    expect(first.status).toBe(200);
    const repeat = await rotate(made.id, key);
    conflict(repeat);
    expect(repeat.body.error.message).toContain(`was already used for the API key ${made.id} (${made.uuid}).`);
    expect((await parley.call("GET", "/me", { key: first.body.data.key })).status).toBe(200);
  });

  it("with another overlap is a 409", async () => {
    const made = await parley.createKey();
    const key = fresh();
    expect((await rotate(made.id, key, { overlap_seconds: 5 })).status).toBe(200);
    conflict(await rotate(made.id, key, { overlap_seconds: 6 }));
  });

  it("counts per key that is rotated", async () => {
    const [a, b] = [await parley.createKey(), await parley.createKey()];
    const key = fresh();
    expect((await rotate(a.id, key)).status).toBe(200);
    expect((await rotate(b.id, key)).status).toBe(200);
  });

  it("keeps no errors", async () => {
    const made = await parley.createKey();
    const key = fresh();
    expect((await rotate(made.id, key, { overlap_seconds: -1 })).status).toBe(422);
    expect((await rotate(made.id, key)).status).toBe(200);
  });
});

it("an Idempotency-Key on a method other than POST is ignored", async () => {
  const made = await parley.createKey();
  const patch = (name: string) =>
    parley.call("PATCH", `/api-keys/${made.id}`, { body: { name }, headers: { "idempotency-key": "patch" } });
  expect((await patch("one")).body.data.name).toBe("one");
  expect((await patch("two")).body.data.name).toBe("two");
});

it("a repeat with a key that has lost its read scopes gets the record reduced to what was written", async () => {
  const abilities = ["conversations:write", "messages:write", "contacts:write", "drafts:write"];
  const reading = ["conversations:read", "messages:read", "contacts:read", "drafts:read"];
  const { id, key } = await parley.createKey({ type: "limited", abilities: [...abilities, ...reading] });
  const { body: opened } = await parley.call("POST", "/conversations", { body: {} });
  const path = `/conversations/${opened.data.id}`;
  const named = { name: "Ada", email: "ada@example.com" };
  const draft = (await parley.call("POST", `${path}/drafts`, { body: { body: "To send" } })).body.data;
  const requests: [path: string, body: object | undefined, shown: string[]][] = [
    ["/contacts", named, ["email", "id", "name", "uuid"]],
    ["/conversations", { subject: "s", message: { body: "Hi" } }, ["id", "message", "subject", "uuid"]],
    [`${path}/messages`, { body: "Hi" }, ["body", "id", "uuid"]],
    [`${path}/drafts`, { body: "Hi" }, ["body", "id", "uuid"]],
    ["/saved-replies", { name: "n", body: "Hi" }, ["body", "id", "name", "uuid"]],
    ["/views", { name: "n" }, ["id", "name", "uuid"]],
    [`${path}/drafts/${draft.id}/send`, undefined, ["id", "uuid"]],
  ];
  const sendAll = () =>
    Promise.all(
      requests.map(([to, body], index) =>
        parley.call("POST", to, { key, body, headers: { "idempotency-key": `reduced-${index}` } }),
      ),
    );
  const first = await sendAll();
  expect(first.map(({ status }) => status)).toEqual(requests.map(() => 201));
  expect(first.map(({ body }) => Object.keys(body.data).length > 5)).toEqual(requests.map(() => true));
  await parley.call("PATCH", `/api-keys/${id}`, { body: { abilities } });
  const repeats = await sendAll();
  expect(repeats.map(({ headers }) => headers.get("idempotent-replayed"))).toEqual(requests.map(() => "true"));
  expect(repeats.map(({ body }) => Object.keys(body.data).sort())).toEqual(requests.map(([, , shown]) => shown));
  expect(Object.keys(repeats[1]?.body.data.message).sort()).toEqual(["body", "id", "uuid"]);
  expect(repeats.map(({ body }) => body.data.id)).toEqual(first.map(({ body }) => body.data.id));
});

describe("an Idempotency-Key on the test of a webhook", () => {
  let receiver: Receiver;
  let path: string;
  beforeAll(async () => {
    receiver = await startReceiver();
    const body = { name: "Tested", url: receiver.url("/hook"), events: ["message.created"] };
    path = `/webhooks/${(await parley.call("POST", "/webhooks", { body })).body.data.id}/test`;
  });
  afterAll(() => receiver.close());
  const send = (key: string, query = "") => parley.call("POST", path + query, { headers: { "idempotency-key": key } });

  it("is renewed while the receiver takes its time, so that no repeat sends a second one", async () => {
    const held: ServerResponse[] = [];
    receiver.behave((response) => held.push(response), "/hook");
    const key = fresh();
    const first = send(key);
    await receiver.waitFor(1, "/hook");
    const claimedAt = async () => {
      const rows = await parley.database.query<{ at: string }>(
        "select created_at::text as at from idempotency_keys where idempotency_key = $1",
        [key],
      );
      return rows[0]?.at;
    };
    const before = await claimedAt();
    await until("the claim is renewed", async () => (await claimedAt()) !== before, { timeoutMs: 8_000 });
    const repeat = send(key);
    receiver.behave(respondWith(200), "/hook");
    for (const response of held) response.end();
    expect((await first).body.data).toMatchObject({ success: true });
    expect((await repeat).body).toEqual((await first).body);
    expect(receiver.at("/hook")).toHaveLength(1);
  });

  it("with another event type is a 409", async () => {
    const key = fresh();
    expect((await send(key)).status).toBe(201);
    conflict(await send(key, "?event_type=contact.created"));
    expect((await send(key)).status).toBe(201);
  });
});
