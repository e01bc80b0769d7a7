// The Dovecot of the tests, whose support is TypeScript: bundled by what Vite brings along, as test/support/bundle.ts does.
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./processes.mjs";

/** Null where there is none and it cannot be installed. */
export async function startDovecot() {
  const { resolve } = createRequire(join(ROOT, "node_modules/vite/package.json"));
  const { rolldown } = await import(pathToFileURL(resolve("rolldown")).href);
  const input = join(ROOT, "test", "support", "dovecot.ts");
  const bundle = await rolldown({ input, platform: "node", logLevel: "silent" });
  const { output } = await bundle.generate({ format: "esm" });
  await bundle.close();
  // As deep as its source: it finds a script by its own path.
  const file = join(ROOT, "bench", "results", "dovecot.mjs");
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, output[0].code);
  const { dovecotProgram, startDovecot: startIt } = await import(pathToFileURL(file).href);
  return dovecotProgram ? startIt() : null;
}
