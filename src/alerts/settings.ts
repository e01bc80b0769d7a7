import { auditOf, changesBetween } from "../audit/audit.ts";
import type { Caller } from "../core/caller.ts";
import type { SecretBox } from "../core/secret-box.ts";
import { type Queryable, sql, type Tx } from "../db/database.ts";
import { slackContextOf } from "./chat.ts";

/** Who receives the alerts of a workspace. */
interface AlertSettings {
  /** Owners and admins, by e-mail. */
  email_enabled: boolean;
  /** The host of the chat's incoming webhook; the rest of its URL is a secret. Null: none is set. */
  slack_host: string | null;
}

interface AlertSettingsPatch {
  email_enabled?: boolean | undefined;
  /** Empty: removes it. */
  slack_url?: string | undefined;
}

const audit = auditOf("workspace");

interface SettingsRow {
  email_enabled: boolean;
  slack_url_sealed: string | null;
}

const readStatement = sql(
  "alert_settings",
  "select email_enabled, slack_url_sealed from alert_settings where workspace_id = $1",
);
const lockStatement = sql(
  "alert_settings_lock",
  `insert into alert_settings (workspace_id)
   values ($1)
   on conflict (workspace_id) do update
   set updated_at = now()
   returning email_enabled, slack_url_sealed`,
);
const updateStatement = sql(
  "alert_settings_update",
  `update alert_settings
   set email_enabled = $2, slack_url_sealed = $3, updated_at = now()
   where workspace_id = $1`,
);

const DEFAULTS: SettingsRow = { email_enabled: true, slack_url_sealed: null };

export async function readAlertSettings(db: Queryable, box: SecretBox, workspaceId: number): Promise<AlertSettings> {
  const [row] = await db.query<SettingsRow>(readStatement, [workspaceId]);
  return shown(row ?? DEFAULTS, box, workspaceId);
}

export async function changeAlertSettings(
  tx: Tx,
  box: SecretBox,
  caller: Caller,
  patch: AlertSettingsPatch,
): Promise<AlertSettings> {
  const { workspaceId } = caller;
  const [locked] = await tx.query<SettingsRow>(lockStatement, [workspaceId]);
  const before = shown(locked ?? DEFAULTS, box, workspaceId);
  const { email_enabled = before.email_enabled, slack_url: url } = patch;
  const sealed =
    url === undefined
      ? (locked?.slack_url_sealed ?? null)
      : url === ""
        ? null
        : box.seal(url, slackContextOf(workspaceId));
  await tx.query(updateStatement, [workspaceId, email_enabled, sealed]);
  const after = shown({ email_enabled, slack_url_sealed: sealed }, box, workspaceId);
  const changes = {
    ...changesBetween(before, after),
    // The host only: anyone who knows the URL can post there. It may be another URL of the same host.
    ...(url === undefined ? {} : { slack_host: { from: before.slack_host, to: after.slack_host } }),
  };
  if (Object.keys(changes).length > 0)
    await audit(tx, caller, { action: "workspace.alert_settings_changed", id: workspaceId, changes });
  return after;
}

function shown({ email_enabled, slack_url_sealed: sealed }: SettingsRow, box: SecretBox, id: number): AlertSettings {
  return { email_enabled, slack_host: sealed === null ? null : new URL(box.open(sealed, slackContextOf(id))).host };
}
