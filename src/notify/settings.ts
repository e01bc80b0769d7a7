import { auditOf, changesBetween } from "../audit/audit.ts";
import type { Caller } from "../core/caller.ts";
import { type Queryable, sql, type Tx } from "../db/database.ts";
import type { QuietHours } from "./quiet-hours.ts";

const audit = auditOf("user");

/** What a person wants to be notified of in a workspace. */
interface NotificationSettings {
  /** Messages in conversations that are assigned to them. */
  assigned: boolean;
  /** Customers' messages in conversations that nobody has. */
  unassigned: boolean;
  /** Notes that mention them, and what follows in those conversations. */
  mentions: boolean;
  /** An e-mail about a note that mentions them, if they are away. */
  mention_mail: boolean;
  sound: boolean;
  /** No push and no sound between these local times; null: at any hour. */
  quiet_hours: QuietHours | null;
}

interface SettingsRow extends Omit<NotificationSettings, "quiet_hours"> {
  quiet_from: string | null;
  quiet_to: string | null;
  time_zone: string | null;
}

const SHOWN = "assigned, unassigned, mentions, mention_mail, sound, quiet_from, quiet_to, time_zone";

const readStatement = sql(
  "notification_settings",
  `select ${SHOWN}
   from notification_settings
   where workspace_id = $1
     and user_id = $2`,
);
const lockStatement = sql(
  "notification_settings_lock",
  `insert into notification_settings (workspace_id, user_id)
   values ($1, $2)
   on conflict (workspace_id, user_id) do update
   set sound = notification_settings.sound
   returning ${SHOWN}`,
);
const updateStatement = sql(
  "notification_settings_update",
  `update notification_settings
   set assigned = $3, unassigned = $4, mentions = $5, mention_mail = $6, sound = $7,
     quiet_from = $8, quiet_to = $9, time_zone = $10
   where workspace_id = $1
     and user_id = $2`,
);

const DEFAULTS: NotificationSettings = {
  assigned: true,
  unassigned: true,
  mentions: true,
  mention_mail: true,
  sound: true,
  quiet_hours: null,
};

/** Of one person in one workspace. */
export interface Person {
  workspaceId: number;
  userId: number;
}

export async function readNotificationSettings(
  db: Queryable,
  { workspaceId, userId }: Person,
): Promise<NotificationSettings> {
  const [row] = await db.query<SettingsRow>(readStatement, [workspaceId, userId]);
  return row ? shown(row) : DEFAULTS;
}

export async function changeNotificationSettings(
  tx: Tx,
  caller: Caller,
  userId: number,
  patch: { [Name in keyof NotificationSettings]?: NotificationSettings[Name] | undefined },
): Promise<NotificationSettings> {
  const { workspaceId } = caller;
  const [locked] = await tx.query<SettingsRow>(lockStatement, [workspaceId, userId]);
  const before = locked ? shown(locked) : DEFAULTS;
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  const after: NotificationSettings = { ...before, ...Object.fromEntries(given) };
  const { assigned, unassigned, mentions, mention_mail, sound, quiet_hours: quiet } = after;
  await tx.query(updateStatement, [
    ...[workspaceId, userId, assigned, unassigned, mentions, mention_mail, sound],
    ...[quiet?.from ?? null, quiet?.to ?? null, quiet?.time_zone ?? null],
  ]);
  const changes = changesBetween(before, after);
  if (Object.keys(changes).length > 0)
    await audit(tx, caller, { action: "user.notifications_changed", id: userId, changes });
  return after;
}

function shown({ quiet_from: from, quiet_to: to, time_zone, ...choices }: SettingsRow): NotificationSettings {
  return { ...choices, quiet_hours: from && to && time_zone ? { from, to, time_zone } : null };
}
