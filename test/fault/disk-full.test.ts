import { execFileSync } from "node:child_process";
import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createEmbeddedHome, type EmbeddedHome } from "../support/embedded-home.ts";
import { createAudience, keepWriting, openLedger } from "../support/ledger.ts";
import { type ParleyProcess, startProcess } from "../support/parley-process.ts";
import { atMost, scale } from "../support/proof.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

const DISK_MB = 256;
const ROUNDS = scale(1, 3);
const REFUSED = scale(20, 200);
/** The statement's own limit is 10 s. */
const RESPONSE_MS_MAX = atMost(12_000);
const BACK_MS_MAX = 30_000;

const canMount = process.platform === "linux" && process.geteuid?.() === 0;
let home: EmbeddedHome;
let receiver: Receiver;
let server: ParleyProcess;

beforeAll(async () => {
  if (!canMount) return;
  home = createEmbeddedHome();
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_MB}m,mode=755`, "parley-small-disk", home.dataDir]);
  receiver = await startReceiver();
  server = await startProcess("serve", home);
});
afterAll(async () => {
  if (!canMount) return;
  await receiver?.close();
  await server?.end("SIGKILL");
  home.killPostmaster();
  execFileSync("umount", ["--lazy", home.dataDir]);
  await home.drop();
});

const ballast = () => join(home.dataDir, "ballast");

/** To the last page. */
function fillDisk(): void {
  for (const bytes of [1 << 20, 4096]) {
    const block = Buffer.alloc(bytes);
    try {
      for (;;) appendFileSync(ballast(), block);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
  }
}

/** A new segment of the write-ahead log, again and again, until there is no room for one: then PostgreSQL gives up. */
async function useUpWal(postmaster: number | null): Promise<void> {
  const askForMore = async () => {
    await home.query("select pg_logical_emit_message(true, 'parley', 'full'), pg_switch_wal()").catch(() => {});
    return home.postmasterPid() !== postmaster;
  };
  await until("PostgreSQL has gone down", askForMore, { timeoutMs: BACK_MS_MAX });
}

it("a full disk loses nothing that was acknowledged, and is over when there is room again", {
  timeout: 300_000,
}, async ({ skip, annotate }) => {
  skip(!canMount, "a small disk is made by mounting a tmpfs, which only root may do, on Linux");
  const ledger = openLedger(await createAudience(server.call, receiver, 2), server.call);
  const refused = () => ledger.written.filter(({ reply }) => reply?.status === 503).length;
  const readiness = async () => {
    const response = await fetch(`${server.url}/health/ready`);
    return { status: response.status, text: await response.text() };
  };
  const writing = keepWriting(ledger, 4);
  const moreOf = async (what: string, count: () => number, more: number) => {
    const wanted = count() + more;
    await until(what, () => count() >= wanted, { timeoutMs: BACK_MS_MAX });
  };
  const backMs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await moreOf("writes are taken", () => ledger.acknowledged.size, 50);
    const postmaster = home.postmasterPid();
    fillDisk();
    await moreOf("writes are refused", refused, REFUSED);
    const reasons = ledger.written.filter(({ reply }) => reply?.status === 503).map(({ reply }) => reply?.text);
    expect(reasons.some((reason) => reason?.includes("the disk is full"))).toBe(true);
    expect(await readiness()).toMatchObject({ status: 503, text: expect.stringContaining("the disk is full") });
    await useUpWal(postmaster);
    await moreOf("writes still get a response", refused, REFUSED);
    rmSync(ballast());
    const roomAt = performance.now();
    await moreOf("writes are taken again", () => ledger.acknowledged.size, 1);
    await until("it is ready again", async () => (await readiness()).status === 200, { timeoutMs: BACK_MS_MAX });
    backMs.push(Math.round(performance.now() - roomAt));
  }
  await writing.stop();
  const verdict = await ledger.judge(home);
  await annotate(`${JSON.stringify(verdict)}, ${refused()} refused; back after ${backMs.join(", ")} ms`);
  expect(server.isAlive()).toBe(true);
  for (const { reply, startedAt, endedAt } of ledger.written) {
    expect([201, 503], reply?.text).toContain(reply?.status);
    expect(endedAt - startedAt).toBeLessThan(RESPONSE_MS_MAX);
  }
});
