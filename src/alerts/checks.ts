import type { Language } from "../accounts/languages.ts";
import type { Logger } from "../core/logger.ts";
import type { SecretBox } from "../core/secret-box.ts";
import { type Database, sql, type Tx } from "../db/database.ts";
import type { Alert } from "./alert.ts";
import { alertText } from "./alert-texts.ts";
import { backlogAlerts } from "./backlog-alerts.ts";
import { type BackupWatch, backupAlerts } from "./backup-alerts.ts";
import { type ConsumerWatch, consumerAlerts } from "./consumer-alerts.ts";
import { keyAlerts } from "./key-alerts.ts";
import { mailboxAlerts } from "./mailbox-alerts.ts";
import { enqueue } from "./queue.ts";
import { textsIn } from "./text.ts";
import { webhookAlerts } from "./webhook-alerts.ts";

export interface CheckOptions {
  db: Database;
  secretBox: SecretBox;
  logger: Logger;
  /** A mail server is set. */
  sendsMail: boolean;
  /** For links; null: messages have none. */
  publicUrl: string | null;
  disabledReasons: readonly string[];
  backlogMinutes: number;
  consumers: ConsumerWatch;
  /** Null: this node writes no scheduled backups. */
  backups: BackupWatch | null;
}

const CHECK_SECONDS = 55;
const HOURS_MAX = 72;
const RECIPIENTS_MAX = 100;

// Nodes that check at the same moment wait for the first one here, and then find that the next check is not due. A last
// check in the future was written before the clock was set back; by less than CHECK_SECONDS it may be another node's.
const claimStatement = sql(
  "alert_check_claim",
  `update alert_checks
   set checked_at = now()
   where checked_at < now() - make_interval(secs => $1)
     or checked_at > now() + interval '${CHECK_SECONDS} seconds'
   returning 1`,
);
// A demo has no recipients, and neither has a workspace that has moved to another cell: that cell raises its alerts.
// The chat is in the language of the owner who has been there longest.
const recipientsStatement = sql(
  "alert_recipients",
  `select workspace.name,
     settings.slack_url_sealed is not null as has_slack,
     coalesce(settings.email_enabled, true) as has_email,
     (
       select coalesce(person.language, person.browser_language)
       from memberships member
       join users person on person.id = member.user_id
       where member.workspace_id = workspace.id
         and member.role = 'owner'
       order by member.created_at, person.id
       limit 1
     ) as language,
     array(
       select json_build_object('email', person.email, 'language', coalesce(person.language, person.browser_language))
       from memberships member
       join users person on person.id = member.user_id
       where member.workspace_id = workspace.id
         and member.role in ('owner', 'admin')
       order by person.id
       limit ${RECIPIENTS_MAX}
     ) as people
   from workspaces workspace
   left join alert_settings settings on settings.workspace_id = workspace.id
   where workspace.id = $1
     and not workspace.is_demo
     and workspace.move_state is distinct from 'moved'`,
);

interface Recipients {
  name: string;
  has_slack: boolean;
  has_email: boolean;
  language: Language | null;
  people: { email: string; language: Language | null }[];
}

/**
 * Looks for new and ended problems and queues a message about each. What was reported is stored in the same transaction,
 * so each is reported once, whichever node checks and even if it is killed. With `everySeconds` 0 it checks now.
 */
export async function runChecks(options: CheckOptions, everySeconds = CHECK_SECONDS): Promise<void> {
  const { db, logger, disabledReasons, backlogMinutes, consumers, backups } = options;
  const found = await db.transaction(async (tx) => {
    if ((await tx.query(claimStatement, [everySeconds])).length === 0) return [];
    const alerts = [
      ...(await webhookAlerts(tx, { disabledReasons })),
      ...(await keyAlerts(tx)),
      ...(await backlogAlerts(tx, backlogMinutes)),
      ...(await consumerAlerts(tx, consumers)),
      ...(await mailboxAlerts(tx)),
      ...(backups ? await backupAlerts(tx, backups) : []),
    ];
    const raised: Alert[] = [];
    for (const group of grouped(alerts)) if (await notify(tx, options, group)) raised.push(...group);
    return raised;
  });
  for (const { workspaceId, kind, stage, subject } of found)
    logger.info({ workspace_id: workspaceId, kind, stage, subject_id: subject?.id ?? null }, "raised an alert");
}

type Group = [Alert, ...Alert[]];

function grouped(alerts: readonly Alert[]): Group[] {
  const groups = new Map<string, Group>();
  for (const alert of alerts) {
    const name = `${alert.workspaceId} ${alert.kind} ${alert.stage}`;
    const group = groups.get(name);
    if (group) group.push(alert);
    else groups.set(name, [alert]);
  }
  return [...groups.values()];
}

/** Returns false for a workspace that has no alerts here. */
async function notify(tx: Tx, { secretBox, sendsMail, publicUrl }: CheckOptions, alerts: Group): Promise<boolean> {
  const [{ workspaceId, kind, stage }] = alerts;
  const [workspace] = await tx.query<Recipients>(recipientsStatement, [workspaceId]);
  if (!workspace) return false;
  const messageIn = (language: Language | null) => ({
    content: {
      ...alertText(textsIn(language ?? workspace.language ?? "en"), { workspace: workspace.name, alerts, publicUrl }),
    },
    ...{ workspaceId, kind: `${kind}.${stage}`, hoursMax: HOURS_MAX },
  });
  if (sendsMail && workspace.has_email)
    for (const { email, language } of workspace.people)
      await enqueue(tx, secretBox, { ...messageIn(language), channel: "email", recipient: email });
  if (workspace.has_slack) await enqueue(tx, secretBox, { ...messageIn(null), channel: "slack", recipient: null });
  return true;
}
