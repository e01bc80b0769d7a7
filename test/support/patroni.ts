import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { debianPackage } from "./debian.ts";
import { freePort } from "./free-port.ts";
import { until } from "./wait.ts";

/** The user that runs PostgreSQL, which refuses to run as root; the tools are copied to where that user may read them. */
const UNPRIVILEGED_UID = 65_534;
const PACKAGES = ["etcd-server", "patroni", "postgresql-15", "haproxy"] as const;
type Tools = Record<(typeof PACKAGES)[number], { home: string; env: Record<string, string> }>;

interface PatroniMember {
  name: string;
  postgresPort: number;
  restPort: number;
  process: ChildProcess;
}

/** A highly available PostgreSQL: etcd, two Patroni members, and HAProxy that leads to the primary. */
export interface PatroniCluster {
  /** Leads to whichever member is the primary. */
  url: string;
  query<T>(text: string, values?: unknown[]): Promise<T[]>;
  primary(): Promise<PatroniMember>;
  /** Waits until a member other than this one is the primary. */
  promoted(former: PatroniMember): Promise<PatroniMember>;
  /** kill -9 of Patroni and of its PostgreSQL. */
  kill(member: PatroniMember): Promise<void>;
  restart(member: PatroniMember): Promise<void>;
  switchover(): Promise<void>;
  /** Synchronous: a commit waits for the standby. */
  setSynchronous(synchronous: boolean): Promise<void>;
  /** Waits until the standby streams. */
  standbyStreams(): Promise<void>;
  /** Stops the reception of WAL on a standby; SIGKILL also drops what it had received and not yet written. */
  holdReplication(member: PatroniMember, signal: "SIGSTOP" | "SIGKILL"): Promise<void>;
  standby(): Promise<PatroniMember>;
  close(): Promise<void>;
}

/** Why the components cannot be had here; empty: they can. */
export async function findPatroni(): Promise<{ tools: Tools | null; missing: string }> {
  const tools: Partial<Tools> = {};
  for (const name of PACKAGES) {
    const found = await debianPackage(name);
    if (found.home === null) return { tools: null, missing: found.missing };
    tools[name] = { home: found.home, env: found.env };
  }
  return { tools: tools as Tools, missing: "" };
}

export async function startPatroni(found: Tools): Promise<PatroniCluster> {
  const folder = mkdtempSync(join(tmpdir(), "parley-patroni-"));
  chmodSync(folder, 0o755);
  const asRoot = process.getuid?.() === 0;
  const tools = asRoot ? copyTools(found, folder) : found;
  const started: ChildProcess[] = [];

  function start(command: string, args: string[], env: Record<string, string>): ChildProcess {
    const child = spawn(command, args, {
      env: { PATH: "/usr/bin:/bin", LANG: "C.UTF-8", HOME: folder, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      ...(asRoot ? { uid: UNPRIVILEGED_UID, gid: UNPRIVILEGED_UID } : {}),
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk) => process.env.PARLEY_PATRONI_LOG && process.stderr.write(chunk));
    started.push(child);
    return child;
  }

  const etcdPort = await freePort();
  const etcdFolder = ownFolder(join(folder, "etcd"), asRoot);
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const peerUrl = `http://127.0.0.1:${await freePort()}`;
  start(
    join(tools["etcd-server"].home, "usr/bin/etcd"),
    [
      ["--data-dir", etcdFolder],
      ["--listen-client-urls", etcdUrl],
      ["--advertise-client-urls", etcdUrl],
      ["--listen-peer-urls", peerUrl],
      ["--initial-advertise-peer-urls", peerUrl],
      ["--initial-cluster", `default=${peerUrl}`],
      // Patroni 3.0 of Debian 12 speaks the older protocol.
      ["--enable-v2"],
    ].flat(),
    // etcd 3.4 asks for this where its builders had no machine of the architecture.
    process.arch === "arm64" ? { ETCD_UNSUPPORTED_ARCH: "arm64" } : {},
  );

  writeFileSync(
    join(folder, "create-database.sh"),
    `#!/bin/sh\nexec ${join(tools["postgresql-15"].home, "usr/lib/postgresql/15/bin/psql")} "$1" -c "create role parley login password 'parley'" -c 'create database parley owner parley'\n`,
    { mode: 0o755 },
  );

  const launch = (name: string, postgresPort: number, restPort: number): PatroniMember => {
    const file = join(folder, `${name}.yml`);
    writeFileSync(file, memberSettings({ name, folder, postgresPort, restPort, etcdPort, tools }));
    const home = tools.patroni.home;
    const child = start("/usr/bin/python3", [join(home, "usr/bin/patroni"), file], {
      PYTHONPATH: join(home, "usr/lib/python3/dist-packages"),
      LD_LIBRARY_PATH: [
        tools["postgresql-15"].env.LD_LIBRARY_PATH,
        join(home, "usr/lib", process.arch === "arm64" ? "aarch64-linux-gnu" : "x86_64-linux-gnu"),
      ].join(":"),
    });
    return { name, postgresPort, restPort, process: child };
  };
  const members: PatroniMember[] = [];
  for (const name of ["one", "two"]) {
    ownFolder(join(folder, name), asRoot);
    members.push(launch(name, await freePort(), await freePort()));
  }

  const proxyPort = await freePort();
  writeFileSync(join(folder, "haproxy.cfg"), proxySettings(proxyPort, members));
  start(join(tools.haproxy.home, "usr/sbin/haproxy"), ["-f", join(folder, "haproxy.cfg"), "-db"], tools.haproxy.env);

  /** Whether a member says that it has a role: `primary`, `replica`, `synchronous`. */
  const has = async (member: PatroniMember, role: string) =>
    (await fetch(`http://127.0.0.1:${member.restPort}/${role}`).catch(() => null))?.status === 200;
  const role = async (member: PatroniMember): Promise<"primary" | "standby" | "none"> => {
    if (await has(member, "primary")) return "primary";
    return (await has(member, "replica")) ? "standby" : "none";
  };
  const find = (wanted: "primary" | "standby", other?: PatroniMember) =>
    until(
      `there is a ${wanted}`,
      async () => {
        for (const member of members) if (member !== other && (await role(member)) === wanted) return member;
        return undefined;
      },
      { timeoutMs: 90_000, everyMs: 50 },
    );
  const url = `postgres://parley:parley@127.0.0.1:${proxyPort}/parley`;

  async function query<T>(text: string, values: unknown[] = []): Promise<T[]> {
    // As the superuser: others do not see the state of replication.
    const client = new pg.Client({ connectionString: url.replace("parley:parley", "postgres:postgres") });
    client.on("error", () => {});
    await client.connect();
    try {
      return (await client.query(text, values)).rows as T[];
    } finally {
      await client.end();
    }
  }

  async function rest(member: PatroniMember, method: string, path: string, body: object): Promise<void> {
    const response = await fetch(`http://127.0.0.1:${member.restPort}${path}`, {
      method,
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  }

  const cluster: PatroniCluster = {
    url,
    query,
    primary: () => find("primary"),
    standby: () => find("standby"),
    promoted: (former) => find("primary", former),
    async kill(member) {
      member.process.kill("SIGKILL");
      for (const pid of postgresProcesses(join(folder, member.name, "data"))) killIfAlive(pid, "SIGKILL");
    },
    async restart(member) {
      Object.assign(member, launch(member.name, member.postgresPort, member.restPort));
    },
    async switchover() {
      const primary = await find("primary");
      const standby = await find("standby");
      // It streams before Patroni has chosen it, and only a chosen one may be promoted.
      await until("the standby is synchronous", () => has(standby, "synchronous"), { timeoutMs: 60_000 });
      await rest(primary, "POST", "/switchover", { leader: primary.name, candidate: standby.name });
    },
    async setSynchronous(synchronous) {
      await rest(await find("primary"), "PATCH", "/config", { synchronous_mode: synchronous });
      await until(
        "the mode of replication has changed",
        async () => {
          const [row] = await query<{ state: string }>("select sync_state as state from pg_stat_replication");
          return row?.state === (synchronous ? "sync" : "async");
        },
        { timeoutMs: 60_000 },
      );
    },
    async standbyStreams() {
      await until(
        "the standby streams",
        async () => {
          const rows = await query("select 1 from pg_stat_replication where state = 'streaming'").catch(() => []);
          return rows.length > 0;
        },
        { timeoutMs: 90_000 },
      );
    },
    async holdReplication(member, signal) {
      for (const pid of postgresProcesses(join(folder, member.name, "data")))
        if (commandOf(pid).includes("walreceiver")) process.kill(pid, signal);
    },
    async close() {
      for (const child of started) child.kill("SIGKILL");
      for (const { name } of members)
        for (const pid of postgresProcesses(join(folder, name, "data"))) killIfAlive(pid, "SIGKILL");
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
  try {
    await cluster.primary();
    await cluster.standbyStreams();
    return cluster;
  } catch (error) {
    await cluster.close();
    throw error;
  }
}

interface MemberOptions {
  name: string;
  folder: string;
  postgresPort: number;
  restPort: number;
  etcdPort: number;
  tools: Tools;
}

function memberSettings({ name, folder, postgresPort, restPort, etcdPort, tools }: MemberOptions): string {
  return `
scope: parley
name: ${name}
restapi: { listen: "127.0.0.1:${restPort}", connect_address: "127.0.0.1:${restPort}" }
etcd: { host: "127.0.0.1:${etcdPort}" }
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 1
    retry_timeout: 3
    maximum_lag_on_failover: 1073741824
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      parameters: { max_connections: 200, wal_keep_size: 256MB, hot_standby: "on", fsync: "on" }
  initdb: [{ encoding: UTF8 }, { locale: C.UTF-8 }, data-checksums]
  pg_hba:
    - host all all 127.0.0.1/32 scram-sha-256
    - host replication replicator 127.0.0.1/32 scram-sha-256
  post_bootstrap: ${join(folder, "create-database.sh")}
postgresql:
  listen: 127.0.0.1:${postgresPort}
  connect_address: 127.0.0.1:${postgresPort}
  data_dir: ${join(folder, name, "data")}
  bin_dir: ${join(tools["postgresql-15"].home, "usr/lib/postgresql/15/bin")}
  pgpass: ${join(folder, name, "pgpass")}
  authentication:
    superuser: { username: postgres, password: postgres }
    replication: { username: replicator, password: replicator }
    rewind: { username: rewind, password: rewind }
  basebackup: [{ checkpoint: fast }]
  parameters: { unix_socket_directories: ${join(folder, name)} }
`;
}

const proxySettings = (port: number, members: readonly PatroniMember[]): string => `
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen primary
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 500ms fastinter 200ms fall 2 rise 1 on-marked-down shutdown-sessions
${members.map(({ name, postgresPort, restPort }) => `  server ${name} 127.0.0.1:${postgresPort} check port ${restPort}`).join("\n")}
`;

function copyTools(found: Tools, folder: string): Tools {
  const copied: Partial<Tools> = {};
  for (const name of PACKAGES) {
    const home = join(folder, "tools", name);
    cpSync(found[name].home, home, { recursive: true, verbatimSymlinks: true });
    const env = Object.entries(found[name].env).map(([key, value]) => [key, value.replaceAll(found[name].home, home)]);
    copied[name] = { home, env: Object.fromEntries(env) };
  }
  return copied as Tools;
}

function ownFolder(path: string, asRoot: boolean): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (asRoot) chownSync(path, UNPRIVILEGED_UID, UNPRIVILEGED_UID);
  return path;
}

/** The processes of one PostgreSQL: the postmaster, by its command line, and its children. */
function postgresProcesses(dataDir: string): number[] {
  const all = readdirSync("/proc").map(Number).filter(Number.isInteger);
  const [postmaster] = all.filter((pid) => commandOf(pid).includes(`-D ${dataDir}`));
  if (postmaster === undefined) return [];
  return [postmaster, ...all.filter((pid) => parentOf(pid) === postmaster)];
}

const readProc = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
};
const commandOf = (pid: number): string => readProc(pid, "cmdline").replaceAll("\0", " ");
const parentOf = (pid: number): number => Number(/^PPid:\s+(\d+)/m.exec(readProc(pid, "status"))?.[1]);

function killIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}
