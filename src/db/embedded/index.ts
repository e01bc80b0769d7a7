import { statSync } from "node:fs";
import type { Client } from "pg";
import type { Logger } from "../../core/logger.ts";
import type { Binaries, BinarySource } from "./binaries/binaries.ts";
import { chooseBinaries } from "./binaries/choose.ts";
import { sharedAccountWarning } from "./host/accounts.ts";
import { EmbeddedRefusal, FREE_SPACE } from "./host/refusal.ts";
import { run } from "./host/run.ts";
import { clusterExists, readRecord } from "./layout/cluster-record.ts";
import { createLayout, findLayout, type Layout, requireWritable } from "./layout/layout.ts";
import { ELSEWHERE } from "./layout/location-note.ts";
import { applicationConnection, type Connection } from "./server/connect.ts";
import { initCluster } from "./server/init-cluster.ts";
import { Keeper, keepProcessAlive, letProcessExit } from "./server/keeper.ts";
import { type ConnectOptions, connectAsOwner, connectAsOwnerOrUser } from "./server/ownership.ts";
import { runningPostmaster } from "./server/pid-file.ts";
import { finishSwap } from "./upgrade.ts";

export { inspectEmbedded } from "./inspect.ts";
export { planUpgrade } from "./upgrade.ts";
export { EmbeddedRefusal, FREE_SPACE };

/** `refuse` is for commands: run in a wrong directory they would leave an empty database there. */
export type IfMissing = "create" | "refuse";

export interface EmbeddedOptions {
  /** PARLEY_DATA_DIR; the cluster goes into `<dataDir>/postgres` */
  readonly dataDir: string;
  /** `own` for the server, of which there is one; `attach-or-start` for commands, which run next to it or without it */
  readonly mode: "own" | "attach-or-start";
  /** What to do where there is no cluster yet; `create` by default. */
  readonly ifMissing?: IfMissing | undefined;
  readonly logger: Logger;
  /** progress for a person */
  readonly report?: (line: string) => void;
  /** restricts where the programs may come from; for tests */
  readonly binaries?: BinarySource;
}

export interface EmbeddedDatabase {
  /** for `pg`: the socket's directory as host */
  readonly connection: Connection;
  /** where the cluster really is */
  readonly dataDir: string;
  readonly binDir: string;
  /** of the running server, e.g. "18.4" */
  readonly version: string;
  readonly source: BinarySource;
  /** a sentence for the person when data or programs are elsewhere than requested */
  readonly moved: string | null;
  /** true when close() stops the server */
  readonly owner: boolean;
  close(): Promise<void>;
}

/**
 * A running PostgreSQL on `dataDir`, created if need be. While we own it, it is restarted whenever it ends.
 * Rejects with EmbeddedRefusal, whose message is meant for a person, when that is impossible.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const report = options.report ?? (() => {});
  const found = await findLayout(options.dataDir);
  finishSwap(found);
  if (options.ifMissing === "refuse" && !clusterExists(found.cluster)) throw noInstallation(found);
  const layout = requireWritable(await createLayout(found));
  const binaries = await prepareCluster(layout, options.binaries, report);
  const connecting: ConnectOptions = { layout, binaries, socketDir: null, report };
  const owning = options.mode === "own";
  const server = owning
    ? { ...(await connectAsOwner(connecting)), owner: true }
    : await connectAsOwnerOrUser(connecting);
  const version = await serverVersion(server.client);
  const warning = owning ? sharedAccountWarning(layout.account, layout.cluster) : null;
  if (warning !== null) report(warning);
  const keeper = server.owner ? new Keeper(server, connecting, options.logger) : null;
  letProcessExit(server.client);
  let closed: Promise<void> | undefined;
  return {
    connection: applicationConnection(server.socketDir),
    dataDir: layout.cluster,
    binDir: binaries.binDir,
    version,
    source: binaries.source,
    moved: explainMove(layout, binaries),
    owner: server.owner,
    close: () => {
      closed ??= keeper ? keeper.close({ spareUsers: !owning }) : detach(server.client);
      return closed;
    },
  };
}

function noInstallation({ requested }: Layout): EmbeddedRefusal {
  return new EmbeddedRefusal(
    `There is no installation of Parley in ${requested}. Run this in the directory of the server, or set PARLEY_DATA_DIR ` +
      "(or DATABASE_URL) to what the server has. To set up a new installation, start the server: npm start.",
  );
}

async function detach(client: Client): Promise<void> {
  keepProcessAlive(client);
  await client.end().catch(() => {});
}

async function prepareCluster(
  layout: Layout,
  only: BinarySource | undefined,
  report: (line: string) => void,
): Promise<Binaries> {
  const { account, cluster, requested } = layout;
  const existing = clusterExists(cluster) ? readRecord(cluster) : null;
  const copyDir = account.switchTo ? ELSEWHERE : requested;
  const binaries = await chooseBinaries({ account, copyDir, existing, cluster, only, report });
  if (existing) {
    await changeOwner(layout);
  } else {
    report(`Creating the database in ${cluster} (PostgreSQL ${binaries.version}) …`);
    await initCluster(layout, binaries);
  }
  return binaries;
}

/** The cluster's owner has no passwd entry here (a directory from another machine or container): change the owner. */
async function changeOwner({ account, cluster }: Layout): Promise<void> {
  if (!account.switchTo || statSync(cluster).uid === account.uid || (await runningPostmaster(cluster))) return;
  const args = ["-R", "-P", `${account.uid}:${account.gid}`, cluster];
  const result = await run("chown", args, { timeoutMs: 600_000 });
  if (result.code !== 0) {
    throw new EmbeddedRefusal(
      `The database in ${cluster} cannot change its owner to ${account.name}: ${result.output.trim()}. Do it by hand: chown ${args.join(" ")}`,
    );
  }
}

async function serverVersion(client: Client): Promise<string> {
  const { rows } = await client.query<{ server_version: string }>("SHOW server_version");
  return rows[0]?.server_version.split(" ")[0] ?? "";
}

function explainMove({ base, requested, closed, account, kept }: Layout, binaries: Binaries): string | null {
  const parts: string[] = [];
  if (base !== requested) {
    const why = closed === null ? "since its first start" : `because its user ${account.name} may not enter ${closed}`;
    parts.push(`The database of ${requested} is in ${base}, ${why}.`);
  }
  if (kept !== null)
    parts.push(`An earlier database of this directory is kept in ${kept}; delete it if you do not need it.`);
  if (binaries.copied) parts.push(`PostgreSQL's programs run from a copy in ${binaries.binDir}.`);
  return parts.length === 0 ? null : parts.join(" ");
}
