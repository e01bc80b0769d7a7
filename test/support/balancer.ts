import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DebianPackage } from "./debian.ts";
import { freePort } from "./free-port.ts";
import { until } from "./wait.ts";

export interface Balancer {
  url: string;
  close(): Promise<void>;
}

const CHECK_MS = 50;
const SETTINGS = new URL("../../deploy/compose/cluster/haproxy.cfg", import.meta.url).pathname;

/**
 * Leads each connection to the next of these ports whose node is ready, some of which may not be used yet. A node that
 * refuses a connection is passed over.
 */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const sockets = new Set<Socket>();
  let ready: number[] = [];
  let turn = 0;

  const isReady = async (port: number) =>
    (await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null))?.status === 200;

  async function check(): Promise<void> {
    const states = await Promise.all(ports.map(isReady));
    ready = ports.filter((_, index) => states[index]);
  }

  function join(client: Socket, left = ready.length): void {
    const port = ready[turn++ % ready.length];
    if (port === undefined || left === 0) return void client.destroy();
    const node = connect(port, "127.0.0.1");
    sockets.add(node);
    node.once("close", () => sockets.delete(node));
    node.once("error", () => (node.connecting ? join(client, left - 1) : client.destroy()));
    node.once("connect", () => {
      node.on("close", () => client.destroy());
      client.on("close", () => node.destroy());
      client.pipe(node).pipe(client);
    });
  }

  const server = createServer((client) => {
    sockets.add(client);
    client.on("error", () => {});
    client.once("close", () => sockets.delete(client));
    join(client);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  await until("a node is ready", async () => {
    await check();
    return ready.length > 0;
  });
  let checking: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    checking = checking.then(check);
  }, CHECK_MS);
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      clearInterval(timer);
      await checking;
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** HAProxy with the settings that we ship, for these ports. */
export async function startHaproxy({ home, env }: DebianPackage, ports: readonly number[]): Promise<Balancer> {
  const folder = mkdtempSync(join(tmpdir(), "parley-haproxy-"));
  const port = await freePort();
  const settings = readFileSync(SETTINGS, "utf8")
    .replace("bind :8080", `bind 127.0.0.1:${port}`)
    .replace(/^ {2}server .*\n?/gm, "");
  const servers = ports.map((one) => `  server node-${one} 127.0.0.1:${one}\n`).join("");
  writeFileSync(join(folder, "haproxy.cfg"), `${settings.trimEnd()}\n${servers}`);
  const child = spawn(join(home ?? "", "usr/sbin/haproxy"), ["-f", join(folder, "haproxy.cfg"), "-db"], {
    env: { ...process.env, ...env },
    stdio: "ignore",
  });
  const url = `http://127.0.0.1:${port}`;
  // It takes every node for ready until its first checks have failed.
  let inARow = 0;
  const checked = async () => {
    inARow = (await fetch(`${url}/health/ready`).catch(() => null))?.ok ? inARow + 1 : 0;
    return inARow > 60;
  };
  await until("HAProxy leads to ready nodes only", checked, { timeoutMs: 30_000, everyMs: 50 });
  return {
    url,
    async close() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
