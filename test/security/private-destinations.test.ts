import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { full, scale, seeded } from "../support/proof.ts";
import { until } from "../support/wait.ts";
import {
  type AttackNetwork,
  CLOSED_PORT,
  openAttackNetwork,
  PUBLIC_V4,
  PUBLIC_V6,
  whyNoNamespace,
} from "./attack-network.ts";
import { LITERALS, PRIVATE_ADDRESSES } from "./private-addresses.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the response holds
type Any = any;

const REFUSED = "The url must not point to a private or reserved address.";

const obstacle = await whyNoNamespace();

describe("a private destination, under the production policy", () => {
  let network: AttackNetwork;
  let conversation: number;
  let names = 0;
  beforeAll(async () => {
    if (obstacle !== null) return;
    network = await openAttackNetwork();
    conversation = (await made("/conversations", {})).id;
  });
  afterAll(() => network?.close());
  beforeEach(({ skip }) => skip(obstacle !== null, `no network namespace can be made here: ${obstacle}`));
  afterEach(() => expect(network?.intrusions() ?? []).toEqual([]));

  async function made(path: string, body: object): Promise<Any> {
    const reply = await network.call("POST", path, { body });
    expect(reply.status, reply.text).toBe(201);
    return reply.body.data;
  }
  const freshName = () => `hook-${++names}.attacker.example`;
  const hookOf = (url: string, input: object = {}) => ({ name: "hook", url, events: ["message.created"], ...input });
  const create = (url: string) => network.call("POST", "/webhooks", { body: hookOf(url) });
  const write = () => made(`/conversations/${conversation}/messages`, { body: "hello" });

  /** A webhook at a name that is public for now. */
  async function publicHook(input: object = {}, port = 80): Promise<Any> {
    const host = freshName();
    network.dns.set(host, [PUBLIC_V4]);
    return { ...(await made("/webhooks", hookOf(`http://${host}:${port}/${host}`, input))), host };
  }
  const logsOf = async (webhook: Any): Promise<Any[]> =>
    (await network.call("GET", `/webhooks/${webhook.id}/logs?per_page=100`)).body.data;
  const waitForLogs = (webhook: Any, count: number) =>
    until(
      `${webhook.host} has ${count} logs`,
      async () => {
        const logs = await logsOf(webhook);
        return logs.length >= count ? logs : null;
      },
      { timeoutMs: 20_000 },
    );
  const remove = (webhooks: Any[]) => Promise.all(webhooks.map(({ id }) => network.call("DELETE", `/webhooks/${id}`)));

  const isRefused = (log: Any) => {
    expect(log).toMatchObject({ status: "failed", response_code: 0 });
    expect(log.error_message).toBe("the destination is a private or reserved address");
  };

  it("would be noticed: what is private here does respond", async () => {
    for (const address of ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "fd00::1", "64:ff9b::a00:1"]) {
      (await network.namespace.connect(address, 80)).destroy();
      await until(`${address} is noticed`, () => network.intrusions().some((seen) => seen.address === address));
    }
    network.connections.length = 0;
  });

  it("is distinguished from a public one, which gets its test, its deliveries and its replays", async () => {
    const host = freshName();
    network.dns.set(host, [PUBLIC_V4, PUBLIC_V6]);
    const urls = [`http://${host}/by-name`, `http://${PUBLIC_V4}/by-v4`, `http://[${PUBLIC_V6}]/by-v6`];
    const hooks = await Promise.all(urls.map((url) => made("/webhooks", hookOf(url))));
    await write();
    for (const hook of hooks) {
      const [log] = await waitForLogs(hook, 1);
      expect(log).toMatchObject({ status: "success", response_code: 200 });
      expect((await network.call("POST", `/webhooks/${hook.id}/test`)).body.data.success).toBe(true);
      expect((await network.call("POST", `/webhooks/${hook.id}/logs/${log.id}/redeliver`)).status).toBe(202);
      await waitForLogs(hook, 3);
      expect(network.arrivals.filter(({ path }) => path === new URL(hook.url).pathname)).toHaveLength(3);
    }
    await remove(hooks);
  });

  it("is refused as a literal in every spelling, by create and by update", async () => {
    const hook = await publicHook();
    for (const host of LITERALS)
      for (const reply of [
        await create(`http://${host}:80/`),
        await network.call("PATCH", `/webhooks/${hook.id}`, { body: { url: `http://${host}/` } }),
      ]) {
        expect(reply.status, `${host}: ${reply.text}`).toBe(422);
        expect(Object.keys(reply.body.error.details), host).toEqual(["url"]);
      }
    expect((await network.call("GET", `/webhooks/${hook.id}`)).body.data.url).toBe(hook.url);
    await remove([hook]);
  });

  it.each(Object.entries(PRIVATE_ADDRESSES))(
    "is refused as a name that resolves to it, by create and by update: %s",
    async (_what, addresses) => {
      const host = freshName();
      network.dns.set(host, addresses);
      const hook = await publicHook();
      const path = `/webhooks/${hook.id}`;
      for (const url of [`http://${host}/`, `https://${host}/`, `http://${host}.:8080/`])
        for (const reply of [await create(url), await network.call("PATCH", path, { body: { url } })]) {
          expect(reply.status, `${url}: ${reply.text}`).toBe(422);
          expect(reply.body.error.details).toEqual({ url: [REFUSED] });
        }
      expect(network.dns.lookups(host)).toBeGreaterThan(0);
      await remove([hook]);
    },
  );

  it("is refused by test, delivery, retry, redeliver and recover once a name has turned to it", async () => {
    const since = new Date(Date.now() - 1_000).toISOString();
    const addresses = Object.values(PRIVATE_ADDRESSES);
    const hooks: Any[] = await Promise.all(addresses.map(() => publicHook({ retry_count: 1 })));
    // One more that did not resolve when it was made.
    const unknown = freshName();
    hooks.push({ ...(await made("/webhooks", hookOf(`http://${unknown}/`, { retry_count: 1 }))), host: unknown });
    for (const [index, { host }] of hooks.entries()) network.dns.set(host, addresses[index] ?? ["10.0.0.1"]);
    for (const { id } of hooks) {
      const reply = await network.call("POST", `/webhooks/${id}/test`);
      expect(reply.status, reply.text).toBe(422);
      expect(reply.body.error.details).toEqual({ url: [REFUSED] });
    }

    await write();
    for (const hook of hooks) {
      const logs = await waitForLogs(hook, 2);
      expect(logs.map(({ attempt }) => attempt)).toEqual([2, 1]);
      const again = await network.call("POST", `/webhooks/${hook.id}/logs/${logs[0].id}/redeliver`);
      expect(again.status, again.text).toBe(202);
    }
    for (const hook of hooks) {
      await waitForLogs(hook, 4);
      await until("the replay is over and its event can be recovered", async () => {
        const reply = await network.call("POST", `/webhooks/${hook.id}/recover`, { body: { since } });
        expect(reply.status, reply.text).toBe(202);
        return reply.body.data.events > 0;
      });
    }
    for (const hook of hooks) for (const log of await waitForLogs(hook, 6)) isRefused(log);
    expect(network.arrivals.filter(({ path }) => hooks.some(({ host }) => path === `/${host}`))).toEqual([]);
    await remove(hooks);
  });

  it("is refused at the retry, though the first attempt went to a public address", async () => {
    const hook = await publicHook({ retry_count: 3 });
    network.dns.set(hook.host, (lookup) => (lookup === 1 ? [PUBLIC_V4] : ["10.0.0.1"]));
    network.respondWith(500);
    await write();
    const [, , , first, ...none] = await waitForLogs(hook, 4);
    expect(none).toEqual([]);
    expect(first).toMatchObject({ attempt: 1, response_code: 500 });
    for (const log of (await logsOf(hook)).slice(0, 3)) isRefused(log);
    network.respondWith(200);
    await remove([hook]);
  });

  it("gains nothing by rebinding between the check and the connection", async () => {
    for (const privateAt of [1, 2, 3, 4]) {
      const host = freshName();
      network.dns.set(host, (lookup) => (lookup >= privateAt ? ["10.0.0.1"] : [PUBLIC_V4]));
      const reply = await create(`http://${host}/`);
      expect(reply.status).toBe(privateAt === 1 ? 422 : 201);
      if (reply.status === 422) continue;
      const { id } = reply.body.data;
      // Lookup 2 is the check and 3 the connection of the first test; from then on it stays private.
      const tests = [1, 2].map(() => () => network.call("POST", `/webhooks/${id}/test`));
      const statuses: number[] = [];
      for (const test of tests) statuses.push((await test()).status);
      expect(statuses, `private from lookup ${privateAt} on`).toEqual(privateAt === 4 ? [201, 422] : [422, 422]);
      await remove([{ id }]);
    }
  });

  it("gains nothing from a name server that responds by chance", async () => {
    const random = seeded("a name server that responds by chance");
    const hosts = Array.from({ length: scale(4, 20) }, freshName);
    const privates = Object.values(PRIVATE_ADDRESSES);
    const hooks: Any[] = [];
    for (const host of hosts) {
      network.dns.set(host, [PUBLIC_V4]);
      hooks.push({ ...(await made("/webhooks", hookOf(`http://${host}/${host}`, { retry_count: 10 }))), host });
      network.dns.set(host, () =>
        random() < 0.5 ? [PUBLIC_V4] : (privates[Math.floor(random() * privates.length)] ?? []),
      );
    }
    const statuses = new Set<number>();
    for (let round = 0; round < scale(4, 20); round++) {
      await write();
      for (const { id } of hooks) statuses.add((await network.call("POST", `/webhooks/${id}/test`)).status);
    }
    if (full) expect([...statuses].sort()).toEqual([201, 422]);
    await until(
      "deliveries have come through and been refused",
      async () => {
        const all = (await Promise.all(hooks.map(logsOf))).flat();
        const succeeded = all.filter(({ status }) => status === "success").length;
        return succeeded >= hooks.length && all.some(({ status }) => status === "failed");
      },
      { timeoutMs: 20_000 },
    );
    await remove(hooks);
  });

  it.each([301, 302, 303, 307, 308])("is not reached by a redirect: %i", async (status) => {
    const hook = await publicHook({ retry_count: 0 });
    const inner = freshName();
    network.dns.set(inner, ["10.0.0.1"]);
    for (const location of ["http://10.0.0.1/", `http://${inner}/`, "//169.254.169.254/latest/meta-data/"]) {
      network.respondWith(status, { location });
      const { data } = (await network.call("POST", `/webhooks/${hook.id}/test`)).body;
      expect(data).toMatchObject({ success: false, status_code: status });
    }
    await write();
    const logs = await waitForLogs(hook, 4);
    expect(logs[0]).toMatchObject({ status: "failed", response_code: status, event_type: "message.created" });
    network.respondWith(200);
    await remove([hook]);
  });

  it("is refused alike whether its port is open or closed", async () => {
    const hook = await publicHook();
    const responsesFor = async (port: number) => {
      const url = `http://10.0.0.1:${port}/`;
      const replies = [await create(url), await network.call("PATCH", `/webhooks/${hook.id}`, { body: { url } })];
      return replies.map(({ status, text }) => [status, text]);
    };
    expect(await responsesFor(80)).toEqual(await responsesFor(CLOSED_PORT));

    const [open, closed] = [
      await publicHook({ retry_count: 0 }, 80),
      await publicHook({ retry_count: 0 }, CLOSED_PORT),
    ];
    for (const { host } of [open, closed]) network.dns.set(host, ["10.0.0.1"]);
    const tests = await Promise.all([open, closed].map(({ id }) => network.call("POST", `/webhooks/${id}/test`)));
    expect(tests[0]?.text).toBe(tests[1]?.text);
    await write();
    const details = await Promise.all([open, closed].map((webhook) => detailOf(webhook)));
    expect(details[0]).toEqual(details[1]);
    expect(details[0].timings).toMatchObject({ connect_ms: null, tls_ms: null, first_byte_ms: null });
    await remove([hook, open, closed]);
  });

  /** All that the log says of the one attempt, but for what differs between any two. */
  async function detailOf(webhook: Any): Promise<Any> {
    const [log] = await waitForLogs(webhook, 1);
    const { data } = (await network.call("GET", `/webhooks/${webhook.id}/logs/${log.id}`)).body;
    const { id: _1, uuid: _2, delivery_id: _3, created_at: _4, response_time_ms: _5, request, timings, ...rest } = data;
    const shape = Object.entries(timings).map(([name, ms]) => [name, ms === null ? null : `a ${typeof ms}`]);
    return { ...rest, body: request.body, timings: Object.fromEntries(shape) };
  }
});
