import type { Account } from "../host/accounts.ts";
import { canReadAndEnter, closedOnTheWay } from "../host/paths.ts";
import { EmbeddedRefusal, OR_DATABASE_URL } from "../host/refusal.ts";
import { type Binaries, type BinarySource, MAJOR_MIN } from "./binaries.ts";
import { findPackage, preparePackage } from "./package.ts";
import { findSystemBinaries } from "./system.ts";

interface BinaryNeeds {
  readonly account: Account;
  /** where a copy of the package may go */
  readonly copyDir: string;
  /** the cluster to open; null when a new one is to be created */
  readonly existing: { readonly major: number; readonly source: BinarySource } | null;
  readonly cluster: string;
  readonly only: BinarySource | undefined;
  readonly report: (line: string) => void;
}

/**
 * A new cluster is created with the pinned package, or with the newest system server where the package has nothing for
 * this platform. An existing cluster is opened with its own major version, from wherever it came before if possible:
 * another major version cannot read the files.
 */
export async function chooseBinaries(needs: BinaryNeeds): Promise<Binaries> {
  const sources: BinarySource[] = needs.existing?.source === "system" ? ["system", "package"] : ["package", "system"];
  for (const source of sources) {
    if (needs.only !== undefined && needs.only !== source) continue;
    const chosen = source === "package" ? await fromPackage(needs) : await fromSystem(needs);
    if (chosen) return chosen;
  }
  throw new EmbeddedRefusal(needs.existing ? explainMismatch(needs.cluster, needs.existing.major) : explainNone());
}

async function fromPackage(needs: BinaryNeeds): Promise<Binaries | null> {
  const found = findPackage();
  if (!found || !suits(found.major, needs)) return null;
  return preparePackage(found, needs.account, needs.copyDir, needs.report);
}

async function fromSystem(needs: BinaryNeeds): Promise<Binaries | null> {
  const found = await findSystemBinaries();
  return found.find((binaries) => suits(binaries.major, needs) && usable(binaries, needs.account)) ?? null;
}

function suits(major: number, { existing }: BinaryNeeds): boolean {
  return existing ? major === existing.major : major >= MAJOR_MIN;
}

function usable(binaries: Binaries, account: Account): boolean {
  if (!account.switchTo) return true;
  return closedOnTheWay(binaries.binDir, account) === null && canReadAndEnter(`${binaries.binDir}/postgres`, account);
}

export function explainMismatch(cluster: string, major: number): string {
  return (
    `The database in ${cluster} was created by PostgreSQL ${major}, and no PostgreSQL ${major} is installed to open it. ` +
    `Install PostgreSQL ${major} on this machine (and run \`parley upgrade\` to need it no longer), set PARLEY_DATA_DIR to a new directory, ${OR_DATABASE_URL}.`
  );
}

export function explainNone(): string {
  return (
    `There is no embedded PostgreSQL for ${process.platform}-${process.arch} in node_modules and no system PostgreSQL ` +
    `${MAJOR_MIN} or newer was found. Run npm install without --omit=optional, install PostgreSQL, ${OR_DATABASE_URL}.`
  );
}
