import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Balancer, startHaproxy } from "../support/balancer.ts";
import {
  type ComposeService,
  createVolume,
  execIn,
  parleyIn,
  type RunningService,
  readCompose,
  startPostgres,
  startService,
} from "../support/compose.ts";
import { debianPackage } from "../support/debian.ts";
import { freePort } from "../support/free-port.ts";
import { buildImage, type Image } from "../support/image.ts";
import { callApi } from "../support/parley.ts";
import { full } from "../support/proof.ts";
import { startReceiver } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

/**
 * The services of the compose files, started by hand from their own commands and environments, on an image that was built
 * by the Dockerfile's own steps in a plain directory. Replaced are only addresses, ports and directories, because the
 * services share one machine here. Docker's part is not tested: the base image, tini, the account, capabilities, the
 * read-only file system, the health check's schedule and the names of services.
 */

const { smokeChecks } = (await import(new URL("../smoke/checks.mjs", import.meta.url).href)) as {
  smokeChecks: (installation: { base: string; key: string }) => [string, () => Promise<void>][];
};

const haproxy = full ? await debianPackage("haproxy") : null;
if (haproxy?.missing) process.stderr.write(`compose: skipped, ${haproxy.missing}\n`);

const VARIABLES = {
  POSTGRES_PASSWORD: "a-password-of-the-test",
  PARLEY_SECRET_KEY: "a-secret-key-for-tests-of-32-characters-or-more",
};
const BUILD_MS_MAX = 900_000;

let image: Image;
beforeAll(async () => {
  if (full) image = await buildImage();
}, BUILD_MS_MAX);
afterAll(() => image?.remove());

const isReady = async (url: string) => (await fetch(`${url}/health/ready`).catch(() => null))?.status === 200;
const waitUntilReady = (url: string, service: RunningService) =>
  until(`${url} is ready: ${service.output()}`, () => isReady(url), { timeoutMs: 60_000, everyMs: 100 });

async function requireSmoke(base: string, key: string): Promise<void> {
  for (const [name, work] of smokeChecks({ base, key }))
    await work().catch((error: Error) => expect.fail(`${name}: ${error.message}`));
}

describe.skipIf(!full)("the compose file with the embedded database", () => {
  it("passes the smoke test, keeps its data over a new container, and stops with exit code 0", async () => {
    const { parley = {} } = readCompose("single", VARIABLES);
    const volume = createVolume();
    const port = await freePort();
    const here = { HOST: "127.0.0.1", PORT: String(port), PARLEY_DATA_DIR: volume.path };
    const base = `http://127.0.0.1:${port}`;
    let service = startService(image, parley, here);
    try {
      await waitUntilReady(base, service);
      const key = parleyIn(image, ["keys", "create", "--name", "first", "--quiet"], here);
      await requireSmoke(base, key);
      execIn(image, image.healthCheck, here);
      expect(await service.stop(), service.output()).toBe(0);
      expect(() => execIn(image, image.healthCheck, here)).toThrow();
      service = startService(image, parley, here);
      await waitUntilReady(base, service);
      await requireSmoke(base, key);
      expect(await service.stop(), service.output()).toBe(0);
    } finally {
      await service.kill();
      volume.remove();
    }
  }, 240_000);
});

describe.skipIf(!haproxy?.home)("the compose file with PostgreSQL, two nodes, a worker and HAProxy", () => {
  const services: RunningService[] = [];
  let balancer: Balancer;
  afterAll(async () => {
    await balancer?.close();
    for (const service of services.reverse()) await service.kill();
  });

  it("passes the smoke test, delivers webhooks, and serves on while a node is stopped", async () => {
    const file = readCompose("cluster", VARIABLES);
    const own = (name: string): ComposeService => {
      const service = file[name];
      if (!service?.build) throw new Error(`${name} is not a service of the image`);
      return service;
    };
    const postgresPort = await freePort();
    services.push(await startPostgres(file.postgres?.environment ?? {}, postgresPort));
    const receiver = await startReceiver();
    const start = async (name: string, port: number): Promise<RunningService> => {
      const { environment = {} } = own(name);
      const service = startService(image, own(name), {
        DATABASE_URL: environment.DATABASE_URL?.replace("@postgres:5432/", `@127.0.0.1:${postgresPort}/`) ?? "",
        PARLEY_METRICS_PORT: String(await freePort()),
        HOST: "127.0.0.1",
        PORT: String(port),
        PARLEY_DATA_DIR: "/nonexistent",
        // For the receiver of this test, which is on this machine.
        PARLEY_ALLOWED_CIDRS: "127.0.0.0/8",
      });
      services.push(service);
      return service;
    };
    const ports = [await freePort(), await freePort()] as const;
    // All at once, as soon as PostgreSQL is healthy: one of them migrates, the others wait for it.
    const [first, second, worker] = await Promise.all([
      start("serve-1", ports[0]),
      start("serve-2", ports[1]),
      start("worker", 0),
    ]);
    await waitUntilReady(`http://127.0.0.1:${ports[0]}`, first);
    await waitUntilReady(`http://127.0.0.1:${ports[1]}`, second);
    await until("the worker delivers", () => /Delivering\./.test(worker.output()), { timeoutMs: 60_000 });
    if (haproxy) balancer = await startHaproxy(haproxy, ports);

    const { environment = {} } = own("serve-1");
    const key = parleyIn(image, ["keys", "create", "--name", "first", "--quiet"], {
      ...environment,
      DATABASE_URL: environment.DATABASE_URL?.replace("@postgres:5432/", `@127.0.0.1:${postgresPort}/`) ?? "",
    });
    await requireSmoke(balancer.url, key);

    const webhook = { name: "compose", url: receiver.url("/compose"), events: ["contact.created"] };
    const created = await callApi(balancer.url, "POST", "/webhooks", { key, body: webhook });
    expect(created.status, created.text).toBe(201);
    const write = (name: string) => callApi(balancer.url, "POST", "/contacts", { key, body: { name } });
    expect((await write("before")).status).toBe(201);
    await receiver.waitFor(1, "/compose", 30_000);

    const stopping = first.stop();
    const statuses: number[] = [];
    for (let ended = false; !ended; statuses.push((await write("meanwhile")).status))
      ended = await Promise.race([
        stopping.then(() => true),
        new Promise<false>((done) => setTimeout(done, 50, false)),
      ]);
    expect(await stopping, first.output()).toBe(0);
    expect(statuses.filter((status) => status !== 201)).toEqual([]);
    await requireSmoke(balancer.url, key);
    await receiver.waitFor(statuses.length + 1, "/compose", 30_000);
    expect([await second.stop(), await worker.stop()]).toEqual([0, 0]);
    await receiver.close();
  }, 240_000);
});
