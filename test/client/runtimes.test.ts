import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleClient } from "../support/bundle.ts";
import { ensureBuilt } from "../support/cli.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { full } from "../support/proof.ts";
import { root } from "../tidy/source-text.ts";

const { findRuntime } = (await import(new URL("../support/runtimes.mjs", import.meta.url).href)) as {
  findRuntime: (runtime: "bun" | "deno", options: { fetch: boolean }) => Promise<string | undefined>;
};
const { run } = (await import(new URL("../../scripts/lib/run.mjs", import.meta.url).href)) as {
  run: (command: string, args: string[]) => Promise<{ stdout: string; output: string }>;
};

/** Chromium is in test/browser/docs.test.ts, Node in the others; these are used where the machine has them. */
const RUNTIMES = [
  { name: "Bun", program: await findRuntime("bun", { fetch: full }), args: ["run"] },
  { name: "Deno", program: await findRuntime("deno", { fetch: full }), args: ["run", "--allow-net", "--allow-read"] },
];

let server: TestParley;
let directory: string;

beforeAll(async () => {
  if (RUNTIMES.every(({ program }) => program === undefined)) return;
  await ensureBuilt();
  server = await startParley();
  directory = mkdtempSync(join(tmpdir(), "parley-runtime-"));
  writeFileSync(join(directory, "client.mjs"), (await bundleClient("esm")).code);
  const exercise = pathToFileURL(join(root, "test/support/client-exercise.mjs")).href;
  const program = `import * as client from "./client.mjs";
    import { exerciseClient } from ${JSON.stringify(exercise)};
    console.log(await exerciseClient(client, ${JSON.stringify({ url: server.url, key: server.key })}));`;
  writeFileSync(join(directory, "main.mjs"), program);
});
afterAll(async () => {
  await server?.close();
  if (directory) rmSync(directory, { recursive: true, force: true });
});

describe("the client in other runtimes", () => {
  for (const { name, program, args } of RUNTIMES) {
    it(`creates, reads, lists, streams and verifies in ${name}, where it is installed`, async ({ skip }) => {
      skip(program === undefined, `this machine has no ${name}; with PARLEY_PROOF=full it is fetched`);
      const { stdout, output } = await run(program ?? "", [...args, join(directory, "main.mjs")]);
      expect(stdout.trim(), output).toBe("ok");
    });
  }
});
