import { FIRST_WORKSPACE } from "../db/cell.ts";
import { sql, type Tx } from "../db/database.ts";
import type { Alert } from "./alert.ts";
import type { Translate } from "./text.ts";

/** Scheduled backups of this node's embedded database. */
export interface BackupWatch {
  everyHours: number;
  /** When the newest one was written; null: there is none. */
  newestAt(): Promise<Date | null>;
  /** How long this node has been running. */
  uptimeMs(): number;
}

/** After a start, a server has this long to write the backup that became due while it was stopped. */
const UPTIME_MINUTES_MIN = 15;

// The first workspace belongs to the operator: backups concern the installation, not its tenants.
const beginStatement = sql(
  "alert_backup_begin",
  `insert into alert_states (workspace_id, kind, subject_id, stage)
   select id, 'backup', 0, 'overdue'
   from (${FIRST_WORKSPACE}) operator
   on conflict (workspace_id, kind, subject_id) do nothing
   returning workspace_id`,
);
const endStatement = sql("alert_backup_end", "delete from alert_states where kind = 'backup' returning workspace_id");

export async function backupAlerts(tx: Tx, watch: BackupWatch): Promise<Alert[]> {
  const { newest, detail } = await findNewest(watch);
  const state = { newest, now: new Date(), uptimeMs: watch.uptimeMs(), everyHours: watch.everyHours };
  const overdue = backupIsOverdue(state);
  if (overdue === null) return [];
  const rows = await tx.query<{ workspace_id: number }>(overdue ? beginStatement : endStatement);
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    kind: "backup",
    stage: overdue ? "overdue" : "recovered",
    detail,
  }));
}

/** A directory that cannot be read (a disk that is not mounted) counts as one without backups; other alerts are still sent. */
async function findNewest(watch: BackupWatch): Promise<{ newest: Date | null; detail: NonNullable<Alert["detail"]> }> {
  try {
    const newest = await watch.newestAt();
    const detail = (t: Translate) =>
      newest === null ? t("there is none yet") : t("the newest was written at {time}", { time: newest });
    return { newest, detail };
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? "unknown reason";
    return { newest: null, detail: (t) => t("their directory cannot be read ({reason})", { reason }) };
  }
}

interface BackupState {
  newest: Date | null;
  now: Date;
  uptimeMs: number;
  everyHours: number;
}

/** Null: too early to say. */
export function backupIsOverdue({ newest, now, uptimeMs, everyHours }: BackupState): boolean | null {
  const ageMs = newest === null ? Number.POSITIVE_INFINITY : now.getTime() - newest.getTime();
  if (ageMs <= 1.5 * everyHours * 3_600_000) return false;
  return uptimeMs < UPTIME_MINUTES_MIN * 60_000 ? null : true;
}
