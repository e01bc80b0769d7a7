import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startParley, type TestParley } from "../support/parley.ts";

const ALL = [
  "api-keys:manage",
  "webhooks:manage",
  "conversations:read",
  "conversations:write",
  "messages:read",
  "messages:write",
  "drafts:read",
  "drafts:write",
  "contacts:read",
  "contacts:write",
  "events:read",
  "audit:read",
  "consumers:manage",
  "widgets:manage",
  "mailboxes:manage",
  "mailboxes:ingest",
];
const GROUPS = [...new Set(ALL.map((scope) => `${scope.split(":")[0]}:*`))];
const OF_BOTS = [
  "conversations:read",
  "conversations:write",
  "messages:read",
  "messages:write",
  "drafts:read",
  "drafts:write",
  "contacts:read",
  "mailboxes:ingest",
];

/** What each type of key may hold, written out here and not read from the code. */
const HOLDS: Record<string, { scopes: string[]; groups: string[]; everything: string[] | null }> = {
  full: { scopes: ALL, groups: GROUPS, everything: ALL },
  limited: { scopes: ALL, groups: [], everything: null },
  webhook: {
    scopes: ["webhooks:manage", "events:read"],
    groups: ["webhooks:*", "events:*"],
    everything: ["webhooks:manage", "events:read"],
  },
  bot: {
    scopes: OF_BOTS,
    groups: ["conversations:*", "messages:*", "drafts:*"],
    everything: OF_BOTS,
  },
};

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley();
});
afterAll(() => parley.close());

const create = (body: object, key?: string) =>
  parley.call("POST", "/api-keys", { body: { name: "n", ...body }, ...(key === undefined ? {} : { key }) });
const scopesOf = async (secret: string): Promise<string[]> =>
  (await parley.call("GET", "/me", { key: secret })).body.data.scopes;

describe.each(Object.keys(HOLDS))("a key of type %s", (type) => {
  const { scopes, groups, everything } = HOLDS[type] as (typeof HOLDS)[string];

  it.each([...ALL, ...GROUPS])(
    "may have the ability %s and its scopes exactly if the type may hold it",
    async (ability) => {
      const reply = await create({ type, abilities: [ability] });
      if (![...scopes, ...groups].includes(ability)) {
        expect(reply.status, reply.text).toBe(422);
        expect(Object.keys(reply.body.error.details)).toEqual(["abilities"]);
        return;
      }
      expect(reply.status, reply.text).toBe(201);
      expect(reply.body.data.abilities).toEqual([ability]);
      const covered = ALL.filter((scope) => scope === ability || ability === `${scope.split(":")[0]}:*`);
      expect((await scopesOf(reply.body.data.key)).sort()).toEqual([...covered].sort());
    },
  );

  it("with the ability * holds all that its type may hold", async () => {
    const reply = await create({ type, abilities: ["*"] });
    if (everything === null) return expect(reply.status).toBe(422);
    expect((await scopesOf(reply.body.data.key)).sort()).toEqual([...everything].sort());
  });

  it("without abilities gets *, unless it must name them", async () => {
    const reply = await create({ type });
    if (type === "limited") {
      expect(reply.status).toBe(422);
      expect(Object.keys(reply.body.error.details)).toEqual(["abilities"]);
    } else expect(reply.body.data.abilities).toEqual(["*"]);
  });
});

it("a scope outside the type is never effective, even if it is stored in the database", async () => {
  const bot = (await create({ type: "bot", abilities: ["messages:read"] })).body.data;
  await parley.database.query("update api_keys set abilities = '{api-keys:manage,messages:read}' where id = $1", [
    bot.id,
  ]);
  expect(await scopesOf(bot.key)).toEqual(["messages:read"]);
  expect((await parley.call("GET", "/api-keys", { key: bot.key })).status).toBe(403);
});

describe("a key without the needed scope", () => {
  it.each([
    ["webhook", {}],
    ["bot", {}],
    ["limited", { abilities: ALL.filter((scope) => scope !== "api-keys:manage") }],
    ["full", { abilities: ["webhooks:manage"] }],
  ])("of type %s gets 403 FORBIDDEN", async (type, more) => {
    const { key } = (await create({ type, ...more })).body.data;
    const { status, body } = await parley.call("GET", "/api-keys", { key });
    expect(status).toBe(403);
    expect(body).toEqual({ success: false, error: { code: "FORBIDDEN", message: expect.any(String) } });
  });
});

describe("a key that manages keys", () => {
  let narrow: { id: number; key: string };
  let wide: { id: number; key: string };
  let equal: { id: number; key: string };
  beforeAll(async () => {
    const abilities = ["api-keys:manage", "messages:read"];
    narrow = (await create({ type: "limited", abilities })).body.data;
    wide = (await create({ abilities: ["messages:read", "messages:write"] })).body.data;
    equal = (await create({ type: "limited", abilities: ["messages:read"] })).body.data;
  });
  const asNarrow = (method: string, path: string, body?: unknown) =>
    parley.call(method, path, { key: narrow.key, ...(body === undefined ? {} : { body }) });
  const forbidden = (reply: { status: number; body: { error: { code: string } }; text: string }) => {
    expect(reply.status, reply.text).toBe(403);
    expect(reply.body.error.code).toBe("FORBIDDEN");
  };

  it.each([
    [{}],
    [{ abilities: ["*"] }],
    [{ abilities: ["messages:*"] }],
    [{ abilities: ["messages:read", "audit:read"] }],
    [{ type: "webhook" }],
    [{ type: "bot" }],
    [{ type: "limited", abilities: ["contacts:read"] }],
  ])("gets a 403 for a new key that is wider than itself: %j", async (input) => {
    forbidden(await create(input, narrow.key));
  });

  it("can create a key within its own bounds, whatever the type", async () => {
    for (const input of [
      { abilities: ["messages:read"] },
      { type: "limited", abilities: ["api-keys:manage", "messages:read"] },
      { type: "bot", abilities: ["messages:read"] },
    ])
      expect((await create(input, narrow.key)).status).toBe(201);
  });

  it("gets the 403 for a wider key before a 422", async () => {
    forbidden(await create({ name: "", abilities: ["*"] }, narrow.key));
    forbidden(await asNarrow("PATCH", `/api-keys/${wide.id}`, { name: "" }));
    forbidden(await asNarrow("POST", `/api-keys/${wide.id}/rotate`, { overlap_seconds: -1 }));
    // A value that is not a known ability does not make a key broader.
    expect((await create({ abilities: ["nope"] }, narrow.key)).status).toBe(422);
    expect((await create({ abilities: "x" }, narrow.key)).status).toBe(422);
    expect((await create({ type: "x", abilities: ["messages:read"] }, narrow.key)).status).toBe(422);
  });

  it("gets a 403 for every PATCH of a wider key, even of its name or to pause it", async () => {
    for (const body of [{ name: "mine" }, { is_active: false }, { abilities: ["messages:read"] }, {}])
      forbidden(await asNarrow("PATCH", `/api-keys/${wide.id}`, body));
    expect((await parley.call("GET", `/api-keys/${wide.id}`)).body.data).toMatchObject({ name: "n", is_active: true });
  });

  it("gets a 403 when it widens a key beyond itself, itself included", async () => {
    for (const { id } of [equal, narrow])
      forbidden(
        await asNarrow("PATCH", `/api-keys/${id}`, { abilities: ["api-keys:manage", "messages:read", "audit:read"] }),
      );
  });

  it("gets a 403 when it rotates a wider key, whose secret stays valid", async () => {
    forbidden(await asNarrow("POST", `/api-keys/${wide.id}/rotate`));
    expect((await parley.call("GET", "/me", { key: wide.key })).status).toBe(200);
  });

  it("can PATCH and rotate a key that is as wide as itself", async () => {
    expect((await asNarrow("PATCH", `/api-keys/${equal.id}`, { name: "renamed" })).status).toBe(200);
    expect((await asNarrow("POST", `/api-keys/${equal.id}/rotate`)).status).toBe(200);
  });
});
