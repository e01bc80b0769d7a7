import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestDatabase } from "./database.ts";

/** A data directory in which `parley serve` keeps its own PostgreSQL, over any number of starts. */
export interface EmbeddedHome extends TestDatabase {
  dataDir: string;
  /** Null: none has written down that it runs. */
  postmasterPid(): number | null;
  /** Without a word to it. */
  killPostmaster(signal?: NodeJS.Signals): void;
}

export function createEmbeddedHome(parent = tmpdir()): EmbeddedHome {
  const dataDir = mkdtempSync(join(parent, "parley-home-"));
  // As root the server runs under another user, who must be able to come in.
  chmodSync(dataDir, 0o755);

  /** The lines of postmaster.pid: the first is its pid, the fifth where its socket is. */
  function postmaster(): string[] {
    try {
      return readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n");
    } catch {
      return [];
    }
  }
  const postmasterPid = () => Number.parseInt(postmaster()[0] ?? "", 10) || null;

  function killPostmaster(signal: NodeJS.Signals = "SIGKILL"): void {
    const pid = postmasterPid();
    try {
      if (pid) process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }

  return {
    name: "parley",
    // An empty setting counts as absent: the server brings its own database.
    url: "",
    dataDir,
    postmasterPid,
    killPostmaster,
    /** A connection each time: the server behind the socket comes and goes. */
    async query<T extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<T[]> {
      const client = new pg.Client({
        host: postmaster()[4]?.trim() ?? dataDir,
        user: "parley_admin",
        database: "parley",
      });
      client.on("error", () => {});
      try {
        await client.connect();
        return (await client.query<T>(text, values)).rows;
      } finally {
        await client.end().catch(() => {});
      }
    },
    async drop() {
      killPostmaster();
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
