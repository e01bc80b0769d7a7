import { type Queryable, sql } from "../db/database.ts";

/** A time of each day; the end may be before the start, on the next day. */
export interface QuietHours {
  /** `HH:MM`. */
  from: string;
  to: string;
  /** IANA name. */
  time_zone: string;
}

const readStatement = sql(
  "quiet_hours",
  `select user_id, quiet_from as "from", quiet_to as "to", time_zone
   from notification_settings
   where workspace_id = $1
     and quiet_from is not null`,
);

/** The members for whom it is night now. Computed here: the database may know other time zones than browsers do. */
export async function quietPeople(db: Queryable, workspaceId: number, now = new Date()): Promise<number[]> {
  const rows = await db.query<QuietHours & { user_id: number }>(readStatement, [workspaceId]);
  return rows.filter((row) => isQuiet(row, now)).map(({ user_id }) => user_id);
}

export function isQuiet({ from, to, time_zone: timeZone }: QuietHours, now: Date): boolean {
  const time = localTime(now, timeZone);
  return from <= to ? time >= from && time < to : time >= from || time < to;
}

/** `HH:MM`. */
function localTime(now: Date, timeZone: string): string {
  const format = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone } as const;
  return new Intl.DateTimeFormat("en-GB", format).format(now);
}
