import { spawn } from "node:child_process";
import type { Account } from "./layout/accounts.ts";

/**
 * PostgreSQL's programs get this environment and nothing of ours: no PGDATA or PGPORT of the user's shell, no locale
 * that this machine lacks, no secrets from DATABASE_URL or PARLEY_SECRET_KEY in /proc/<pid>/environ.
 */
export const CLEAN_ENVIRONMENT = { PATH: "/usr/bin:/bin:/usr/sbin:/sbin", LC_ALL: "C", LANG: "C", TZ: "UTC" };

export interface RunResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** stdout and stderr in order of arrival, the last 64 KB */
  readonly output: string;
}

interface RunOptions {
  readonly account?: Account;
  readonly cwd?: string;
  readonly timeoutMs: number;
  /** inherit our own environment: only to look something up on PATH */
  readonly ownEnvironment?: boolean;
}

const OUTPUT_BYTES_MAX = 64 * 1024;

/** Runs a short program to its end. Rejects when it cannot be started; a timeout kills it and gives `signal`. */
export function run(file: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      ...identity(options.account),
      cwd: options.cwd ?? "/",
      ...(options.ownEnvironment ? {} : { env: CLEAN_ENVIRONMENT }),
      stdio: ["ignore", "pipe", "pipe"],
      timeout: options.timeoutMs,
      killSignal: "SIGKILL",
    });
    let output = "";
    const keep = (chunk: string): void => {
      output = (output + chunk).slice(-OUTPUT_BYTES_MAX);
    };
    child.stdout.setEncoding("utf8").on("data", keep);
    child.stderr.setEncoding("utf8").on("data", keep);
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, output }));
  });
}

/** spawn() options that drop root's privileges; libuv drops the supplementary groups along with the uid. */
export function identity(account: Account | undefined): { uid?: number; gid?: number } {
  return account?.switchTo ? { uid: account.uid, gid: account.gid } : {};
}
