import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { codeBlocksOf } from "../docs/markdown.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { scale, seeded } from "../support/proof.ts";
import { until } from "../support/wait.ts";
import { root } from "../tidy/source-text.ts";

const EVENTS = scale(600, 50_000);
const KILLS = scale(4, 100);
const AT_ONCE = 50;

let server: TestParley;
let own: TestDatabase;
let directory: string;
const children = new Set<ChildProcess>();

beforeAll(async () => {
  server = await startParley();
  own = await createTestDatabase({ empty: true });
  directory = mkdtempSync(join(tmpdir(), "parley-consumer-"));
  symlinkSync(join(root, "node_modules"), join(directory, "node_modules"));
  const guide = codeBlocksOf("docs/guides/exactly-once.md");
  const code = (language: string, index = 0) => guide.filter((block) => block.language === language)[index]?.code ?? "";
  for (const statement of code("sql").split(";")) if (statement.trim()) await own.query(statement);
  writeFileSync(join(directory, "bill.mjs"), code("js"));
  writeFileSync(join(directory, "run.mjs"), code("js", 1));
  const body = { start: "beginning", types: ["message.created"], filter: { data: { direction: "in" } } };
  expect((await server.call("PUT", "/consumers/billing", { body })).status).toBe(201);
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await own?.drop();
  await server?.close();
  rmSync(directory, { recursive: true, force: true });
});

function startReader(): ChildProcess {
  const child = spawn(process.execPath, ["run.mjs"], {
    cwd: directory,
    stdio: "ignore",
    env: { ...process.env, PARLEY_URL: server.url, PARLEY_KEY: server.key, DATABASE_URL: own.url },
  });
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
}

async function write(): Promise<void> {
  const conversation = (await server.call("POST", "/conversations", { body: {} })).body.data.id;
  let left = EVENTS;
  const one = async () => {
    while (left-- > 0) {
      const body = { body: "a line", direction: "in" };
      const { status, text } = await server.call("POST", `/conversations/${conversation}/messages`, { body });
      if (status !== 201) throw new Error(text);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

const lines = async (): Promise<{ all: number; distinct: number }> => {
  const [row] = await own.query<{ all: number; distinct: number }>(
    `select count(*)::int as "all", count(distinct event_id)::int as "distinct" from invoice_lines`,
  );
  return row as { all: number; distinct: number };
};

it("a reader that keeps its position in its own transaction has each effect once, however often killed", {
  timeout: scale(600_000, 1_800_000),
}, async () => {
  const random = seeded("consumer-killed");
  const writing = write();
  // Two at once now and then: the guide says that this is safe.
  for (let kill = 0; kill < KILLS; kill++) {
    const readers = [startReader(), ...(random() < 0.3 ? [startReader()] : [])];
    await sleep(300 + random() * 900);
    for (const reader of readers) reader.kill("SIGKILL");
  }
  await writing;
  const last = startReader();
  // A second reader of the past may end the last one by moving the position: a process manager would start it again.
  last.once("exit", () => startReader());
  await until("every event has its effect", async () => (await lines()).distinct >= EVENTS, {
    timeoutMs: scale(60_000, 900_000),
  });
  expect(await lines()).toEqual({ all: EVENTS, distinct: EVENTS });
  const { lag, missed } = (await server.call("GET", "/consumers/billing")).body.data;
  await until("nothing is left", async () => {
    return (await server.call("GET", "/consumers/billing")).body.data.lag.events === 0;
  });
  expect([lag.complete, missed]).toEqual([true, false]);
  for (const child of [...children]) {
    child.removeAllListeners("exit");
    child.kill("SIGKILL");
    await once(child, "exit");
    children.delete(child);
  }
});
