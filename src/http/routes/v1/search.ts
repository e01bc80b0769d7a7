import { Type } from "typebox";
import type { Principal } from "../../../auth/principal.ts";
import type { Scope } from "../../../auth/scopes.ts";
import { SEARCH_TYPES, type SearchType, search } from "../../../conversations/search.ts";
import { parseSearch } from "../../../conversations/search-words.ts";
import { forbidden, problems } from "../../../core/errors.ts";
import { Id, oneOf, optionalInteger, optionalString, Timestamp } from "../../../resources/common.ts";
import { PER_PAGE_DEFAULT, PER_PAGE_MAX } from "../../pipeline/paging.ts";
import { namesIn } from "../../pipeline/query.ts";
import { route } from "./services.ts";

const SearchHit = Type.Object(
  {
    type: oneOf(SEARCH_TYPES),
    id: Id,
    conversation_id: Type.Optional(Type.Integer({ minimum: 1, description: "Of a message." })),
    contact_id: Type.Optional(Type.Integer({ minimum: 1, description: "Of a conversation." })),
    title: Type.String(),
    excerpt: Type.String({ description: "Plain text around the first match." }),
    highlights: Type.Array(Type.Unsafe<[number, number]>({ type: "array", items: Type.Integer() }), {
      description: "Where the matches are in the excerpt: start and end, in UTF-16 units, the end exclusive.",
    }),
    created_at: Timestamp,
  },
  { title: "SearchHit" },
);

const SCOPE_OF: Record<SearchType, Scope> = {
  conversation: "conversations:read",
  message: "messages:read",
  contact: "contacts:read",
};

export const searchRoutes = [
  route({
    method: "GET",
    path: "/search",
    operationId: "search",
    summary: "Search messages, conversations and contacts",
    description:
      "Finds words and beginnings of words in message bodies, subjects, and the names, e-mails, phones and external ids of contacts, in any case and without accents (`ß` is also found as `ss`, `ø` as `o`, `ł` as `l`); quotes find a phrase, and a phone number is found whatever is between its digits. Newest first. Only types whose read scope the caller holds are searched.",
    access: "any",
    query: Type.Object({
      q: Type.String({
        trim: true,
        minLength: 2,
        maxLength: 200,
        description: "The words; all of them must match.",
        examples: ["parcel"],
      }),
      type: optionalString(64, `One or several, comma separated, of ${SEARCH_TYPES.join(", ")}.`),
      limit: optionalInteger(1, PER_PAGE_MAX, `Hits at most; ${PER_PAGE_DEFAULT} by default.`),
    }),
    success: { status: 200, data: Type.Array(SearchHit) },
    check: ({ principal, query }) => {
      const unknown = namesIn(query.type ?? "").filter((name) => !SEARCH_TYPES.includes(name as SearchType));
      if (unknown.length === 0 && visibleTypes(principal, query.type).length === 0)
        throw forbidden("Searching needs the read scope of what is searched, which this API key lacks.");
      const { words, phrases } = parseSearch(query.q ?? "");
      return problems({
        type: unknown.length > 0 ? [`type must be one or several of: ${SEARCH_TYPES.join(", ")}.`] : [],
        q: query.q !== undefined && words.length + phrases.length === 0 ? ["q must contain letters or digits."] : [],
      });
    },
    handler: async ({ principal: { workspaceId, ...principal }, query }, { db }) => ({
      data: await search(db, workspaceId, {
        text: query.q,
        words: parseSearch(query.q),
        types: visibleTypes(principal, query.type),
        limit: query.limit ?? PER_PAGE_DEFAULT,
        sees: {
          conversations: principal.scopes.has("conversations:read"),
          contacts: principal.scopes.has("contacts:read"),
        },
      }),
    }),
  }),
];

function visibleTypes({ scopes }: Pick<Principal, "scopes">, type: string | undefined): SearchType[] {
  const named = namesIn(type ?? "");
  return SEARCH_TYPES.filter((one) => scopes.has(SCOPE_OF[one]) && (named.length === 0 || named.includes(one)));
}
