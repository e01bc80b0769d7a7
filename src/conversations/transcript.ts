import { type Queryable, sql } from "../db/database.ts";

interface Line {
  /** When it was written, since 1970. */
  ms: number;
  direction: "in" | "out";
  private: boolean;
  sender_name: string | null;
  body: string;
  names: string[];
}

const MESSAGES_MAX = 10_000;
/** Of their texts. Most conversations have a thousandth of it. */
const BYTES_MAX = 4 * 1024 * 1024;

interface Words {
  times: (zone: string) => string;
  note: string;
  file: string;
  /** Who wrote, where nobody gave a name. */
  visitor: string;
  support: string;
}

const ENGLISH: Words = {
  times: (zone) => `Times in ${zone}.`,
  ...{ note: "note", file: "file", visitor: "Visitor", support: "Support" },
};
const WORDS: Readonly<Record<string, Words>> = {
  de: {
    times: (zone) => `Zeiten in ${zone}.`,
    ...{ note: "Notiz", file: "Datei", visitor: "Besucher", support: "Support" },
  },
  es: {
    times: (zone) => `Horas de ${zone}.`,
    ...{ note: "nota", file: "archivo", visitor: "Visitante", support: "Soporte" },
  },
  fr: {
    times: (zone) => `Heures de ${zone}.`,
    ...{ note: "note", file: "fichier", visitor: "Visiteur", support: "Assistance" },
  },
  "pt-BR": {
    times: (zone) => `Horários de ${zone}.`,
    ...{ note: "nota", file: "arquivo", visitor: "Visitante", support: "Suporte" },
  },
};

// The last ones, where a conversation has more than a transcript holds.
const readStatement = sql(
  "conversation_transcript",
  `select extract(epoch from recent.created_at)::float8 * 1000 as ms, recent.direction, recent.private,
     case when recent.sender_type = 'api_key' and not $4::boolean then null else recent.sender_name end as sender_name,
     recent.body,
     array(select coalesce(item ->> 'name', '') from jsonb_array_elements(recent.attachments) item) as names
   from (
     select *, coalesce(sum(octet_length(m.body)) over later, 0) as bytes_after
     from messages m
     where m.workspace_id = $1
       and m.conversation_id = $2
       and ($3 or not m.private)
     window later as (order by m.seq desc rows between unbounded preceding and 1 preceding)
     order by m.seq desc
     limit ${MESSAGES_MAX}) recent
   where recent.bytes_after < ${BYTES_MAX}
   order by recent.seq`,
);

// Which conversation it is: the file or the paper may be found later.
const headingStatement = sql(
  "conversation_heading",
  `select conversation.id,
     case when $3::boolean then conversation.subject end as subject,
     case when $4::boolean then contact.name end as name,
     case when $4::boolean then contact.email end as email
   from conversations conversation
   join contacts contact
     on contact.workspace_id = $1
     and contact.id = conversation.contact_id
   where conversation.workspace_id = $1
     and conversation.id = $2`,
);

interface Heading {
  id: number;
  subject: string | null;
  name: string | null;
  email: string | null;
}

interface TranscriptOptions {
  /** IANA name. */
  timeZone: string;
  /** Of its few words; in English where it is another one or unknown. */
  language: string | null;
  /** Notes are for colleagues, and so are the names of keys. */
  notes: boolean;
  forColleagues: boolean;
  /** What the heading may say besides the number; null: there is no heading. */
  heading: { subject: boolean; contact: boolean } | null;
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
  { timeZone, language, notes, forColleagues, heading }: TranscriptOptions,
): Promise<string> {
  const values = [workspaceId, conversationId, notes, forColleagues];
  const rows = await db.query<Line>(readStatement, values);
  const time = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  const words = WORDS[language ?? ""] ?? ENGLISH;
  const lines = rows.map((line) => lineOf(line, time.format(new Date(line.ms)), words));
  const first = heading ? await headingOf(db, [workspaceId, conversationId, heading.subject, heading.contact]) : "";
  return `${first}${words.times(timeZone)}\n\n${lines.join("\n")}${lines.length > 0 ? "\n" : ""}`;
}

/** `#7 Where is my order?`, and whose it is. */
async function headingOf(db: Queryable, values: unknown[]): Promise<string> {
  const [found] = await db.query<Heading>(headingStatement, values);
  if (!found) return "";
  const { id, subject, name, email } = found;
  const who = name && email ? `${name} <${email}>` : (name ?? email);
  return [`#${id} ${subject ?? ""}`.trim(), ...(who ? [who] : []), ""].join("\n");
}

function lineOf(line: Line, at: string, words: Words): string {
  const { direction, private: isPrivate, sender_name, body, names } = line;
  const who = sender_name ?? (direction === "in" ? words.visitor : words.support);
  const files = names.map((name) => `[${words.file}: ${name}]`);
  return `[${at}] ${who}${isPrivate ? ` (${words.note})` : ""}: ${[body, ...files].filter((part) => part !== "").join("\n")}\n`;
}
