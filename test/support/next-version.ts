import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { readMigrations } from "../../src/db/migrate.ts";
import { ensureBuilt } from "./cli.ts";

const REPOSITORY = resolve(import.meta.dirname, "../..");

export interface NextVersion {
  /** Takes the place of bin/parley.mjs. */
  program: string;
  /** Of its additional migration. */
  schemaVersion: number;
  remove(): void;
}

/** The product as a next version would be: the same build with one migration more, which older nodes still work with. */
export async function buildNextVersion(migration: string): Promise<NextVersion> {
  await ensureBuilt();
  const folder = mkdtempSync(join(tmpdir(), "parley-next-"));
  const newest = readMigrations().at(-1)?.version ?? 0;
  cpSync(join(REPOSITORY, "dist"), join(folder, "dist"), { recursive: true });
  cpSync(join(REPOSITORY, "package.json"), join(folder, "package.json"));
  symlinkSync(join(REPOSITORY, "node_modules"), join(folder, "node_modules"));
  const file = `${String(newest + 1).padStart(6, "0")}_next.sql`;
  writeFileSync(join(folder, "dist/db/migrations", file), `-- compatible-from: ${newest}\n${migration}\n`);
  const program = join(folder, "parley.mjs");
  writeFileSync(
    program,
    'import { main } from "./dist/bundle/main.js";\nprocess.exitCode = await main(process.argv.slice(2));\n',
  );
  return { program, schemaVersion: newest + 1, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
