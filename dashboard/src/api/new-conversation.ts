import type { Conversation, CreateConversationBody } from "@parley/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ApiError, api, dashboardApi } from "./client.ts";
import type { SendingAddress } from "./dashboard-schema.ts";
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

/** The mailboxes from which mail can be sent. */
export const useSendingAddresses = () =>
  useQuery<SendingAddress[], ApiError>({
    queryKey: mailboxKeys.sending(),
    queryFn: ({ signal }) => dashboardApi("GET", "/sending-addresses", { signal }),
    staleTime: 60_000,
  });
