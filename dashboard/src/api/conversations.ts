import type {
  BulkConversationsBody,
  BulkResult,
  Conversation,
  ConversationCounts,
  Label,
  Member,
  UpdateConversationBody,
} from "@parley/client";
import {
  type InfiniteData,
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect } from "react";
import { workspaceInUrl } from "../lib/workspace.ts";
import { assign } from "./assign.ts";
import { type ApiError, api, apiAll, apiCursorPage, type CallOptions, type CursorPage } from "./client.ts";
import { conversationKeys, labelKeys, memberKeys } from "./query-keys.ts";

export type { Conversation, ConversationCounts } from "@parley/client";

type Assignable = Member;
export type Priority = Conversation["priority"];

/** What the API filters conversations by; empty values are left out. */
export interface ConversationFilter {
  status?: string;
  assignee_id?: string;
  label?: string;
  waiting?: string;
  text?: string;
  contact_id?: number;
  mentioned?: string;
  /** The id of a saved view, which has its own order. */
  view?: string;
}

const PAGE_SIZE = 50;
const POLL_MS = 60_000;

type ConversationPages = InfiniteData<CursorPage<Conversation>, string | null>;

/** Latest activity first. Read on by cursor, so a list that grows at its top neither repeats nor skips a row. */
export function useConversations(filter: ConversationFilter) {
  const query = useInfiniteQuery<
    CursorPage<Conversation>,
    ApiError,
    ConversationPages,
    readonly unknown[],
    string | null
  >({
    queryKey: conversationKeys.list({ ...filter }),
    queryFn: ({ pageParam, signal }) =>
      apiCursorPage<Conversation>("/conversations", {
        query: { sort: filter.view ? undefined : "last_activity", ...filter, limit: PAGE_SIZE, cursor: pageParam },
        signal,
      }),
    initialPageParam: null,
    getNextPageParam: ({ meta }) => (meta.has_more ? meta.next_cursor : null),
    // Not those of another contact, which would be shown as this one's.
    ...(filter.contact_id === undefined ? { placeholderData: keepPreviousData } : {}),
    refetchInterval: POLL_MS,
  });
  // With `unread` a page has what was found among the rows that one request looks at. Too few cannot be scrolled.
  const rows = query.data?.pages.reduce((sum, page) => sum + page.data.length, 0) ?? 0;
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query;
  const isShort = hasNextPage && rows < PAGE_SIZE && !isFetchNextPageError;
  useEffect(() => {
    if (isShort && !isFetching) void fetchNextPage();
  }, [isShort, isFetching, fetchNextPage]);
  return query;
}

/** A row of a list that is already there is shown at once, while the record itself is read. */
export function useConversation(id: number) {
  const client = useQueryClient();
  return useQuery<Conversation, ApiError>({
    queryKey: conversationKeys.detail(id),
    queryFn: ({ signal }) => api<Conversation>("GET", `/conversations/${id}`, { signal }),
    placeholderData: () => findInLists(client, id),
  });
}

export function findInLists(client: QueryClient, id: number): Conversation | undefined {
  for (const [, data] of client.getQueriesData<ConversationPages>({ queryKey: conversationKeys.lists() }))
    for (const page of data?.pages ?? []) {
      const found = page.data.find((conversation) => conversation.id === id);
      if (found) return found;
    }
  return undefined;
}

export const useConversationCounts = () =>
  useQuery<ConversationCounts, ApiError>({
    queryKey: conversationKeys.counts(),
    queryFn: ({ signal }) => api("GET", "/conversations/counts", { signal }),
    refetchInterval: POLL_MS,
  });

export const useLabels = () =>
  useQuery<Label[], ApiError>({
    queryKey: labelKeys.list(),
    queryFn: ({ signal }) => api("GET", "/labels", { signal }),
  });

/** The people a conversation can be assigned to; agents may read this list, unlike the members page. */
export const useAssignable = () =>
  useQuery<Assignable[], ApiError>({
    queryKey: memberKeys.assignable(),
    queryFn: ({ signal }) => apiAll<Assignable>("/members", { signal }),
    staleTime: 60_000,
    // Events are not about members: who was removed is not offered for longer than this.
    refetchInterval: 60_000,
  });

/** As an `assignee_id`: removes the assignee. `null` counts as absent. */
export const NOBODY = 0;

export type ConversationChange = Pick<UpdateConversationBody, "status" | "snoozed_until" | "assignee_id" | "priority">;

/** What can be done with many at once. */
export interface BulkChange extends ConversationChange {
  add_labels?: string[];
  remove_labels?: string[];
}

interface ChangeOfOne {
  id: number;
  change: ConversationChange;
  /** Who is replaced by the change of the assignee; null: nobody. Anyone else keeps the conversation, and it fails. */
  replacing?: number | null | undefined;
}

/** Shown at once, and put back if the server refuses. */
export function useChangeConversation() {
  const client = useQueryClient();
  return useMutation<Conversation, ApiError, ChangeOfOne, Conversation | undefined>({
    mutationFn: ({ id, change, replacing }) =>
      change.assignee_id === undefined || replacing === undefined
        ? api("PATCH", `/conversations/${id}`, { body: change })
        : assign(id, change, replacing),
    onMutate({ id, change }) {
      const before = cachedConversation(client, id);
      if (before) putConversation(client, { ...before, ...shownBy(change, client) });
      return before;
    },
    onSuccess: (conversation) => putConversation(client, conversation),
    onError(_error, { id }, before) {
      if (before) putConversation(client, before);
      // It may have changed since then.
      void client.invalidateQueries({ queryKey: conversationKeys.detail(id) });
    },
    onSettled: () => readListsAgain(client),
  });
}

const readListsAgain = (client: QueryClient): Promise<unknown> =>
  Promise.all([
    client.invalidateQueries({ queryKey: conversationKeys.counts() }),
    client.invalidateQueries({ queryKey: conversationKeys.lists() }),
    client.invalidateQueries({ queryKey: conversationKeys.ofContacts() }),
  ]);

/** The fields of a conversation that a change sets, as far as they are known before the response. */
function shownBy(change: ConversationChange, client: QueryClient): Partial<Conversation> {
  const { assignee_id: assigneeId, priority, status, snoozed_until, ...same } = change;
  const people = client.getQueryData<Assignable[]>(memberKeys.assignable());
  const assignee = people?.find(({ id }) => id === assigneeId);
  return {
    ...same,
    ...(status ? { status, snoozed_until: snoozed_until ?? null } : {}),
    ...(priority === undefined ? {} : { priority: priority === "" ? null : priority }),
    ...(assigneeId === NOBODY ? { assignee: null } : assignee ? { assignee } : {}),
  };
}

/**
 * What a message sent with "and resolve" causes, outside a component and in the workspace where it was asked for. A
 * conversation in which the contact has written after message `since` stays open: nobody has read that yet.
 */
export async function resolveUnlessWritten(
  client: QueryClient,
  id: number,
  { since, ...options }: { since: number } & Pick<CallOptions, "workspace" | "keepalive">,
): Promise<"resolved" | "written"> {
  const patch = (status: "resolved" | "open") =>
    api<Conversation>("PATCH", `/conversations/${id}`, { body: { status } satisfies ConversationChange, ...options });
  // A page that is closing cannot wait for more than one request.
  const isWritten = async () => !options.keepalive && (await newestIncoming(id, options)) > since;
  if (await isWritten()) return "written";
  let conversation = await patch("resolved");
  // Between the two requests; what comes after the second opens the conversation by itself.
  const isTooLate = await isWritten();
  if (isTooLate) conversation = await patch("open");
  if (options.workspace === workspaceInUrl()) {
    putConversation(client, conversation);
    await readListsAgain(client);
  }
  return isTooLate ? "written" : "resolved";
}

const newestIncoming = async (id: number, { workspace }: Pick<CallOptions, "workspace">): Promise<number> => {
  const query = { direction: "in", limit: 1 };
  const { data } = await apiCursorPage<{ seq: number }>(`/conversations/${id}/messages`, {
    query,
    ...(workspace === undefined ? {} : { workspace }),
  });
  return data[0]?.seq ?? 0;
};

/** Changes up to a hundred conversations. Those of `failed` are as they were. */
export async function changeConversations(
  client: QueryClient,
  { ids, set }: { ids: number[]; set: BulkChange },
): Promise<BulkResult> {
  const body: BulkConversationsBody = { ids, set };
  try {
    return await api<BulkResult>("POST", "/conversations/bulk", { body });
  } finally {
    void client.invalidateQueries({ queryKey: conversationKeys.all() });
  }
}

/** `read`: up to which message; null marks the conversation as unread. */
export async function setReadState(
  client: QueryClient,
  { id, read }: { id: number; read: { seq: number } | null },
): Promise<void> {
  const conversation = await api<Conversation>("POST", `/conversations/${id}/${read ? "read" : "unread"}`, {
    body: read ?? {},
  });
  putConversation(client, conversation);
  void client.invalidateQueries({ queryKey: conversationKeys.counts() });
}

/** As it is cached: as a record of its own, or as a row. */
export const cachedConversation = (client: QueryClient, id: number): Conversation | undefined =>
  client.getQueryData<Conversation>(conversationKeys.detail(id)) ?? findInLists(client, id);

/** Replaces a conversation wherever it is cached. */
function putConversation(client: QueryClient, conversation: Conversation): void {
  client.setQueryData<Conversation>(conversationKeys.detail(conversation.id), (before) => ({
    ...before,
    ...conversation,
  }));
  patchInLists(client, conversation.id, (before) => ({ ...before, ...conversation }));
}

export function patchInLists(client: QueryClient, id: number, patch: (before: Conversation) => Conversation): void {
  client.setQueriesData<ConversationPages>({ queryKey: conversationKeys.lists() }, (data) => {
    if (!data?.pages.some((page) => page.data.some((row) => row.id === id))) return data;
    return {
      ...data,
      pages: data.pages.map((page) => ({ ...page, data: page.data.map((row) => (row.id === id ? patch(row) : row)) })),
    };
  });
}
