import { viewerOf } from "../../../conversations/conversation-find.ts";
import type { ConversationFilter } from "../../../conversations/conversation-list.ts";
import { conversationsMentioning } from "../../../conversations/mentions.ts";
import type { SearchType } from "../../../conversations/search.ts";
import { conversationsWith } from "../../../conversations/text-filter.ts";
import type { Caller } from "../../../core/caller.ts";
import { invalid } from "../../../core/errors.ts";
import type { Queryable } from "../../../db/database.ts";
import type { ConversationSort } from "../../../resources/view.ts";
import { findViewIfPresent } from "../../../views/views.ts";
import { assigneeOf, type ConversationFilters, statusesOf } from "./conversation-fields.ts";
import { refOf } from "./named-fields.ts";
import { asksForPerson, type ViewFilters } from "./view-filters.ts";

/** What the parameters of a list mean, for this caller. */
export async function conversationFilterOf(
  db: Queryable,
  caller: Caller,
  query: ConversationFilters,
): Promise<ConversationFilter> {
  const { contact_id, assignee_id, status, text, mentioned, ...rest } = query;
  const viewerId = viewerOf(caller);
  const idLists = await Promise.all([
    ...(text?.trim() ? [conversationsWith(db, caller.workspaceId, { text, types: typesFor(caller) })] : []),
    ...(mentioned && viewerId !== null ? [conversationsMentioning(db, caller.workspaceId, viewerId)] : []),
  ]);
  return {
    ...rest,
    status: statusesOf(status) ?? undefined,
    contact: refOf(contact_id) ?? undefined,
    assignee: assigneeOf(assignee_id, viewerId) ?? undefined,
    idLists,
  };
}

const typesFor = ({ scopes }: Caller): SearchType[] => [
  "conversation",
  ...(scopes.has("messages:read") ? (["message"] as const) : []),
  ...(scopes.has("contacts:read") ? (["contact"] as const) : []),
];

/** The view that a list is asked for. An unknown one, or one that only means something to people, is a 422. */
export async function viewIn(
  db: Queryable,
  caller: Caller,
  name: string | undefined,
): Promise<{ filters: ViewFilters; sort: ConversationSort } | undefined> {
  const ref = refOf(name);
  if (!ref) return undefined;
  const view = await findViewIfPresent(db, caller, ref);
  if (!view) throw invalid({ view: ["view is not a known view."] });
  const filters = view.filters as ViewFilters;
  if (asksForPerson(filters) && viewerOf(caller) === null)
    throw invalid({ view: ["view asks for what is assigned to, or unread by, the reader: it is only for people."] });
  return { filters, sort: view.sort };
}
