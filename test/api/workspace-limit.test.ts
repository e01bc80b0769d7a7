import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_TIERS, defaultWorkspaceLimit } from "../../src/rate-limit/limiter.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { until } from "../support/wait.ts";

const CEILING = 40;
const WINDOW_MS = 600_000;
/** Windows begin on the clock: a test that runs over the end of one would be admitted twice as much. */
const windowHasTime = () => WINDOW_MS - (Date.now() % WINDOW_MS) > 30_000;
/** Two nodes on one database. */
let nodes: TestParley[];
beforeAll(async () => {
  const settings = {
    PARLEY_RATE_LIMIT_TIERS: "low=30/600,standard=1000/600",
    PARLEY_WORKSPACE_RATE_LIMIT: `${CEILING}/600`,
    PARLEY_METRICS_PORT: "0",
  };
  await until("a window has time left", windowHasTime, { timeoutMs: 35_000 });
  const first = await startParley(settings);
  nodes = [first, await startParley(settings, first.database)];
  // Each counts the other from its next heartbeat on; until then it admits as if it were alone.
  await until("the nodes know each other", async () => {
    const known = await Promise.all(nodes.map(async ({ app }) => (await fetch(app.metrics?.url ?? "")).text()));
    return known.every((text) => /^parley_rate_limit_nodes 2$/m.test(text));
  });
});
afterAll(async () => {
  for (const node of [...(nodes ?? [])].reverse()) await node.close();
});

const me = (key: string, request: number) => (nodes[request % 2] as TestParley).call("GET", "/me", { key });

describe("the limit of a workspace", () => {
  it("is not passed by a key that creates more keys, over all nodes", async () => {
    const [node] = nodes as [TestParley];
    const minting = await node.createKey({ rate_limit_tier: "standard" });
    const minted = [];
    for (let number = 0; number < 6; number++)
      minted.push(await node.createKey({ name: `minted ${number}` }, { key: minting.key }));
    let admitted = 6;
    let refused = null;
    for (let request = 0; request < 120; request++) {
      const reply = await me(minted[request % 6].key, request);
      if (reply.status === 200) admitted++;
      else refused = reply;
    }
    expect(admitted).toBeLessThanOrEqual(CEILING);
    expect(admitted).toBeGreaterThanOrEqual(CEILING - 2);
    expect(refused?.status).toBe(429);
    expect(refused?.body.error.message).toBe("Too many requests of this workspace.");
    expect(refused?.headers.get("ratelimit-policy")).toBe(`"workspace";q=${CEILING};w=600`);
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("leaves keys of an unlimited tier and other workspaces alone", async () => {
    const [node] = nodes as [TestParley];
    const other = await node.createWorkspace();
    const limited = await node.createKey({ rate_limit_tier: "standard" }, { key: other.key });
    for (let request = 0; request < 4; request++) {
      expect((await me(node.key, request)).status).toBe(200);
      expect((await me(limited.key, request)).status).toBe(200);
    }
  });

  it("counts no request that the limit of its key refuses", async () => {
    const [node] = nodes as [TestParley];
    const other = await node.createWorkspace();
    const low = await node.createKey({ rate_limit_tier: "low" }, { key: other.key });
    const standard = await node.createKey({ rate_limit_tier: "standard" }, { key: other.key });
    const statuses = [];
    for (let request = 0; request < 60; request++) statuses.push((await me(low.key, 0)).status);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(30);
    for (let request = 0; request < 8; request++) expect((await me(standard.key, 0)).status).toBe(200);
  });

  it("is ten times the largest limited tier unless it is set, so that clients notice nothing", () => {
    expect(DEFAULT_TIERS.high).toEqual({ requests: 10_000, windowSeconds: 60 });
    expect(defaultWorkspaceLimit({})).toEqual({ requests: 100_000, windowSeconds: 60 });
    expect(defaultWorkspaceLimit({ huge: { requests: 5_000, windowSeconds: 1 } })).toEqual({
      requests: 50_000,
      windowSeconds: 1,
    });
  });
});
