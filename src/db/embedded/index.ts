import { statSync } from "node:fs";
import type { Client } from "pg";
import type { Logger } from "../../core/logger.ts";
import { type BinarySource, type ChosenBinaries, chooseBinaries } from "./binaries.ts";
import { clusterExists, readRecord } from "./cluster-record.ts";
import { type Connection, connectionTo } from "./connect.ts";
import { initCluster } from "./init-cluster.ts";
import { Keeper, keepAwake } from "./keeper.ts";
import { ELSEWHERE } from "./location-note.ts";
import { type Seeking, seekAny, seekOwnership } from "./ownership.ts";
import { runningPostmaster } from "./pid-file.ts";
import { findPlace, type Place, settlePlace } from "./place.ts";
import { EmbeddedRefusal } from "./refusal.ts";
import { run } from "./run.ts";

export type { EmbeddedInspection, EmbeddedProblem } from "./inspect.ts";
export { inspectEmbedded } from "./inspect.ts";
export { EmbeddedRefusal };

export interface EmbeddedOptions {
  /** PARLEY_DATA_DIR; the cluster goes into `<dataDir>/postgres` */
  readonly dataDir: string;
  /** `own` for the server, of which there is one; `attach-or-start` for commands, which run beside it or without it */
  readonly mode: "own" | "attach-or-start";
  readonly logger: Logger;
  /** progress for a person */
  readonly report?: (line: string) => void;
  /** restricts where the programs may come from; for tests */
  readonly binaries?: BinarySource;
}

export interface EmbeddedDatabase {
  /** for `pg`: the socket's directory as host */
  readonly connection: Connection;
  /** where the cluster really lies */
  readonly dataDir: string;
  readonly binDir: string;
  /** of the running server, e.g. "18.4" */
  readonly version: string;
  readonly source: BinarySource;
  /** a sentence for the person when data or programs lie elsewhere than asked */
  readonly moved: string | null;
  /** true when close() stops the server */
  readonly owner: boolean;
  close(): Promise<void>;
}

/**
 * Gives a running PostgreSQL on `dataDir`, made at first if need be. While we own it, it is restarted whenever it dies.
 * Rejects with EmbeddedRefusal, whose message is meant for a person, when that is impossible.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const report = options.report ?? (() => {});
  const place = await settlePlace(await findPlace(options.dataDir));
  const chosen = await prepareCluster(place, options.binaries, report);
  const seeking: Seeking = { place, binaries: chosen.binaries, socketDir: null, report };
  const owning = options.mode === "own";
  const found = owning ? { ...(await seekOwnership(seeking)), owner: true } : await seekAny(seeking);
  const version = await serverVersion(found.client);
  const keeper = found.owner ? new Keeper(found, seeking, options.logger) : null;
  keepAwake(found.client, false);
  let closed: Promise<void> | undefined;
  return {
    connection: connectionTo(found.socketDir),
    dataDir: place.cluster,
    binDir: chosen.binaries.binDir,
    version,
    source: chosen.binaries.source,
    moved: explainMove(place, chosen),
    owner: found.owner,
    close: () => {
      closed ??= keeper ? keeper.close(!owning) : detach(found.client);
      return closed;
    },
  };
}

async function detach(client: Client): Promise<void> {
  keepAwake(client, true);
  await client.end().catch(() => {});
}

async function prepareCluster(
  place: Place,
  only: BinarySource | undefined,
  report: (line: string) => void,
): Promise<ChosenBinaries> {
  const { account, cluster, requested } = place;
  const existing = clusterExists(cluster) ? readRecord(cluster) : null;
  const copyDir = account.switchTo ? ELSEWHERE : requested;
  const chosen = await chooseBinaries({ account, copyDir, existing, cluster, only, report });
  if (existing) {
    await giveToAccount(place);
  } else {
    report(`Creating the database in ${cluster} (PostgreSQL ${chosen.binaries.version}) …`);
    await initCluster(place, chosen.binaries);
  }
  return chosen;
}

/** The cluster's owner has no passwd entry here (a directory from another machine or container): pass it on. */
async function giveToAccount({ account, cluster }: Place): Promise<void> {
  if (!account.switchTo || statSync(cluster).uid === account.uid || (await runningPostmaster(cluster))) return;
  const args = ["-R", "-P", `${account.uid}:${account.gid}`, cluster];
  const answer = await run("chown", args, { timeoutMs: 600_000 });
  if (answer.code !== 0) {
    throw new EmbeddedRefusal(
      `The database in ${cluster} cannot be given to ${account.name}: ${answer.output.trim()}. Do it by hand: chown ${args.join(" ")}`,
    );
  }
}

async function serverVersion(client: Client): Promise<string> {
  const { rows } = await client.query<{ server_version: string }>("SHOW server_version");
  return rows[0]?.server_version.split(" ")[0] ?? "";
}

function explainMove({ base, requested, closed, account, kept }: Place, chosen: ChosenBinaries): string | null {
  const parts: string[] = [];
  if (base !== requested) {
    const why = closed === null ? "since its first start" : `because its user ${account.name} may not enter ${closed}`;
    parts.push(`The database of ${requested} lies in ${base}, ${why}.`);
  }
  if (kept !== null)
    parts.push(`An earlier database of this directory is kept in ${kept}; delete it if you do not need it.`);
  if (chosen.copied) parts.push(`PostgreSQL's programs run from a copy in ${chosen.binaries.binDir}.`);
  return parts.length === 0 ? null : parts.join(" ");
}
