import { Command } from "commander";
import { readConfig, SETTINGS } from "../config/index.ts";
import { createLogger } from "../core/logger.ts";
import { createDatabase, sql } from "../db/database.ts";
import { inspectEmbedded } from "../db/embedded/index.ts";
import { readMigrations, schemaVersion } from "../db/migrate.ts";
import { print, printJson } from "./output.ts";

interface Finding {
  what: string;
  /** Absent: all is well. */
  toDo?: string;
}

export function doctorCommand(): Command {
  return new Command("doctor")
    .description("Look at the set-up, say what was found and what to do. Changes nothing.")
    .option("--json", "print JSON")
    .action(async (options: { json?: true }) => {
      const findings = [...inspectNode(), ...inspectSettings(), ...(await inspectDatabase())];
      const problems = findings.filter((finding) => finding.toDo);
      if (options.json) printJson({ ok: problems.length === 0, findings });
      else {
        for (const { what, toDo } of findings) print(toDo ? `✗ ${what}\n  → ${toDo}` : `✓ ${what}`);
        print(problems.length === 0 ? "\nAll is well." : `\n${problems.length} to look at.`);
      }
      process.exitCode = problems.length === 0 ? 0 : 1;
    });
}

function inspectNode(): Finding[] {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const fine = major > 20 || (major === 20 && minor >= 19);
  const what = `Node.js ${process.versions.node} on ${process.platform}-${process.arch}`;
  return [fine ? { what } : { what, toDo: "Install Node.js 20.19 or newer." }];
}

function inspectSettings(): Finding[] {
  const given = Object.entries(SETTINGS).filter(([name]) => isGiven(name));
  return [{ what: `Settings given: ${given.map(([name]) => name).join(", ") || "none, all defaults"}` }];
}

function isGiven(name: string): boolean {
  const config = readConfig();
  const plain = readConfig({ [name]: "" });
  return JSON.stringify(config[name as keyof typeof config]) !== JSON.stringify(plain[name as keyof typeof plain]);
}

async function inspectDatabase(): Promise<Finding[]> {
  const config = readConfig();
  if (config.DATABASE_URL) return inspectServer({ connectionString: config.DATABASE_URL });
  const found = await inspectEmbedded(config.PARLEY_DATA_DIR);
  const { cluster, postmaster, binaries, problems } = found;
  const findings: Finding[] = [
    ...binaries.map((item) => ({ what: `PostgreSQL ${item.version} (${item.source}) in ${item.binDir}` })),
    ...problems.map(({ what, toDo }) => ({ what, toDo })),
  ];
  if (!cluster) return findings;
  findings.push({
    what: cluster.exists
      ? `Database in ${cluster.path}, owned by ${cluster.ownerName ?? cluster.ownerUid}, socket ${cluster.socket ?? "none yet"}`
      : `No database yet; \`npm start\` makes it in ${cluster.path}`,
  });
  findings.push({
    what: postmaster.running
      ? `Database server running (pid ${postmaster.pid})${postmaster.owner ? `, kept by process ${postmaster.owner.pid}` : ", kept by nobody; the next start takes it over"}`
      : "Database server not running",
  });
  if (postmaster.answers && cluster.socket) {
    const host = cluster.socket.replace(/\/[^/]+$/, "");
    findings.push(...(await inspectServer({ host, user: "parley", database: "parley" })));
  }
  return findings;
}

async function inspectServer(connection: object): Promise<Finding[]> {
  const db = createDatabase({
    connection,
    poolSize: 1,
    logger: createLogger("silent"),
    applicationName: "parley-doctor",
  });
  try {
    const [row] = await db.query<{ version: string }>(
      sql("version", "select current_setting('server_version') as version"),
    );
    const version = await schemaVersion(db);
    const newest = readMigrations().at(-1)?.version ?? 0;
    const schema = `Schema version ${version} of ${newest}`;
    return [
      { what: `PostgreSQL ${row?.version} answers` },
      version === newest
        ? { what: schema }
        : {
            what: schema,
            toDo: version < newest ? "Run `npx parley migrate`, or start the server." : "Run a newer Parley.",
          },
    ];
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    return [
      { what: `The database does not answer: ${cause}`, toDo: "Check that it runs and that DATABASE_URL is right." },
    ];
  } finally {
    await db.close();
  }
}
