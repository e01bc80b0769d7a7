import { type Queryable, sql } from "../db/database.ts";

interface Line {
  created_at: Date;
  direction: "in" | "out";
  private: boolean;
  sender_name: string | null;
  body: string;
  names: string[];
}

const MESSAGES_MAX = 10_000;

// The last ones, where a conversation has more than a transcript holds.
const readStatement = sql(
  "conversation_transcript",
  `select extract(epoch from recent.created_at)::float8 * 1000 as ms, recent.direction, recent.private,
     case when recent.sender_type = 'api_key' and not $4::boolean then null else recent.sender_name end as sender_name,
     recent.body,
     array(select coalesce(item ->> 'name', '') from jsonb_array_elements(recent.attachments) item) as names
   from (
     select *
     from messages m
     where m.workspace_id = $1
       and m.conversation_id = $2
       and ($3 or not m.private)
     order by m.seq desc
     limit ${MESSAGES_MAX}) recent
   order by recent.seq`,
);

interface TranscriptOptions {
  /** IANA name. */
  timeZone: string;
  /** Notes are for colleagues, and so are the names of keys. */
  notes: boolean;
  forColleagues: boolean;
}

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

/** The messages of a conversation as plain text, oldest first. */
export async function readTranscript(
  db: Queryable,
  workspaceId: number,
  conversationId: number,
  { timeZone, notes, forColleagues }: TranscriptOptions,
): Promise<string> {
  const values = [workspaceId, conversationId, notes, forColleagues];
  const rows = await db.query<Omit<Line, "created_at"> & { ms: number }>(readStatement, values);
  const time = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  const lines = rows.map(({ ms, ...line }) => lineOf(line, time.format(new Date(ms))));
  return `Times in ${timeZone}.\n\n${lines.join("\n")}${lines.length > 0 ? "\n" : ""}`;
}

function lineOf({ direction, private: isPrivate, sender_name, body, names }: Omit<Line, "created_at">, at: string) {
  const who = sender_name ?? (direction === "in" ? "Visitor" : "Support");
  const files = names.map((name) => `[file: ${name}]`);
  return `[${at}] ${who}${isPrivate ? " (note)" : ""}: ${[body, ...files].filter((part) => part !== "").join("\n")}\n`;
}
