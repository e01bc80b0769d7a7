import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { atMost } from "../../support/proof.ts";
import { until } from "../../support/wait.ts";

type Hold = { onSpawn: (pid: number) => void };
const LOCK = new URL("../../../scripts/lib/lock.mjs", import.meta.url).href;
const { withLock } = (await import(LOCK)) as {
  withLock: <T>(directory: string, work: (hold: Hold) => Promise<T>) => Promise<T>;
};

let directory: string;
let lock: string;
let ownerFile: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "parley-lock-test-"));
  lock = join(directory, ".parley-lock");
  ownerFile = join(lock, "owner.json");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const readOwner = () => JSON.parse(readFileSync(ownerFile, "utf8"));

it("a holder keeps the lock while it works, even if its heartbeat stopped long ago", async () => {
  const steps: string[] = [];
  let second: Promise<unknown> | undefined;
  await withLock(directory, async () => {
    const longAgo = new Date(Date.now() - 10 * 60_000);
    utimesSync(ownerFile, longAgo, longAgo);
    second = withLock(directory, async () => steps.push("second"));
    await nextTurn();
    await nextTurn();
    steps.push("first");
  });
  await second;
  expect(steps).toEqual(["first", "second"]);
});

it("no process sees the owner incomplete while the holder writes which child works for it", async () => {
  const program = `import { withLock } from ${JSON.stringify(LOCK)};
    await withLock(${JSON.stringify(directory)}, async ({ onSpawn }) => {
      for (const end = Date.now() + 60_000; Date.now() < end; ) onSpawn(process.pid);
    });`;
  const holder = spawn(process.execPath, ["--input-type=module", "--eval", program], { stdio: "ignore" });
  const ended = once(holder, "exit");
  try {
    await until("the lock is held", () => existsSync(ownerFile));
    for (let reads = 0; reads < 3_000; reads += 1)
      expect(readOwner().processes[0]).toMatch(new RegExp(`^${holder.pid}\\b`));
  } finally {
    holder.kill("SIGKILL");
    await ended;
  }
});

it.skipIf(process.platform !== "linux")(
  "the lock of a process that ended is taken over at once, even if another process has its number now",
  async () => {
    const owner = await withLock(directory, async () => readOwner());
    mkdirSync(lock);
    writeFileSync(ownerFile, JSON.stringify({ ...owner, processes: [`${process.pid} 1`] }));
    const startedAt = performance.now();
    expect(await withLock(directory, async () => "taken over")).toBe("taken over");
    expect(performance.now() - startedAt).toBeLessThan(atMost(5_000));
  },
);

it("a lock of another machine is taken over once its heartbeat stopped a minute ago", async () => {
  mkdirSync(lock);
  writeFileSync(ownerFile, JSON.stringify({ machine: "another", processes: ["1"] }));
  const steps: string[] = [];
  const waiting = withLock(directory, async () => steps.push("taken over"));
  await nextTurn();
  steps.push("waited");
  const longAgo = new Date(Date.now() - 2 * 60_000);
  utimesSync(ownerFile, longAgo, longAgo);
  await waiting;
  expect(steps).toEqual(["waited", "taken over"]);
});

it("a holder whose lock another one has taken over leaves it to that one", async () => {
  const other = { machine: "another", processes: ["1"] };
  await withLock(directory, async () => writeFileSync(ownerFile, JSON.stringify(other)));
  expect(readOwner()).toEqual(other);
});
