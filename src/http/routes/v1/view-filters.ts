import { type Static, Type } from "typebox";
import { problems } from "../../../core/errors.ts";
import { parseTimestamp } from "../../../core/timestamps.ts";
import { nested } from "./contacts.ts";
import { type ConversationFilters, ConversationQuery, queryProblems } from "./conversation-fields.ts";

const { channel, priority, label, waiting, unread, mentioned, text, search } = ConversationQuery.properties;
const simple = nested({ channel, priority, label, waiting, unread, mentioned, text, search });

const named = (description: string) =>
  Type.Optional(
    Type.Unsafe<string | number>({ type: ["string", "integer", "null"], maxLength: 36, minimum: 0, description }),
  );

/** The query filters of the list of conversations, as an object. What names a person may also be a number. */
export const ViewFilters = Type.Object(
  {
    status: Type.Optional(
      Type.Unsafe<string | string[]>({
        type: ["string", "array", "null"],
        items: { type: "string" },
        maxItems: 10,
        maxLength: 255,
        description: "One or several: comma separated, or an array.",
      }),
    ),
    contact_id: named("Id or uuid of a contact."),
    assignee_id: named("Id or uuid of a member, `me` for the reader of the view, `none` or 0 for no assignee."),
    updated_since: Type.Optional(
      Type.Unsafe<string>({ type: ["string", "null"], maxLength: 64, description: "Any ISO 8601 form." }),
    ),
    ...simple,
  },
  { title: "ViewFilters", description: "The query filters of `GET /conversations`; `{}` by default." },
);
export type ViewFilters = Static<typeof ViewFilters>;

/** Without what the schema does not know and what is null. */
export function knownFilters(filters: ViewFilters | null | undefined): ViewFilters | null | undefined {
  if (!filters) return filters;
  const known = Object.entries(filters).filter(
    ([name, value]) => Object.hasOwn(ViewFilters.properties, name) && value !== null,
  );
  return Object.fromEntries(known) as ViewFilters;
}

/** A person who is signed in: whether `me` is someone is decided when the view is read. */
const ANYBODY = 1;

export function filterProblems(filters: ViewFilters | null | undefined): string[] {
  if (!filters) return [];
  const query = queryOf(filters);
  const { updated_since } = filters;
  const found = problems({
    ...queryProblems(query, ANYBODY),
    updated_since:
      updated_since !== undefined && query.updated_since === undefined ? ["updated_since must be a timestamp."] : [],
  });
  return Object.values(found)
    .flat()
    .map((sentence) => `filters.${sentence}`);
}

/** Whether only a person can read it: it asks for what is theirs. */
export const asksForPerson = (filters: ViewFilters): boolean =>
  filters.assignee_id === "me" || filters.unread !== undefined || filters.mentioned !== undefined;

/** As query parameters of the list. */
export function queryOf(filters: ViewFilters): ConversationFilters {
  const { status, contact_id, assignee_id, updated_since, ...rest } = filters;
  const since = updated_since === undefined ? null : parseTimestamp(updated_since);
  return {
    ...rest,
    ...(status === undefined ? {} : { status: Array.isArray(status) ? status.join(",") : status }),
    ...(contact_id === undefined ? {} : { contact_id: String(contact_id) }),
    ...(assignee_id === undefined ? {} : { assignee_id: String(assignee_id) }),
    ...(since === null ? {} : { updated_since: since }),
  };
}
