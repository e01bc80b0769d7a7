import { Bot, Check, Pencil, X } from "lucide-react";
import { type Draft, useDiscardDraft } from "../../api/drafts.ts";
import { Button } from "../../components/button.tsx";
import css from "./suggestions.module.css";
import { useSuggestion } from "./use-suggestion.ts";
import { useSuggestions } from "./use-suggestions.ts";

interface SuggestionsProps {
  conversation: number;
  onEdit: (draft: Draft) => void;
}

/** Replies that bots propose. Nothing of them is sent until a user sends it. */
export function Suggestions({ conversation, onEdit }: SuggestionsProps) {
  const { suggestions, isSending } = useSuggestions(conversation);
  const discard = useDiscardDraft(conversation);
  const use = useSuggestion(conversation);
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
              icon={<Check size={13} aria-hidden />} // The key y finds it. One at a time: pressed twice, it does not send the second one too.
              id={index === 0 && !isSending ? "use-suggestion-button" : undefined}
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
