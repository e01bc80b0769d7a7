import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RouteSpec } from "../../src/http/pipeline/route.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { scale } from "../support/proof.ts";
import { hasParameters, nameOf, type Probe, probe, withUnknownIds } from "../support/route-walk.ts";

/**
 * Which scope each route requires and what each type of key may hold, written out here and not read from the code: a
 * route that is missing here, or requires something else, fails.
 */
const SCOPE_OF: Record<string, string> = {
  "GET /me": "any key",
  "GET /event-types": "any key",
  "GET /api-keys": "api-keys:manage",
  "POST /api-keys": "api-keys:manage",
  "GET /api-keys/{key}": "api-keys:manage",
  "PATCH /api-keys/{key}": "api-keys:manage",
  "DELETE /api-keys/{key}": "api-keys:manage",
  "POST /api-keys/{key}/rotate": "api-keys:manage",
  "POST /api-keys/{key}/revoke-old-secret": "api-keys:manage",
  "GET /webhooks": "webhooks:manage",
  "POST /webhooks": "webhooks:manage",
  "GET /webhooks/{webhook}": "webhooks:manage",
  "PATCH /webhooks/{webhook}": "webhooks:manage",
  "DELETE /webhooks/{webhook}": "webhooks:manage",
  "POST /webhooks/{webhook}/enable": "webhooks:manage",
  "POST /webhooks/{webhook}/disable": "webhooks:manage",
  "GET /webhooks/{webhook}/secret": "webhooks:manage",
  "POST /webhooks/{webhook}/rotate-secret": "webhooks:manage",
  "POST /webhooks/{webhook}/test": "webhooks:manage",
  "GET /webhooks/{webhook}/logs": "webhooks:manage",
  "GET /webhooks/{webhook}/logs/{log}": "webhooks:manage",
  "POST /webhooks/{webhook}/logs/{log}/redeliver": "webhooks:manage",
  "POST /webhooks/{webhook}/recover": "webhooks:manage",
  "POST /webhooks/preview": "webhooks:manage",
  "GET /mailboxes": "mailboxes:manage",
  "POST /mailboxes": "mailboxes:manage",
  "GET /mailboxes/{mailbox}": "mailboxes:manage",
  "PATCH /mailboxes/{mailbox}": "mailboxes:manage",
  "DELETE /mailboxes/{mailbox}": "mailboxes:manage",
  "POST /mailboxes/{mailbox}/pause": "mailboxes:manage",
  "POST /mailboxes/{mailbox}/check": "mailboxes:manage",
  "POST /mailboxes/{mailbox}/resume": "mailboxes:manage",
  "POST /mailboxes/{mailbox}/messages": "mailboxes:ingest",
  "GET /conversations/{conversation}/messages/{message}/email": "messages:read",
  "POST /conversations/{conversation}/messages/{message}/resend": "messages:write",
  "GET /consumers": "consumers:manage",
  "PUT /consumers/{consumer}": "consumers:manage",
  "GET /consumers/{consumer}": "consumers:manage",
  "DELETE /consumers/{consumer}": "consumers:manage",
  "POST /consumers/{consumer}/reset": "consumers:manage",
  "GET /consumers/{consumer}/events": "events:read",
  "POST /consumers/{consumer}/ack": "events:read",
  "GET /widgets": "widgets:manage",
  "POST /widgets": "widgets:manage",
  "GET /widgets/{widget}": "widgets:manage",
  "PATCH /widgets/{widget}": "widgets:manage",
  "DELETE /widgets/{widget}": "widgets:manage",
  "GET /widgets/{widget}/secret": "widgets:manage",
  "POST /widgets/{widget}/rotate-secret": "widgets:manage",
  "GET /contacts": "contacts:read",
  "POST /contacts": "contacts:write",
  "GET /contacts/{contact}": "contacts:read",
  "PATCH /contacts/{contact}": "contacts:write",
  "DELETE /contacts/{contact}": "contacts:write",
  "DELETE /contacts/{contact}/sessions": "contacts:write",
  "GET /conversations/{conversation}/transcript": "messages:read",
  "GET /conversations": "conversations:read",
  "POST /conversations": "conversations:write",
  "GET /conversations/{conversation}": "conversations:read",
  "PATCH /conversations/{conversation}": "conversations:write",
  "DELETE /conversations/{conversation}": "conversations:write",
  "GET /conversations/{conversation}/messages": "messages:read",
  "POST /conversations/{conversation}/messages": "messages:write",
  "GET /conversations/{conversation}/messages/{message}": "messages:read",
  "PATCH /conversations/{conversation}/messages/{message}": "messages:write",
  "DELETE /conversations/{conversation}/messages/{message}": "messages:write",
  "POST /files": "messages:write",
  "GET /files/{file}": "messages:read",
  "DELETE /files/{file}": "messages:write",
  "GET /conversations/{conversation}/drafts": "drafts:read",
  "POST /conversations/{conversation}/drafts": "drafts:write",
  "GET /conversations/{conversation}/drafts/{draft}": "drafts:read",
  "PATCH /conversations/{conversation}/drafts/{draft}": "drafts:write",
  "DELETE /conversations/{conversation}/drafts/{draft}": "drafts:write",
  "POST /conversations/{conversation}/drafts/{draft}/send": "messages:write",
  "POST /conversations/bulk": "conversations:write",
  "GET /conversations/counts": "conversations:read",
  "POST /conversations/{conversation}/read": "people only",
  "POST /conversations/{conversation}/unread": "people only",
  "GET /labels": "conversations:read",
  "GET /members": "conversations:read",
  "GET /views": "conversations:read",
  "POST /views": "conversations:write",
  "GET /views/{view}": "conversations:read",
  "PATCH /views/{view}": "conversations:write",
  "DELETE /views/{view}": "conversations:write",
  "GET /saved-replies": "messages:read",
  "POST /saved-replies": "messages:write",
  "GET /saved-replies/{saved_reply}": "messages:read",
  "PATCH /saved-replies/{saved_reply}": "messages:write",
  "DELETE /saved-replies/{saved_reply}": "messages:write",
  "GET /search": "conversations:read | messages:read | contacts:read",
  "GET /events": "events:read",
  "GET /events/{event}": "events:read",
  "GET /events/stream": "events:read",
  "GET /audit-logs": "audit:read",
};

const SCOPES = [...new Set(Object.values(SCOPE_OF))].filter(
  (scope) => !["any key", "people only"].includes(scope) && !scope.includes("|"),
);
const MAY_HOLD: Record<string, string[]> = {
  full: SCOPES,
  limited: SCOPES,
  webhook: ["webhooks:manage", "events:read"],
  bot: [
    "conversations:read",
    "conversations:write",
    "messages:read",
    "messages:write",
    "drafts:read",
    "drafts:write",
    "contacts:read",
    "mailboxes:ingest",
  ],
};

let parley: TestParley;
let routes: readonly RouteSpec[];
beforeAll(async () => {
  parley = await startParley({ PARLEY_AUTH_FAILURES_PER_MINUTE: "1000000" });
  routes = parley.app.server.routes;
});
afterAll(() => parley.close());

const makeKey = (input: object) => parley.createKey({ rate_limit_tier: "unlimited", ...input });

const CODES: Record<number, string> = { 401: "UNAUTHORIZED", 403: "FORBIDDEN", 404: "NOT_FOUND" };
const refusedWith = (status: number, what: string, reply: Probe) => {
  expect(reply.status, `${what}: ${reply.text}`).toBe(status);
  expect(reply.body, what).toMatchObject({ success: false, error: { code: CODES[status] } });
};

/** What a key that is let in gets for ids nobody has and an empty body. */
const letIn = (spec: RouteSpec, what: string, reply: Probe) => {
  // The name in its path is that of what it creates, so that none is unknown: the empty body is what is refused.
  if (spec.method === "PUT") {
    expect(reply.status, `${what}: ${reply.text}`).toBe(422);
    expect(Object.keys(reply.body.error.details), what).toEqual(["start"]);
  } else if (hasParameters(spec)) refusedWith(404, what, reply);
  else if (spec.path === "/search") expect(reply.body.error.details, what).toHaveProperty("q");
  else if (spec.method === "GET") expect(reply.status, `${what}: ${reply.text}`).toBe(200);
  else expect([201, 422], `${what}: ${reply.text}`).toContain(reply.status);
};

/** Calls every route (of these) and compares what happens with the table. */
async function walk(what: string, key: string, holds: readonly string[], some = routes): Promise<void> {
  await everyRoute(
    key,
    (spec, reply) => {
      const scope = SCOPE_OF[nameOf(spec)] ?? "";
      const place = `${nameOf(spec)} with ${what}`;
      // A search asks for one of several scopes, whichever.
      if (scope === "any key" || scope.split(" | ").some((one) => holds.includes(one))) letIn(spec, place, reply);
      else refusedWith(403, place, reply);
    },
    some,
  );
}

const everyRoute = (key: string | null, judge: (spec: RouteSpec, reply: Probe) => void, some = routes) =>
  Promise.all(some.map(async (spec) => judge(spec, await probe(parley.url, spec, withUnknownIds(spec), key))));

it("the table names every route there is, and no other", () => {
  expect(routes.map(nameOf).sort()).toEqual(Object.keys(SCOPE_OF).sort());
});

describe("every route refuses with 401", () => {
  const paused = async (body: object) => {
    const made = await makeKey({});
    await parley.call("PATCH", `/api-keys/${made.id}`, { body });
    return made.key;
  };
  const revoked = async () => {
    const made = await makeKey({});
    await parley.call("DELETE", `/api-keys/${made.id}`);
    return made.key;
  };
  const mistyped = async () => {
    const { key } = await makeKey({});
    return key.slice(0, -1) + (key.endsWith("A") ? "B" : "A");
  };
  const rotated = async () => {
    const { id, key } = await makeKey({});
    await parley.call("POST", `/api-keys/${id}/rotate`);
    return key;
  };

  it.each<[string, () => Promise<string | null>]>([
    ["no key", async () => null],
    ["an empty key", async () => ""],
    ["a garbage key", async () => "garbage"],
    ["a mistyped key", mistyped],
    ["a revoked key", revoked],
    ["a paused key", () => paused({ is_active: false })],
    ["an expired key", () => paused({ expires_at: "2020-01-01T00:00:00Z" })],
    ["the secret before the last rotation", rotated],
  ])("%s", async (what, make) => {
    await everyRoute(await make(), (spec, reply) => refusedWith(401, `${nameOf(spec)} with ${what}`, reply));
  });
});

describe("every route", () => {
  it("refuses a key from a wrong address", async () => {
    const { key } = await makeKey({ allowed_ips: ["203.0.113.1"] });
    await everyRoute(key, (spec, reply) => refusedWith(403, nameOf(spec), reply));
  });

  it.each(Object.entries(MAY_HOLD))(
    "lets a %s key with all that its type may hold in exactly where it may",
    async (type, holds) => {
      const { key } = await makeKey({ type, abilities: type === "limited" ? holds : ["*"] });
      await walk(`a ${type} key`, key, holds);
    },
  );

  it.each(SCOPES)(
    "lets a limited key with %s alone, and one with all the others, in exactly where they may",
    async (scope) => {
      const others = SCOPES.filter((other) => other !== scope);
      await walk(`${scope} alone`, (await makeKey({ type: "limited", abilities: [scope] })).key, [scope]);
      const asking = routes.filter((spec) => SCOPE_OF[nameOf(spec)] === scope);
      const { key } = await makeKey({ type: "limited", abilities: others });
      await walk(`all but ${scope}`, key, others, scale(asking, routes));
    },
  );

  it("lets a key with a part of what its type may hold, by name or by group, in exactly where it may", async () => {
    for (const [type, mayHold] of Object.entries(MAY_HOLD).filter(([name]) => name !== "limited"))
      for (const scope of scale(mayHold.slice(0, 1), mayHold)) {
        const group = mayHold.filter((other) => other.split(":")[0] === scope.split(":")[0]);
        await walk(`a ${type} key with ${scope}`, (await makeKey({ type, abilities: [scope] })).key, [scope]);
        // The whole group is asked for only where the type may hold the whole of it.
        const wildcard = `${scope.split(":")[0]}:*`;
        if (SCOPES.filter((other) => other.startsWith(wildcard.slice(0, -1))).length !== group.length) continue;
        await walk(`a ${type} key with ${wildcard}`, (await makeKey({ type, abilities: [wildcard] })).key, group);
      }
  });

  it("does not let a key use stored abilities that its type may not hold", async () => {
    for (const type of ["webhook", "bot"]) {
      const { id, key } = await makeKey({ type });
      // As if an earlier release had let it in.
      await parley.database.query("update api_keys set abilities = $2 where id = $1", [id, SCOPES]);
      await walk(`a ${type} key with every ability stored`, key, MAY_HOLD[type] ?? []);
    }
  });
});
