import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { type ApiError, reasonOf } from "../../api/client.ts";
import { type ConversationChange, cachedConversation, useChangeConversation } from "../../api/conversations.ts";
import { toast } from "../../components/toast.tsx";
import { t } from "../../lib/texts.ts";
import { inverseOf } from "./inverse-of.ts";
import { notChanged } from "./not-changed.ts";

export type ChangeWithUndo = (id: number, change: ConversationChange, done: string) => void;

/** Changes a conversation and says so, with an Undo that puts back what was there before. */
export function useChangeWithUndo(): ChangeWithUndo {
  const client = useQueryClient();
  const { mutateAsync } = useChangeConversation();
  return useCallback(
    (id, change, done) => {
      const before = cachedConversation(client, id);
      const failed = (what: string) => (error: ApiError) =>
        toast(`${notChanged(before, what)}: ${reasonOf(error)}`, { failed: true });
      const undo = () =>
        before &&
        mutateAsync({ id, change: inverseOf(change, before), replacing: Number(change.assignee_id ?? 0) || null }).then(
          () => toast(t("Undone")),
          failed(t("Put back as it was")),
        );
      // Not the callbacks of `mutate`: those are dropped when the next conversation is opened meanwhile.
      mutateAsync({ id, change, replacing: before && (before.assignee?.id ?? null) }).then(
        () => toast(done, before ? { action: { label: t("Undo"), run: () => void undo() } } : {}),
        failed(done),
      );
    },
    [client, mutateAsync],
  );
}
