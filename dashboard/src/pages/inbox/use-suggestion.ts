import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../../api/client.ts";
import { type Draft, sendDraft } from "../../api/drafts.ts";
import { putMessage } from "../../api/messages.ts";
import { draftKeys, messageKeys } from "../../api/query-keys.ts";
import { toast } from "../../components/toast.tsx";

/** Sends a suggestion as it is. Of two people who do so at once, one gets to send it. */
export function useSuggestion(conversation: number) {
  const client = useQueryClient();
  const [busy, setBusy] = useState<number | null>(null);
  const use = async (draft: Draft) => {
    setBusy(draft.id);
    try {
      const message = await sendDraft(conversation, draft.id);
      if (!putMessage(client, message)) await client.invalidateQueries({ queryKey: messageKeys.all(conversation) });
    } catch (error) {
      const isGone = error instanceof ApiError && error.status === 404;
      toast(isGone ? "Someone else has used this suggestion" : (error as Error).message, { failed: true });
    } finally {
      setBusy(null);
      await client.invalidateQueries({ queryKey: draftKeys.all(conversation) });
    }
  };
  return { use, busy };
}
