import type { CreateMailboxBody, Mailbox, MailboxCheck, UpdateMailboxBody } from "@parley/client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type ApiError, api, dashboardApi } from "./client.ts";
import type { MailboxTest } from "./dashboard-schema.ts";
import { mailboxKeys } from "./query-keys.ts";
import { useDeleteRecord, useRecord, useRecords, useUpdateRecord } from "./records.ts";
import { useChange } from "./use-change.ts";

export type { CreateMailboxBody, Mailbox, MailboxCheck, UpdateMailboxBody } from "@parley/client";
export type { MailboxTest } from "./dashboard-schema.ts";

/** Their states change by themselves, without an event. */
const POLL_MS = 10_000;
/** While a person waits for it. */
const WAITING_POLL_MS = 1_500;

export const mailboxHref = (id: number | string): string => `/settings/mailboxes/${id}`;
const mailboxPath = (id: number | string): string => `/mailboxes/${encodeURIComponent(id)}`;

export const useMailboxes = () => useRecords<Mailbox>("/mailboxes", mailboxKeys.list(), { refetchInterval: POLL_MS });

export const useMailbox = (id: string) =>
  useRecord<Mailbox>(mailboxPath(id), mailboxKeys.detail(id), (mailbox) =>
    mailbox?.status.state === "connecting" ? WAITING_POLL_MS : POLL_MS,
  );

export const useCreateMailbox = () =>
  useChange((body: CreateMailboxBody) => api<Mailbox>("POST", "/mailboxes", { body }), mailboxKeys.all());

export const useUpdateMailbox = (id: number) =>
  useUpdateRecord<Mailbox, UpdateMailboxBody>(mailboxPath(id), mailboxKeys.list());

export const usePauseMailbox = (id: number) =>
  useChange(
    (verb: "pause" | "resume") => api<Mailbox>("POST", `/mailboxes/${id}/${verb}`, { body: {} }),
    mailboxKeys.all(),
  );

export const useDeleteMailbox = (id: number) => useDeleteRecord<Mailbox>(mailboxPath(id), mailboxKeys.list());

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
