import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Any, wordsOf } from "../support/conversations.ts";
import { startParley, type TestParley } from "../support/parley.ts";

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley();
});
afterAll(() => parley.close());
const { made, got, patched, eventsOf, everyPage, thisKey, wrongFields } = wordsOf(() => parley);

const FULL = {
  external_id: "c-1",
  name: "Ada Lovelace",
  email: "Ada@Example.com",
  phone: "+44 20 7946 0958",
  attributes: { plan: "pro", seats: 3, nested: { a: [1, null] } },
};

describe("POST /contacts", () => {
  it("creates a contact with every documented field", async () => {
    const contact = await made("/contacts", FULL);
    expect(contact).toEqual({
      id: expect.any(Number),
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...FULL,
      unverified_email: null,
      blocked: false,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
      updated_at: contact.created_at,
    });
  });

  it("requires no field; null and unknown ones count as absent, texts are trimmed", async () => {
    const empty = await made("/contacts", {});
    expect(empty).toMatchObject({ external_id: null, name: null, email: null, phone: null, attributes: {} });
    const contact = await made("/contacts", { name: "  Grace ", email: null, phone: "  ", nickname: "x" });
    expect(contact).toMatchObject({ name: "Grace", email: null, phone: null });
    expect(contact).not.toHaveProperty("nickname");
  });

  it("responds with 409 to an external_id that is in use, in this workspace only", async () => {
    await made("/contacts", { external_id: "taken" });
    const { status, body } = await parley.call("POST", "/contacts", { body: { external_id: " taken " } });
    expect([status, body.error.code]).toEqual([409, "CONFLICT"]);
    const { key } = await parley.createWorkspace();
    await made("/contacts", { external_id: "taken" }, { key });
  });

  it("creates one of 20 contacts of the same external_id that come at once", async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => parley.call("POST", "/contacts", { body: { external_id: "race" } })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
  });

  it("reports all wrong fields at once", async () => {
    const body = {
      external_id: "x".repeat(256),
      name: 1,
      email: "nobody",
      phone: "1".repeat(65),
      attributes: { text: "x".repeat(16_384) },
    };
    expect(await wrongFields("POST", "/contacts", body)).toEqual([
      "attributes",
      "email",
      "external_id",
      "name",
      "phone",
    ]);
  });

  it.each([
    ["external_id", "é".repeat(255)],
    ["name", "é".repeat(255)],
    ["email", `${"a".repeat(308)}@example.com`],
    ["phone", "1".repeat(64)],
  ])("takes the longest %s and not one character more", async (field, longest) => {
    expect((await made("/contacts", { [field]: longest }))[field]).toBe(longest);
    expect(await wrongFields("POST", "/contacts", { [field]: `a${longest}` })).toEqual([field]);
  });

  it.each(["a@b@c", "a b@c", "@b", "a@", 7])("refuses the email %s", async (email) => {
    expect(await wrongFields("POST", "/contacts", { email })).toEqual(["email"]);
  });

  it.each([[[]], ["text"], [7]])("refuses %j for attributes", async (attributes) => {
    expect(await wrongFields("POST", "/contacts", { attributes })).toEqual(["attributes"]);
  });

  it("creates one contact for one Idempotency-Key", async () => {
    const headers = { "idempotency-key": "contact-once" };
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => parley.call("POST", "/contacts", { body: { external_id: "once" }, headers })),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(5).fill(201));
    expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(1);
    const other = await parley.call("POST", "/contacts", { body: { external_id: "two" }, headers });
    expect(other.status).toBe(409);
  });

  it("does not keep an error under an Idempotency-Key", async () => {
    const headers = { "idempotency-key": "contact-error" };
    const holder = await made("/contacts", { external_id: "held" });
    const body = { external_id: "held" };
    expect((await parley.call("POST", "/contacts", { body, headers })).status).toBe(409);
    await parley.call("DELETE", `/contacts/${holder.id}`);
    expect((await parley.call("POST", "/contacts", { body, headers })).status).toBe(201);
  });
});

describe("GET /contacts", () => {
  let key: string;
  beforeAll(async () => {
    ({ key } = await parley.createWorkspace());
    await made("/contacts", { name: "100% Ada", email: "ada@example.com", external_id: "x_1" }, { key });
    await made("/contacts", { name: "Grace", email: "GRACE@example.com", phone: "555-0100" }, { key });
    await made("/contacts", { external_id: "Order 1234567" }, { key });
  });

  it.each([
    ["", [null, "Grace", "100% Ada"]],
    ["external_id=x_1", ["100% Ada"]],
    ["external_id=x%251", []],
    ["email=grace@EXAMPLE.com", ["Grace"]],
    ["search=gRACE", ["Grace"]],
    ["search=555", ["Grace"]],
    ["search=%25", ["100% Ada"]],
    ["search=_", ["100% Ada"]],
    ["search=order%2012345", [null]],
    ["search=ordeal%2012345", []],
    ["search=nobody", []],
    ["search=example&email=ada@example.com", ["100% Ada"]],
    ["updated_since=2999-01-01T00:00:00Z", []],
    ["updated_since=2020-01-01T00:00:00+00:00", [null, "Grace", "100% Ada"]],
  ])("filters by %s", async (query, names) => {
    const { data, meta } = await got(`/contacts?${query}`, { key });
    expect(data.map((contact: Any) => contact.name)).toEqual(names);
    expect(meta.pagination.total).toBe(names.length);
  });

  it("has pages that do not drift while contacts are added", async () => {
    for (let index = 1; index <= 5; index++) await made("/contacts", { name: `drift ${index}` });
    const all = await everyPage("/contacts?per_page=2&search=drift", () => made("/contacts", { name: "drift later" }));
    expect(all.map(({ name }) => name)).toEqual(["drift 5", "drift 4", "drift 3", "drift 2", "drift 1"]);
  });

  it("returns an empty list with success, a total of zero and one page", async () => {
    const { data, meta, links } = await got("/contacts?search=nobody-at-all");
    expect(data).toEqual([]);
    expect(meta.pagination).toEqual({ total: 0, per_page: 25, current_page: 1, last_page: 1, from: 0, to: 0 });
    expect(links).toMatchObject({ prev: null, next: null });
  });

  it("refuses wrong parameters, all at once", async () => {
    expect(await wrongFields("GET", "/contacts?per_page=0&updated_since=x&page=a")).toEqual([
      "page",
      "per_page",
      "updated_since",
    ]);
  });
});

describe("a contact", () => {
  it("is read by id and by uuid, and by nobody else", async () => {
    const contact = await made("/contacts", { name: "Read me" });
    expect((await got(`/contacts/${contact.id}`)).data).toEqual(contact);
    expect((await got(`/contacts/${contact.uuid}`)).data).toEqual(contact);
    const { key } = await parley.createWorkspace();
    const unknown = await parley.call("GET", "/contacts/999999999");
    for (const method of ["GET", "PATCH", "DELETE"])
      for (const ref of [contact.id, contact.uuid]) {
        const body = method === "PATCH" ? { body: { name: 1 } } : {};
        const foreign = await parley.call(method, `/contacts/${ref}`, { key, ...body });
        expect([foreign.status, foreign.body]).toEqual([404, unknown.body]);
      }
    expect((await got("/contacts", { key })).data).toEqual([]);
    expect((await got(`/contacts/${contact.id}`)).data).toEqual(contact);
  });

  it.each(["abc", "0", "-1", "99999999999999999999", "1.5"])("does not exist under %s", async (ref) => {
    expect((await parley.call("GET", `/contacts/${ref}`)).status).toBe(404);
  });

  it("is changed field by field; an empty text clears", async () => {
    const contact = await made("/contacts", { ...FULL, external_id: "p-1" });
    const renamed = await patched(`/contacts/${contact.id}`, { name: "Countess", email: null });
    expect(renamed).toEqual({ ...contact, name: "Countess", updated_at: renamed.updated_at });
    const cleared = await patched(`/contacts/${contact.uuid}`, { external_id: "", phone: "", attributes: { a: 1 } });
    expect(cleared).toMatchObject({ external_id: null, phone: null, attributes: { a: 1 }, name: "Countess" });
  });

  it("moves updated_at on a real change only", async () => {
    const { id } = await made("/contacts", { name: "Still", attributes: { b: 1, a: 2 } });
    await parley.database.query("update contacts set updated_at = '2020-01-01' where id = $1", [id]);
    const same = await patched(`/contacts/${id}`, { name: " Still ", attributes: { a: 2, b: 1 } });
    expect(same.updated_at).toBe("2020-01-01T00:00:00+00:00");
    expect((await patched(`/contacts/${id}`, { name: "Moved" })).updated_at).not.toBe(same.updated_at);
  });

  it("cannot take another's external_id", async () => {
    await made("/contacts", { external_id: "mine" });
    const { id } = await made("/contacts", {});
    const { status, body } = await parley.call("PATCH", `/contacts/${id}`, { body: { external_id: "mine" } });
    expect([status, body.error.code]).toEqual([409, "CONFLICT"]);
  });

  it("keeps both of two concurrent edits of different fields", async () => {
    const { id } = await made("/contacts", {});
    for (let round = 0; round < 10; round++) {
      await Promise.all([
        patched(`/contacts/${id}`, { name: `name ${round}` }),
        patched(`/contacts/${id}`, { phone: `${round}` }),
      ]);
      expect((await got(`/contacts/${id}`)).data).toMatchObject({ name: `name ${round}`, phone: `${round}` });
    }
  });

  it("is deleted only once it has no conversations", async () => {
    const contact = await made("/contacts", { name: "Bound" });
    const conversation = await made("/conversations", { contact_id: contact.id });
    const bound = await parley.call("DELETE", `/contacts/${contact.id}`);
    expect([bound.status, bound.body.error.code]).toEqual([409, "CONFLICT"]);
    await parley.call("DELETE", `/conversations/${conversation.id}`);
    const gone = await parley.call("DELETE", `/contacts/${contact.id}`);
    expect([gone.status, gone.body.data]).toEqual([200, contact]);
    expect((await parley.call("GET", `/contacts/${contact.id}`)).status).toBe(404);
  });

  it("is either deleted or has the conversation when both come at once", async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await made("/contacts", {});
      const [deleted, opened] = await Promise.all([
        parley.call("DELETE", `/contacts/${id}`),
        parley.call("POST", "/conversations", { body: { contact_id: id } }),
      ]);
      expect([
        [200, 422],
        [409, 201],
      ]).toContainEqual([deleted.status, opened.status]);
    }
  });
});

describe("events of contacts", () => {
  it("report each change once, with the record and who did it", async () => {
    const actor = await thisKey();
    let contact: Any;
    let renamed: Any;
    const events = await eventsOf(async () => {
      contact = await made("/contacts", { name: "Eve" });
      renamed = await patched(`/contacts/${contact.id}`, { name: "Eva" });
      await patched(`/contacts/${contact.id}`, { name: "Eva" });
      await parley.call("PATCH", `/contacts/${contact.id}`, { body: { email: "wrong" } });
      await parley.call("DELETE", `/contacts/${contact.id}`);
    });
    expect(events.map(({ type, data, actor: by }) => [type, data, by])).toEqual([
      ["contact.created", contact, actor],
      ["contact.updated", renamed, actor],
      ["contact.deleted", renamed, actor],
    ]);
  });
});

describe("scopes of contacts", () => {
  it("are each required for their own operation", async () => {
    const { id } = await made("/contacts", {});
    const reader = await parley.createKey({ type: "limited", abilities: ["contacts:read"] });
    const writer = await parley.createKey({ type: "limited", abilities: ["contacts:write"] });
    const bot = await parley.createKey({ type: "bot" });
    const status = async (key: string, method: string, path: string) =>
      (await parley.call(method, path, { key, ...(method === "POST" || method === "PATCH" ? { body: {} } : {}) }))
        .status;
    for (const { key } of [reader, bot]) {
      expect(await status(key, "GET", "/contacts")).toBe(200);
      expect(await status(key, "GET", `/contacts/${id}`)).toBe(200);
      expect(await status(key, "POST", "/contacts")).toBe(403);
      expect(await status(key, "PATCH", `/contacts/${id}`)).toBe(403);
      expect(await status(key, "DELETE", `/contacts/${id}`)).toBe(403);
    }
    expect(await status(writer.key, "GET", "/contacts")).toBe(403);
    expect(await status(writer.key, "PATCH", `/contacts/${id}`)).toBe(200);
    expect(await status(writer.key, "DELETE", `/contacts/${id}`)).toBe(200);
  });
});
