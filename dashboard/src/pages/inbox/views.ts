import { useMemo } from "react";
import { useSearch } from "wouter";
import type { ConversationCounts, ConversationFilter } from "../../api/conversations.ts";

type ViewName = "mine" | "unassigned" | "open" | "waiting" | "pending" | "snoozed" | "resolved";

interface View {
  name: ViewName;
  title: string;
  filter: ConversationFilter;
  count: (counts: ConversationCounts) => number | undefined;
  /** What the view is for, shown where it is empty. */
  empty: { title: string; text: string };
}

export const VIEWS: readonly View[] = [
  {
    name: "mine",
    title: "Mine",
    filter: { status: "open", assignee_id: "me" },
    count: ({ mine }) => mine,
    empty: {
      title: "Nothing assigned to you",
      text: "Conversations that you take or that colleagues assign to you appear here. Your first reply in an unassigned conversation assigns it to you.",
    },
  },
  {
    name: "unassigned",
    title: "Unassigned",
    filter: { status: "open", assignee_id: "none" },
    count: ({ unassigned }) => unassigned,
    empty: { title: "Everything has an owner", text: "New conversations appear here until someone takes them." },
  },
  {
    name: "open",
    title: "All open",
    filter: { status: "open" },
    count: ({ by_status }) => by_status.open,
    empty: {
      title: "No open conversations",
      text: "A conversation opens when a contact writes. Create one through the API, or run the demo to see the inbox at work.",
    },
  },
  {
    name: "waiting",
    title: "Waiting",
    filter: { status: "open", waiting: "true" },
    count: ({ waiting }) => waiting,
    empty: { title: "Nobody is waiting", text: "Contacts whose last message has no reply yet appear here." },
  },
  {
    name: "pending",
    title: "Pending",
    filter: { status: "pending" },
    count: ({ by_status }) => by_status.pending,
    empty: {
      title: "Nothing pending",
      text: "Conversations that a bot is handling appear here until it hands them over.",
    },
  },
  {
    name: "snoozed",
    title: "Snoozed",
    filter: { status: "snoozed" },
    count: ({ by_status }) => by_status.snoozed,
    empty: {
      title: "Nothing snoozed",
      text: "A snoozed conversation opens again at its time, or when the contact writes.",
    },
  },
  {
    name: "resolved",
    title: "Resolved",
    filter: { status: "resolved" },
    count: () => undefined,
    empty: {
      title: "Nothing resolved yet",
      text: "Resolved conversations are kept here. A new message from the contact opens them again.",
    },
  },
];

export interface OpenView {
  view: View;
  label: string;
  search: string;
  filter: ConversationFilter;
  /** The query string of this view, for links that keep it. */
  query: string;
}

/** The view is in the address, so that a link shows a colleague the same list. */
export function useOpenView(): OpenView {
  const search = useSearch();
  return useMemo(() => {
    const parameters = new URLSearchParams(search);
    const view = VIEWS.find(({ name }) => name === parameters.get("view")) ?? (VIEWS[2] as View);
    const label = parameters.get("label") ?? "";
    const text = parameters.get("search") ?? "";
    const filter = { ...view.filter, ...(label ? { label } : {}), ...(text ? { search: text } : {}) };
    return { view, label, search: text, filter, query: queryOf({ view: view.name, label, search: text }) };
  }, [search]);
}

export function queryOf({
  view,
  label = "",
  search = "",
}: {
  view: ViewName;
  label?: string;
  search?: string;
}): string {
  const parameters = new URLSearchParams();
  if (view !== "open") parameters.set("view", view);
  if (label) parameters.set("label", label);
  if (search) parameters.set("search", search);
  return parameters.size === 0 ? "" : `?${parameters}`;
}

export const conversationHref = (id: number, query: string): string => `/inbox/${id}${query}`;
