import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { type ApiError, reasonOf } from "../../api/client.ts";
import {
  type ConversationChange,
  cachedConversation,
  inverseOf,
  useChangeConversation,
} from "../../api/conversations.ts";
import { toast } from "../../components/toast.tsx";

export type ChangeWithUndo = (id: number, change: ConversationChange, done: string) => void;

/** Changes a conversation and says so, with an Undo that puts back what was there before. */
export function useChangeWithUndo(): ChangeWithUndo {
  const client = useQueryClient();
  const { mutateAsync } = useChangeConversation();
  return useCallback(
    (id, change, done) => {
      const before = cachedConversation(client, id);
      const undo = () =>
        before &&
        mutateAsync({ id, change: inverseOf(change, before) }).then(
          () => toast("Undone"),
          (error: ApiError) => toast(reasonOf(error), { failed: true }),
        );
      // Not the callbacks of `mutate`: those are dropped when the next conversation is opened meanwhile.
      mutateAsync({ id, change }).then(
        () => toast(done, before ? { action: { label: "Undo", run: () => void undo() } } : {}),
        (error: ApiError) => toast(reasonOf(error), { failed: true }),
      );
    },
    [client, mutateAsync],
  );
}
