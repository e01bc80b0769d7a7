import type { WholeMail } from "@parley/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ApiError, api, dashboardApi } from "./client.ts";
import type { ReplyDefaults } from "./dashboard-schema.ts";
import { dropMessage, type Message, putMessage } from "./messages.ts";
import { messageKeys } from "./query-keys.ts";

export type { Recipient, ReplyDefaults } from "./dashboard-schema.ts";

/** The links in it expire. */
const FRESH_MS = 10 * 60_000;

/** The whole mail behind a message. `images`: with those that are elsewhere, which Parley fetches. */
export const useMail = ({ conversation_id, id }: Message, { images, enabled }: { images: boolean; enabled: boolean }) =>
  useQuery<WholeMail, ApiError>({
    queryKey: messageKeys.mail(conversation_id, id, images),
    queryFn: ({ signal }) =>
      api("GET", `/conversations/${conversation_id}/messages/${id}/email`, {
        ...(images ? { query: { images: true } } : {}),
        signal,
      }),
    enabled,
    staleTime: FRESH_MS,
    retry: false,
  });

/** The same bytes once more, to those who have not got them. */
export function useResend({ conversation_id, id }: Message) {
  const client = useQueryClient();
  return useMutation<Message, ApiError, void>({
    mutationFn: () => api("POST", `/conversations/${conversation_id}/messages/${id}/resend`, { body: {} }),
    onSuccess: (message) => void putMessage(client, message),
  });
}

/** Of a mail that waits to be sent. */
export function useCancelMail({ conversation_id, id }: Message) {
  const client = useQueryClient();
  return useMutation<Message, ApiError, void>({
    mutationFn: () => api("DELETE", `/conversations/${conversation_id}/messages/${id}`),
    onSuccess: (message) => dropMessage(client, message),
  });
}

/** From where and to whom a reply goes; null: it is not mail. */
export const useReplyDefaults = (conversation: number, { enabled }: { enabled: boolean }) =>
  useQuery<ReplyDefaults | null, ApiError>({
    queryKey: messageKeys.reply(conversation),
    queryFn: ({ signal }) => dashboardApi("GET", `/conversations/${conversation}/reply-defaults`, { signal }),
    enabled,
  });
