import type { CreateSavedReplyBody, SavedReply, UpdateSavedReplyBody } from "@parley/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ApiError, api, patchUnlessChanged } from "./client.ts";
import { savedReplyKeys } from "./query-keys.ts";
import { useChange } from "./use-change.ts";

export type { CreateSavedReplyBody, SavedReply } from "@parley/client";

export const useSavedReplies = () =>
  useQuery<SavedReply[], ApiError>({
    queryKey: savedReplyKeys.list(),
    queryFn: ({ signal }) => api("GET", "/saved-replies", { signal }),
    staleTime: 60_000,
  });

const useSavedReplyChange = <Input>(run: (input: Input) => Promise<SavedReply>) => useChange(run, savedReplyKeys.all());

/** Reads the list again. */
export function useReloadSavedReplies(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: savedReplyKeys.all() });
}

export const useCreateSavedReply = () =>
  useSavedReplyChange((body: CreateSavedReplyBody) => api("POST", "/saved-replies", { body }));

export const useChangeSavedReply = () =>
  useSavedReplyChange(({ base, change }: { base: SavedReply; change: UpdateSavedReplyBody }) =>
    patchUnlessChanged<SavedReply>(`/saved-replies/${base.id}`, base, change),
  );

export const useDeleteSavedReply = () => useSavedReplyChange((id: number) => api("DELETE", `/saved-replies/${id}`));

/** The variables that a saved reply may hold, with what they are replaced by here. */
interface ReplyContext {
  contact: { name?: string | null; email?: string | null };
  agent: { name: string };
  conversation: { id: number };
}

export const REPLY_VARIABLES = ["contact.name", "contact.email", "agent.name", "conversation.id"] as const;

/** Fills in the variables; one without a value leaves nothing behind. */
export function fillIn(body: string, context: ReplyContext): string {
  const values: Record<string, string> = {
    "contact.name": context.contact.name ?? "",
    "contact.email": context.contact.email ?? "",
    "agent.name": context.agent.name,
    "conversation.id": String(context.conversation.id),
  };
  return body.replace(/\{\{\s*([\w.]+)\s*\}\}/g, (whole, name: string) => values[name] ?? whole);
}
