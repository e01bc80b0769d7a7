import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RouteSpec } from "../../src/http/pipeline/route.ts";
import { openStream } from "../support/event-stream.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { fill, type MadeIds, makeFor, makeMessageFor, parametersOf } from "../support/route-fixtures.ts";
import {
  forKeys,
  goodBodyOf,
  hasParameters,
  nameOf,
  type Probe,
  type ProbeOptions,
  probe,
  UNKNOWN_ID,
} from "../support/route-walk.ts";

const UNKNOWN_UUID = "00000000-0000-4000-8000-000000000000";

let parley: TestParley;
let routes: readonly RouteSpec[];
let other: { id: number; key: string };
/** One resource for each path parameter, ours and theirs. */
let ours: MadeIds;
let theirs: MadeIds;
let theirUuids: Record<string, string>;

beforeAll(async () => {
  // One attempt per delivery: nothing happens in the background while two moments are compared.
  parley = await startParley({ PARLEY_RETRY_SCHEDULE: "3600" });
  routes = parley.app.server.routes.filter(forKeys);
  other = await parley.createWorkspace();
  ours = await makeAll(parley.key);
  theirs = await makeAll(other.key);
  theirUuids = await readTheirUuids();
});
afterAll(() => parley.close());

async function makeAll(key: string): Promise<MadeIds> {
  // The message is mail, which every route of messages takes.
  const made: MadeIds = await makeMessageFor("/{message}/email", parley.url, key);
  for (const spec of routes)
    if (parametersOf(spec.path).some((name) => made[name] === undefined))
      Object.assign(made, await makeFor(spec.path, parley.url, key, made));
  return made;
}

/** Each read from the route that gets one such resource; what is named has its name alone. */
async function readTheirUuids(): Promise<Record<string, string>> {
  const uuids: Record<string, string> = {};
  for (const spec of routes.filter(({ method, path }) => method === "GET" && path.endsWith("}"))) {
    const reply = await ask(spec, theirPath(spec), {}, other.key);
    if (reply.status !== 200) throw new Error(`GET ${spec.path} received ${reply.status}: ${reply.text}`);
    uuids[parametersOf(spec.path).at(-1) ?? ""] =
      reply.body.data.uuid ?? (spec.name ? reply.body.data.name : reply.body.data.id);
  }
  return uuids;
}

const theirPath = (spec: RouteSpec, ids: Record<string, string | number> = theirs) =>
  fill(spec.path, (name) => ids[name] ?? "");
const ask = (spec: RouteSpec, path: string, options: ProbeOptions = {}, key = parley.key) =>
  probe(parley.url, spec, path, key, options);

/** All of a response that a client could compare, but for what differs between any two. */
const visible = ({ status, headers, text }: Probe) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => name !== "x-request-id" && name !== "date"),
});

/**
 * All that the other workspace sees of itself, but for when its key was last used and its consumer last read, and for links
 * to files, which are others each quarter of an hour; reading a secret leaves a trace.
 */
async function theirView(): Promise<string[]> {
  const view: string[] = [];
  for (const spec of routes)
    if (spec.method === "GET" && !spec.success.streamed && !spec.path.endsWith("/secret"))
      view.push(
        (
          await ask(
            spec,
            fill(spec.path, (name) => theirs[name] ?? ""),
            {},
            other.key,
          )
        ).text,
      );
  const changing = /"(last_(used|read)_at|expires_at)":("[^"]*"|null)|\?expires=\d+&signature=[\w-]+/g;
  return view.map((text) => text.replaceAll(changing, ""));
}

/** Each parameter of the path by itself, the others being one's own, and all of them. */
function replacementsIn(spec: RouteSpec): string[][] {
  const names = parametersOf(spec.path);
  return names.length === 1 ? [names] : [names, ...names.map((name) => [name])];
}

describe("another workspace's ids", () => {
  it("get exactly the response of unknown ones from every route, and nothing of it changes", async () => {
    const before = await theirView();
    for (const spec of routes.filter(hasParameters)) {
      const body = goodBodyOf(spec);
      const requests: ProbeOptions[] = body ? [{}, { body }, { body: "no JSON" }] : [{}];
      for (const options of requests)
        for (const [foreign, nobody] of [
          [theirs, UNKNOWN_ID],
          [theirUuids, UNKNOWN_UUID],
        ] as const)
          for (const replaced of replacementsIn(spec)) {
            const path = (id: (name: string) => string | number) =>
              fill(spec.path, (name) => (replaced.includes(name) ? id(name) : (ours[name] ?? "")));
            const reply = await ask(
              spec,
              path((name) => foreign[name] ?? ""),
              options,
            );
            const place = `${nameOf(spec)}, foreign ${replaced.join(" and ")}, ${JSON.stringify(options)}`;
            expect(reply.status, `${place}: ${reply.text}`).toBe(404);
            expect(visible(reply), place).toEqual(
              visible(
                await ask(
                  spec,
                  path(() => nobody),
                  options,
                ),
              ),
            );
          }
    }
    expect(await theirView()).toEqual(before);
  });

  it("would be distinguished if they were let in: their own key gets them", async () => {
    for (const spec of routes.filter((route) => hasParameters(route) && route.method === "GET")) {
      expect((await ask(spec, theirPath(spec, theirUuids), {}, other.key)).status, nameOf(spec)).toBe(200);
    }
  });

  it("in a body or a query get the response of unknown ones", async () => {
    const opened = (contact_id: unknown) => parley.call("POST", "/conversations", { body: { contact_id } });
    const listed = async (name: string, id: unknown) =>
      (await parley.call("GET", `/conversations?${name}=${id}`)).text.replaceAll(`${name}=${id}`, `${name}=that`);
    for (const [foreign, unknown] of [
      [theirs.contact, UNKNOWN_ID],
      [theirUuids.contact, UNKNOWN_UUID],
    ]) {
      const refusal = await opened(foreign);
      expect(refusal.status).toBe(422);
      expect(refusal.text).toBe((await opened(unknown)).text);
      for (const name of ["contact_id", "assignee_id"]) {
        expect(await listed(name, foreign)).toContain('"total":0');
        expect(await listed(name, foreign)).toBe(await listed(name, unknown));
      }
    }
  });
});

describe("another workspace's records", () => {
  it("are in no list, log, audit log or response that needs no id", async () => {
    const secrets = Object.values(theirUuids);
    expect(secrets.length).toBeGreaterThanOrEqual(6);
    for (const spec of routes) {
      if (hasParameters(spec) || spec.method !== "GET" || spec.success.streamed) continue;
      const query = spec.path === "/search" ? "?q=fixture" : spec.success.paged ? "?per_page=100" : "";
      const { status, text } = await ask(spec, spec.path + query);
      expect(status, nameOf(spec)).toBe(200);
      for (const uuid of secrets) expect(text, nameOf(spec)).not.toContain(uuid);
    }
  });

  it("cannot be read on with their cursor, which is refused like garbage", async () => {
    const { meta } = (await parley.call("GET", "/events?limit=1", { key: other.key })).body;
    const garbage = `${meta.next_cursor.slice(0, -1)}${meta.next_cursor.endsWith("A") ? "B" : "A"}`;
    for (const path of ["/events", "/events/stream"]) {
      const [foreign, nonsense] = [meta.next_cursor, garbage].map((cursor) =>
        parley.call("GET", `${path}?cursor=${cursor}`),
      );
      expect((await foreign)?.status).toBe(422);
      expect((await foreign)?.text).toBe((await nonsense)?.text);
    }
    const resumed = await Promise.all(
      [meta.next_cursor, garbage].map((cursor) =>
        parley.call("GET", "/events/stream", { headers: { "last-event-id": cursor } }),
      ),
    );
    expect(resumed[0]?.status).toBe(422);
    expect(resumed[0]?.text).toBe(resumed[1]?.text);
  });

  it("do not come down a stream", async () => {
    const stream = await openStream(parley.url);
    await parley.call("POST", "/contacts", { key: other.key, body: { name: "theirs" } });
    await parley.call("POST", "/contacts", { body: { name: "ours" } });
    const [first] = await stream.received(1);
    expect(first?.data.data.name).toBe("ours");
    expect(stream.events).toHaveLength(1);
    stream.close();
  });

  it("are not replayed, counted or delivered to one's own webhook", async () => {
    const since = { since: "2020-01-01T00:00:00Z", dry_run: true };
    const missed = async () =>
      (await parley.call("POST", `/webhooks/${ours.webhook}/recover`, { body: since })).body.data.events;
    const before = await missed();
    await parley.call("POST", `/conversations/${theirs.conversation}/messages`, {
      key: other.key,
      body: { body: "theirs" },
    });
    expect(await missed()).toBe(before);
  });

  it("are not returned for an Idempotency-Key that both use", async () => {
    const options = { headers: { "idempotency-key": "the same in both" }, body: { name: "one body" } };
    const mine = await parley.call("POST", "/contacts", options);
    const hers = await parley.call("POST", "/contacts", { ...options, key: other.key });
    expect([mine.status, hers.status]).toEqual([201, 201]);
    expect(hers.body.data.uuid).not.toBe(mine.body.data.uuid);
  });
});
