import { useMemo } from "react";
import { useSearch } from "wouter";
import type { ConversationCounts, ConversationFilter } from "../../api/conversations.ts";
import { type View as SavedView, useViews } from "../../api/views.ts";
import { t } from "../../lib/texts.ts";

export type ViewName = "mine" | "unassigned" | "open" | "waiting" | "pending" | "snoozed" | "resolved" | "mentions";

interface View {
  name: ViewName;
  title: string;
  filter: ConversationFilter;
  count: (counts: ConversationCounts) => number | undefined;
}

export const VIEWS: readonly View[] = [
  {
    name: "mine",
    title: t("Mine"),
    filter: { status: "open", assignee_id: "me" },
    count: ({ mine }) => mine,
  },
  {
    name: "unassigned",
    title: t("Unassigned"),
    filter: { status: "open", assignee_id: "none" },
    count: ({ unassigned }) => unassigned,
  },
  {
    name: "open",
    title: t("All open"),
    filter: { status: "open" },
    count: ({ by_status }) => by_status.open,
  },
  {
    name: "waiting",
    title: t("Waiting"),
    filter: { status: "open", waiting: "true" },
    count: ({ waiting }) => waiting,
  },
  {
    name: "pending",
    title: t("Pending"),
    filter: { status: "pending" },
    count: ({ by_status }) => by_status.pending,
  },
  {
    name: "snoozed",
    title: t("Snoozed"),
    filter: { status: "snoozed" },
    count: ({ by_status }) => by_status.snoozed,
  },
  {
    name: "resolved",
    title: t("Resolved"),
    filter: { status: "resolved" },
    count: () => undefined,
  },
  {
    name: "mentions",
    title: t("Mentions"),
    filter: { mentioned: "me" },
    // Those with a note that is not read yet.
    count: ({ mentioned }) => mentioned,
  },
];

export interface OpenView {
  view: Pick<View, "title" | "filter"> & { name: string };
  /** The saved view that is open, if it is one. */
  saved: SavedView | null;
  label: string;
  search: string;
  filter: ConversationFilter;
  /** The query string of this view, for links that keep it. */
  query: string;
}

/** The view is in the address, so that a link shows a colleague the same list. */
export function useOpenView(): OpenView {
  const search = useSearch();
  const views = useViews().data;
  return useMemo(() => {
    const parameters = new URLSearchParams(search);
    const name = parameters.get("view") ?? "";
    const saved = views?.find(({ id }) => String(id) === name) ?? null;
    const view = isSavedView(name)
      ? { name, title: saved?.name ?? t("Saved view"), filter: { view: name } }
      : builtInView(name);
    const label = parameters.get("label") ?? "";
    const text = parameters.get("search") ?? "";
    const filter = { ...view.filter, ...(label ? { label } : {}), ...(text ? { text } : {}) };
    return { view, saved, label, search: text, filter, query: queryOf({ view: view.name, label, search: text }) };
  }, [search, views]);
}

const isSavedView = (name: string): boolean => /^\d+$/.test(name);

export const builtInView = (name: string): View => VIEWS.find((view) => view.name === name) ?? (VIEWS[2] as View);

export function queryOf({ view, label = "", search = "" }: { view: string; label?: string; search?: string }): string {
  const parameters = new URLSearchParams();
  if (view !== "open") parameters.set("view", view);
  if (label) parameters.set("label", label);
  if (search) parameters.set("search", search);
  return parameters.size === 0 ? "" : `?${parameters}`;
}

export const conversationHref = (id: number, query: string): string => `/inbox/${id}${query}`;
