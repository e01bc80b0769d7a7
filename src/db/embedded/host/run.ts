import { execFile } from "node:child_process";

/**
 * PostgreSQL's programs get this environment and nothing of ours: no PGDATA or PGPORT of the user's shell, no locale
 * that this machine lacks, no secrets from DATABASE_URL or PARLEY_SECRET_KEY in /proc/<pid>/environ.
 */
export const CLEAN_ENVIRONMENT = { PATH: "/usr/bin:/bin:/usr/sbin:/sbin", LC_ALL: "C", LANG: "C", TZ: "UTC" };

export interface RunResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** stdout, then stderr */
  readonly output: string;
}

/** The account that a program runs under. */
export interface RunAs {
  readonly uid: number;
  readonly gid: number;
  /** Only where we are root and have to drop privileges. */
  readonly switchTo: boolean;
}

interface RunOptions {
  readonly account?: RunAs;
  readonly cwd?: string;
  readonly timeoutMs: number;
  /** inherit our own environment: only to look something up on PATH */
  readonly ownEnvironment?: boolean;
}

/** Runs a short program to its end. Rejects when it cannot be started; a timeout kills it and gives `signal`. */
export function run(file: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  const settings = {
    ...identity(options.account),
    cwd: options.cwd ?? "/",
    ...(options.ownEnvironment ? {} : { env: CLEAN_ENVIRONMENT }),
    timeout: options.timeoutMs,
    killSignal: "SIGKILL" as const,
  };
  return new Promise((resolve, reject) => {
    execFile(file, args, settings, (error, stdout, stderr) => {
      const code = error ? (error.code ?? null) : 0;
      if (typeof code === "string") reject(error);
      else resolve({ code, signal: error?.signal ?? null, output: stdout + stderr });
    });
  });
}

/** spawn() options that drop root's privileges; libuv drops the supplementary groups along with the uid. */
export function identity(account: RunAs | undefined): { uid?: number; gid?: number } {
  return account?.switchTo ? { uid: account.uid, gid: account.gid } : {};
}
