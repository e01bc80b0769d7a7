import { useQueryClient } from "@tanstack/react-query";
import { Bot, Check, Pencil, X } from "lucide-react";
import { useState } from "react";
import { ApiError } from "../../api/client.ts";
import { type Draft, sendDraft, suggestionsOf, useDiscardDraft, useDrafts } from "../../api/drafts.ts";
import { putMessage } from "../../api/messages.ts";
import { draftKeys, messageKeys } from "../../api/query-keys.ts";
import { Button } from "../../components/button.tsx";
import { toast } from "../../components/toast.tsx";
import css from "./suggestions.module.css";

interface SuggestionsProps {
  conversation: number;
  onEdit: (draft: Draft) => void;
}

/** Replies that bots propose. Nothing of them is sent until somebody says so. */
export function Suggestions({ conversation, onEdit }: SuggestionsProps) {
  const suggestions = suggestionsOf(useDrafts(conversation).data);
  const discard = useDiscardDraft(conversation);
  const { use, busy } = useSuggestion(conversation);
  if (suggestions.length === 0) return null;
  return (
    <ul className={css.suggestions} aria-label="Suggested replies">
      {suggestions.map((draft, index) => (
        <li key={draft.id} className={css.suggestion}>
          <p className={css.author}>
            <Bot size={13} aria-hidden />
            {draft.author.name ?? "A bot"} suggests{index === 0 && <kbd>y</kbd>}
          </p>
          <p className={css.body} dir="auto">
            {draft.body}
          </p>
          <div className={css.actions}>
            <Button
              size="small"
              variant="primary"
              busy={busy === draft.id}
              icon={<Check size={13} aria-hidden />}
              onClick={() => use(draft)}
            >
              Use
            </Button>
            <Button size="small" icon={<Pencil size={13} aria-hidden />} onClick={() => onEdit(draft)}>
              Edit
            </Button>
            <Button
              size="small"
              variant="ghost"
              icon={<X size={13} aria-hidden />}
              onClick={() => discard.mutate(draft.id)}
            >
              Discard
            </Button>
          </div>
        </li>
      ))}
    </ul>
  );
}

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
      toast(isGone ? "Somebody else has used this suggestion" : (error as Error).message, { failed: true });
    } finally {
      setBusy(null);
      await client.invalidateQueries({ queryKey: draftKeys.all(conversation) });
    }
  };
  return { use, busy };
}
