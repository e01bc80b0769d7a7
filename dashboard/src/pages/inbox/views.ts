import { useMemo } from "react";
import { useSearch } from "wouter";
import type { ConversationCounts, ConversationFilter } from "../../api/conversations.ts";

export type ViewName = "mine" | "unassigned" | "open" | "waiting" | "pending" | "snoozed" | "resolved";

interface View {
  name: ViewName;
  title: string;
  filter: ConversationFilter;
  count: (counts: ConversationCounts) => number | undefined;
}

export const VIEWS: readonly View[] = [
  {
    name: "mine",
    title: "Mine",
    filter: { status: "open", assignee_id: "me" },
    count: ({ mine }) => mine,
  },
  {
    name: "unassigned",
    title: "Unassigned",
    filter: { status: "open", assignee_id: "none" },
    count: ({ unassigned }) => unassigned,
  },
  {
    name: "open",
    title: "All open",
    filter: { status: "open" },
    count: ({ by_status }) => by_status.open,
  },
  {
    name: "waiting",
    title: "Waiting",
    filter: { status: "open", waiting: "true" },
    count: ({ waiting }) => waiting,
  },
  {
    name: "pending",
    title: "Pending",
    filter: { status: "pending" },
    count: ({ by_status }) => by_status.pending,
  },
  {
    name: "snoozed",
    title: "Snoozed",
    filter: { status: "snoozed" },
    count: ({ by_status }) => by_status.snoozed,
  },
  {
    name: "resolved",
    title: "Resolved",
    filter: { status: "resolved" },
    count: () => undefined,
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
    const filter = { ...view.filter, ...(label ? { label } : {}), ...(text ? { text } : {}) };
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
