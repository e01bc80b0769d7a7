import type { ViewFilters } from "../../../api/views.ts";
import { builtInView, type OpenView } from "../views.ts";

/** What the form has a control for; empty: any. */
export interface FilterFields {
  status: string;
  assignee_id: string;
  priority: string;
  channel: string;
  label: string;
  text: string;
  waiting: boolean;
  unread: boolean;
}

export const fieldsOf = (filters: ViewFilters): FilterFields => ({
  status: Array.isArray(filters.status) ? filters.status.join(",") : (filters.status ?? ""),
  assignee_id: String(filters.assignee_id ?? ""),
  priority: filters.priority ?? "",
  channel: filters.channel ?? "",
  label: filters.label ?? "",
  text: filters.text ?? "",
  waiting: filters.waiting === true,
  unread: filters.unread === true,
});

/** Filters that the form does not show (a contact, a time) stay as they are. */
export function filtersOf(fields: FilterFields, before: ViewFilters): ViewFilters {
  const { contact_id, updated_since, search, mentioned } = before;
  const given = Object.entries({ contact_id, updated_since, search, mentioned, ...fields, text: fields.text.trim() });
  return Object.fromEntries(given.filter(([, value]) => value !== "" && value !== false && value !== undefined));
}

/** What narrows the list that is open, as filters of a view. */
export function listFilters({ view, label, search }: OpenView): ViewFilters {
  const { waiting, status, assignee_id, mentioned } =
    view.filter.view === undefined ? builtInView(view.name).filter : {};
  return {
    ...(status ? { status } : {}),
    ...(assignee_id ? { assignee_id } : {}),
    ...(waiting ? { waiting: true } : {}),
    ...(mentioned ? { mentioned: "me" } : {}),
    ...(label ? { label } : {}),
    ...(search ? { text: search } : {}),
  };
}
