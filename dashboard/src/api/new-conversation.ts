import type { Conversation, CreateConversationBody, Mailbox } from "@parley/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ApiError, api, apiAll } from "./client.ts";
import { contactKeys, conversationKeys, mailboxKeys } from "./query-keys.ts";

interface NewConversation {
  body: CreateConversationBody;
  /** The Idempotency-Key: however often it is sent, one conversation begins. */
  key: string;
}

export function useStartConversation() {
  const client = useQueryClient();
  return useMutation<Conversation, ApiError, NewConversation>({
    mutationFn: ({ body, key }) => api("POST", "/conversations", { body, headers: { "idempotency-key": key } }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: conversationKeys.lists() }),
        client.invalidateQueries({ queryKey: conversationKeys.counts() }),
        client.invalidateQueries({ queryKey: conversationKeys.ofContacts() }),
        client.invalidateQueries({ queryKey: contactKeys.lists() }),
      ]),
  });
}

/** Those from which mail can be sent. `enabled`: only managers may read them. */
export const useSendingMailboxes = ({ enabled }: { enabled: boolean }) =>
  useQuery<Mailbox[], ApiError>({
    queryKey: mailboxKeys.sending(),
    queryFn: ({ signal }) => apiAll<Mailbox>("/mailboxes", { signal }),
    enabled,
    staleTime: 60_000,
  });
