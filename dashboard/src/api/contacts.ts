import type { Contact, Conversation, CreateContactBody, UpdateContactBody } from "@parley/client";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { t } from "../lib/texts.ts";
import { type ApiError, api, apiCursorPage, type CursorPage, dashboardApi, patchUnlessChanged } from "./client.ts";
import type { ContactNote } from "./dashboard-schema.ts";
import { contactKeys, conversationKeys } from "./query-keys.ts";
import { useChange } from "./use-change.ts";

export type { Contact } from "@parley/client";
export type { ContactNote } from "./dashboard-schema.ts";

const PAGE = 50;

export const contactHref = (id: number): string => `/contacts/${id}`;

/** A contact without a name is called by what identifies it. */
export const contactName = ({ name, email, phone, external_id, id }: Contact): string =>
  name ?? email ?? phone ?? external_id ?? t("Contact {id}", { id });

export const useContacts = (filter: { search: string; updated_since?: string | undefined }) =>
  useInfiniteQuery<CursorPage<Contact>, ApiError, Contact[], readonly unknown[], string | null>({
    queryKey: contactKeys.list(filter),
    initialPageParam: null,
    queryFn: ({ pageParam, signal }) =>
      apiCursorPage("/contacts", { query: { ...filter, limit: PAGE, cursor: pageParam }, signal }),
    getNextPageParam: ({ meta }) => (meta.has_more ? meta.next_cursor : null),
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    placeholderData: (before) => before,
  });

export const useContact = (id: string) =>
  useQuery<Contact, ApiError>({
    queryKey: contactKeys.detail(id),
    queryFn: ({ signal }) => api("GET", `/contacts/${encodeURIComponent(id)}`, { signal }),
  });

export const useContactConversations = (id: number) =>
  useQuery<CursorPage<Conversation>, ApiError>({
    queryKey: conversationKeys.ofContact(id),
    queryFn: ({ signal }) => apiCursorPage("/conversations", { query: { contact_id: id, limit: 25 }, signal }),
  });

/** Reads the contact again. */
export function useReloadContact(id: number): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: contactKeys.detail(id) });
}

/** `base`: the contact as it was when its edit began. */
export function useUpdateContact(id: number) {
  const client = useQueryClient();
  return useMutation<Contact, ApiError, { base: Contact; changes: UpdateContactBody }>({
    mutationFn: ({ base, changes }) => patchUnlessChanged(`/contacts/${id}`, base, changes as Partial<Contact>),
    onSuccess: (contact) => {
      client.setQueryData(contactKeys.detail(id), contact);
      return client.invalidateQueries({ queryKey: contactKeys.lists() });
    },
  });
}

export const useCreateContact = () =>
  useChange((body: CreateContactBody) => api<Contact>("POST", "/contacts", { body }), contactKeys.lists());

/** Refused while the contact has conversations. */
export const useDeleteContact = (id: number) =>
  useChange(() => api<Contact>("DELETE", `/contacts/${id}`), contactKeys.lists());

/** Blocks the contact, or lets them write again. */
export const useBlockContact = (id: number) =>
  useChange(
    (blocked: boolean) => api<Contact>("PATCH", `/contacts/${id}`, { body: { blocked } }),
    contactKeys.detail(id),
  );

export const useEndSessions = (id: number) =>
  useChange(() => api<unknown>("DELETE", `/contacts/${id}/sessions`), contactKeys.detail(id));

export const useContactNotes = (id: number) =>
  useQuery<ContactNote[], ApiError>({
    queryKey: contactKeys.notes(id),
    queryFn: ({ signal }) => dashboardApi("GET", `/contacts/${id}/notes`, { signal }),
  });

export const useAddNote = (id: number) =>
  useChange(
    (body: string) => dashboardApi<ContactNote>("POST", `/contacts/${id}/notes`, { body: { body } }),
    contactKeys.notes(id),
  );

export const useDeleteNote = (id: number) =>
  useChange(
    (note: number) => dashboardApi<ContactNote>("DELETE", `/contacts/${id}/notes/${note}`),
    contactKeys.notes(id),
  );
