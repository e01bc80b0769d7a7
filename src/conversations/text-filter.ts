import { type Queryable, sql } from "../db/database.ts";
import { CONVERSATION_STATUSES } from "../resources/conversations.ts";
import { listLabels } from "./labels.ts";
import { contactsWithPhone } from "./phone-search.ts";
import { newestWith, type SearchType } from "./search.ts";
import { fold, parseSearch, type SearchWords } from "./search-words.ts";

/** Of each kind, the newest hits. A list shows fewer; a bound keeps common words as quick as rare ones. */
const HITS_MAX = 500;
const LABELS_MATCHED_MAX = 10;
const PER_LABEL_MAX = 100;

const ofContacts = sql(
  "text_filter_contacts",
  `select c.id
   from conversations c
   where c.workspace_id = $1
     and c.contact_id = any($2::bigint[])
   order by c.id desc
   limit ${HITS_MAX}`,
);

// Each label and status is a range of its own in the index by activity.
const ofLabels = sql(
  "text_filter_labels",
  `select i.conversation_id as id
   from unnest($2::text[]) as wanted(label)
   cross join unnest($3::text[]) as any_of(status)
   cross join lateral (
     select i.conversation_id
     from labelled_conversations i
     where i.workspace_id = $1
       and i.label = wanted.label
       and i.status = any_of.status
     order by i.activity_at desc, i.conversation_id desc
     limit ${PER_LABEL_MAX}) i`,
);

interface TextFilter {
  text: string;
  /** What the caller may read. */
  types: readonly SearchType[];
}

/** The conversations that have these words in their subject, contact, labels or messages, or that have this number. */
export async function conversationsWith(
  db: Queryable,
  workspaceId: number,
  { text, types }: TextFilter,
): Promise<number[]> {
  const words = parseSearch(text);
  const found =
    words.words.length + words.phrases.length > 0 ? await foundBy(db, workspaceId, { text, words, types }) : [];
  return [...new Set([...numberIn(text), ...found])];
}

async function foundBy(
  db: Queryable,
  workspaceId: number,
  { text, words, types }: TextFilter & { words: SearchWords },
): Promise<number[]> {
  const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id);
  const hits = types.map(async (type) => {
    const ids = await newestWith(db, workspaceId, type, { words, limit: HITS_MAX });
    if (type !== "contact") return ids;
    const contacts = [...ids, ...(await contactsWithPhone(db, workspaceId, text))];
    return idsOf(await db.query<{ id: number }>(ofContacts, [workspaceId, contacts]));
  });
  const labels = (await listLabels(db, workspaceId)).filter(({ name }) => hasWords(name, words));
  const names = labels.slice(0, LABELS_MATCHED_MAX).map(({ name }) => name);
  const labelled =
    names.length > 0 ? db.query<{ id: number }>(ofLabels, [workspaceId, names, CONVERSATION_STATUSES]) : [];
  return [...(await Promise.all(hits)).flat(), ...idsOf(await labelled)];
}

/** `#120` and `120` also name a conversation. */
function numberIn(text: string): number[] {
  const [, digits] = /^\s*#?(\d{1,15})\s*$/.exec(text) ?? [];
  return digits ? [Number(digits)] : [];
}

function hasWords(name: string, { words, phrases }: SearchWords): boolean {
  const own = fold(name).match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...words, ...phrases.flat()].every((word) => own.some((one) => one.startsWith(word)));
}
