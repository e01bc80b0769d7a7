import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ApiError, api } from "./client.ts";
import { draftKeys } from "./query-keys.ts";
import type { Draft, Message } from "./schema.ts";

export type { Draft } from "./schema.ts";

export const useDrafts = (conversation: number) =>
  useQuery<Draft[], ApiError>({
    queryKey: draftKeys.list(conversation),
    queryFn: ({ signal }) => api("GET", `/conversations/${conversation}/drafts`, { signal }),
  });

/** Of the drafts of a conversation, the one that the signed-in person is writing. */
export const ownDraft = (drafts: readonly Draft[] | undefined): Draft | null =>
  drafts?.find(({ author }) => author.type === "user") ?? null;

export const suggestionsOf = (drafts: readonly Draft[] | undefined): Draft[] =>
  drafts?.filter(({ author }) => author.type !== "user") ?? [];

export interface DraftContent {
  body: string;
  private: boolean;
  attachments: ({ file_id: number } | { url: string })[];
}

export const saveDraft = (conversation: number, draft: DraftContent, signal?: AbortSignal): Promise<Draft> =>
  api("POST", `/conversations/${conversation}/drafts`, { body: draft, ...(signal ? { signal } : {}) });

export const deleteDraft = (conversation: number, draft: number): Promise<Draft> =>
  api("DELETE", `/conversations/${conversation}/drafts/${draft}`);

export const sendDraft = (conversation: number, draft: number): Promise<Message> =>
  api("POST", `/conversations/${conversation}/drafts/${draft}/send`);

export function useDiscardDraft(conversation: number) {
  const client = useQueryClient();
  return useMutation<Draft, ApiError, number>({
    mutationFn: (draft) => deleteDraft(conversation, draft),
    onSettled: () => client.invalidateQueries({ queryKey: draftKeys.all(conversation) }),
  });
}
