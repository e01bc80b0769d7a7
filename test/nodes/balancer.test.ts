import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Balancer, startHaproxy } from "../support/balancer.ts";
import { debianPackage } from "../support/debian.ts";
import { freePort } from "../support/free-port.ts";
import { full } from "../support/proof.ts";

const haproxy = full ? await debianPackage("haproxy") : null;
if (haproxy?.missing) process.stderr.write(`balancer: skipped, ${haproxy.missing}\n`);

describe.skipIf(!haproxy?.home)("HAProxy with the settings that we ship", () => {
  let balancer: Balancer;
  const nodes: Server[] = [];
  let arrived: string[] = [];
  beforeAll(async () => {
    const ports = [await freePort(), await freePort()];
    for (const port of ports) {
      const node = createServer((request, response) => {
        if (request.url === "/health/ready") return void response.end();
        arrived.push(`${request.method} ${request.url}`);
        // As a node that is killed after it has committed and before it has responded.
        request.resume().once("end", () => request.socket.destroy());
      });
      await new Promise<void>((resolve) => node.listen(port, "127.0.0.1", resolve));
      nodes.push(node);
    }
    if (haproxy) balancer = await startHaproxy(haproxy, ports);
  }, 60_000);
  afterAll(async () => {
    await balancer?.close();
    for (const node of nodes) node.close();
  });

  it("sends a request to another node when the first one crashed only if it can be repeated", async () => {
    const send = async (path: string, init: RequestInit): Promise<number> => {
      arrived = [];
      await fetch(balancer.url + path, init).catch(() => null);
      return arrived.length;
    };
    const post = { method: "POST", body: "{}", headers: { "content-type": "application/json" } };
    expect(await send("/messages", post)).toBe(1);
    expect(await send("/messages/1", { method: "DELETE" })).toBe(1);
    expect(await send("/messages", {})).toBeGreaterThan(1);
    const withKey = { ...post, headers: { ...post.headers, "idempotency-key": "k" } };
    expect(await send("/messages", withKey)).toBeGreaterThan(1);
  });
});
