import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DebianPackage } from "./debian.ts";
import { until } from "./wait.ts";

export interface Tinyproxy {
  /** What it was asked for, such as `CONNECT 127.0.0.1:80 HTTP/1.1`. */
  requests(): string[];
  close(): Promise<void>;
}

/** Debian's tinyproxy on a port of this machine, with a user name and password. */
export async function startTinyproxy(
  { home, env }: DebianPackage,
  { port, user, password }: { port: number; user: string; password: string },
): Promise<Tinyproxy> {
  const folder = mkdtempSync(join(tmpdir(), "parley-tinyproxy-"));
  const [config, log] = [join(folder, "tinyproxy.conf"), join(folder, "log")];
  const lines = [`Port ${port}`, "Listen 127.0.0.1", `BasicAuth ${user} ${password}`, "MaxClients 50", "Timeout 30"];
  writeFileSync(config, `${[...lines, `LogFile "${log}"`, "LogLevel Connect"].join("\n")}\n`);
  const child: ChildProcess = spawn(join(home ?? "/", "usr/bin/tinyproxy"), ["-d", "-c", config], {
    env: { ...process.env, ...env },
    stdio: "ignore",
  });
  await until("tinyproxy listens", () => listens(port), { timeoutMs: 20_000 });
  return {
    requests: () =>
      [...readFileSync(log, "utf8").matchAll(/Request \(file descriptor \d+\): (.*)/g)].map(([, what]) => what ?? ""),
    async close() {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    }).on("error", () => resolve(false));
  });
