import { once } from "node:events";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startParley, type TestParley } from "../support/parley.ts";
import { atMost } from "../support/proof.ts";
import { until } from "../support/wait.ts";

const MAILBOXES = 3;
const ATTACKED_MS = 4_000;
const MEMORY_BYTES = 300 * 1_048_576;

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley({ PARLEY_MAIL_PORTS: "1-65535", PARLEY_DNS_SERVERS: "127.0.0.1:1" });
});
afterAll(() => parley.close());

/**
 * The longest time between two turns of the event loop during this work, which every request has to wait: as far as this
 * process was computing, not waiting for a processor.
 */
async function longestTurn(work: Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = Promise.all([work, sleep(ATTACKED_MS)]).finally(() => {
    isOver = true;
  });
  let longest = 0;
  while (!isOver) {
    const begunAt = performance.now();
    const usedBefore = process.cpuUsage();
    await sleep(1);
    const { user, system } = process.cpuUsage(usedBefore);
    longest = Math.max(longest, Math.min(performance.now() - begunAt, (user + system) / 1_000));
  }
  await over;
  return longest;
}

async function connect(port: number, name: string): Promise<number> {
  const account = { host: "127.0.0.1", port, security: "none", user: name, password: "secret" };
  const body = {
    name,
    address: `${name}@shop.example`,
    inbound: { type: "imap", ...account, since: "2020-01-01" },
    outbound: account,
  };
  const { status, text, body: reply } = await parley.call("POST", "/mailboxes", { body });
  expect(status, text).toBe(201);
  return reply.data.id;
}

const errorOf = async (id: number): Promise<string | null> =>
  (await parley.call("GET", `/mailboxes/${id}`)).body.data.status.error;

it.each(["numbers", "lists", "parts", "ranges", "lines", "mails"])(
  "a mail server that sends %s without end is disconnected, and takes nothing from others",
  { timeout: atMost(80_000) },
  async (what) => {
    const server = new Worker(resolve(import.meta.dirname, "../support/hostile-imap.mjs"), { workerData: what });
    try {
      const [port] = await once(server, "message");
      const before = process.memoryUsage().rss;
      const ids: number[] = [];
      for (let number = 0; number < MAILBOXES; number++) ids.push(await connect(port, `${what}${number}`));
      const disconnected = until("one is disconnected", async () => (await errorOf(ids[0] as number)) !== null, {
        timeoutMs: 60_000,
      });
      expect(await longestTurn(disconnected)).toBeLessThan(atMost(100));
      expect(process.memoryUsage().rss - before).toBeLessThan(MEMORY_BYTES);
      expect(await errorOf(ids[0] as number)).toBe("127.0.0.1 sends more than it was asked for.");
      for (const id of ids) await parley.call("DELETE", `/mailboxes/${id}`);
    } finally {
      await server.terminate();
    }
  },
);
