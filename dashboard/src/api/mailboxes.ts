import type { CreateMailboxBody, Mailbox, MailboxCheck, UpdateMailboxBody } from "@parley/client";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  type ApiError,
  api,
  apiPage,
  apiVersioned,
  dashboardApi,
  ifMatch,
  type Page,
  type Versioned,
} from "./client.ts";
import type { MailboxTest } from "./dashboard-schema.ts";
import { mailboxKeys } from "./query-keys.ts";
import { useChange } from "./use-change.ts";

export type { CreateMailboxBody, Mailbox, MailboxCheck, UpdateMailboxBody } from "@parley/client";
export type { MailboxTest } from "./dashboard-schema.ts";

const LIST_PAGE = 50;
/** Their states change by themselves, without an event. */
const POLL_MS = 10_000;
/** While a person waits for it. */
const WAITING_POLL_MS = 1_500;

export const mailboxHref = (id: number | string): string => `/settings/mailboxes/${id}`;

export const useMailboxes = () =>
  useInfiniteQuery<Page<Mailbox>, ApiError, Mailbox[], readonly unknown[], string | null>({
    queryKey: mailboxKeys.list(),
    initialPageParam: null,
    queryFn: ({ pageParam, signal }) =>
      apiPage<Mailbox>("/mailboxes", {
        query: { per_page: LIST_PAGE, ...(pageParam ? Object.fromEntries(new URLSearchParams(pageParam)) : {}) },
        signal,
      }),
    getNextPageParam: ({ links }) => (links.next === null ? null : new URL(links.next).search),
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    refetchInterval: POLL_MS,
  });

/** With the version that an edit sends back. */
export const useMailbox = (id: string) =>
  useQuery<Versioned<Mailbox>, ApiError>({
    queryKey: mailboxKeys.detail(id),
    queryFn: ({ signal }) => apiVersioned("GET", `/mailboxes/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: ({ state: { data } }) => (data?.record.status.state === "connecting" ? WAITING_POLL_MS : POLL_MS),
  });

export const useCreateMailbox = () =>
  useChange((body: CreateMailboxBody) => api<Mailbox>("POST", "/mailboxes", { body }), mailboxKeys.all());

export const useUpdateMailbox = (id: number) =>
  useChange(
    ({ body, etag }: { body: UpdateMailboxBody; etag: string | null }) =>
      api<Mailbox>("PATCH", `/mailboxes/${id}`, { body, ...ifMatch(etag) }),
    mailboxKeys.list(),
  );

export const usePauseMailbox = (id: number) =>
  useChange(
    (verb: "pause" | "resume") => api<Mailbox>("POST", `/mailboxes/${id}/${verb}`, { body: {} }),
    mailboxKeys.all(),
  );

export const useDeleteMailbox = (id: number) => {
  const client = useQueryClient();
  return useMutation<Mailbox, ApiError, void>({
    mutationFn: () => api("DELETE", `/mailboxes/${id}`),
    // Only the list: the page that is still open would ask for what is gone.
    onSuccess: () => client.invalidateQueries({ queryKey: mailboxKeys.list() }),
  });
};

export const useCheckMailbox = (id: number) =>
  useMutation<MailboxCheck, ApiError, void>({ mutationFn: () => api("POST", `/mailboxes/${id}/check`, { body: {} }) });

export const useSendMailboxTest = (id: number) =>
  useChange(() => dashboardApi<MailboxTest>("POST", `/mailboxes/${id}/test`, { body: {} }), mailboxKeys.test(id));

/** What became of the last test mail; null: none was sent. */
export const useMailboxTest = (id: number, { isWaiting }: { isWaiting: boolean }) =>
  useQuery<MailboxTest | null, ApiError>({
    queryKey: mailboxKeys.test(id),
    queryFn: ({ signal }) => dashboardApi("GET", `/mailboxes/${id}/test`, { signal }),
    refetchInterval: ({ state: { data } }) => (isWaiting && data && isUnderWay(data) ? WAITING_POLL_MS : false),
  });

const isUnderWay = ({ state, seen_at }: MailboxTest): boolean =>
  seen_at === null && ["pending", "sending", "sent"].includes(state);
