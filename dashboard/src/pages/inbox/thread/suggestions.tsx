import { Bot, Check, Pencil, X } from "lucide-react";
import type { Draft } from "../../../api/drafts.ts";
import { Button } from "../../../components/button.tsx";
import { t } from "../../../lib/texts.ts";
import css from "./suggestions.module.css";

interface SuggestionsProps {
  suggestions: readonly Draft[];
  onUse: (draft: Draft) => void;
  onEdit: (draft: Draft) => void;
  onDiscard: (draft: Draft) => void;
}

/** Replies that bots propose. Nothing of them is sent until a user sends it. */
export function Suggestions({ suggestions, onUse, onEdit, onDiscard }: SuggestionsProps) {
  return (
    <ul className={css.suggestions} aria-label={t("Suggested replies")}>
      {suggestions.map((draft, index) => (
        <li key={draft.id} className={css.suggestion}>
          <p className={css.author}>
            <Bot size={13} aria-hidden />
            {t("{name} suggests", { name: draft.author.name ?? t("A bot") })}
            {index === 0 && <kbd>y</kbd>}
          </p>
          <p className={css.body} dir="auto">
            {draft.body}
          </p>
          <div className={css.actions}>
            <Button size="small" variant="primary" icon={<Check size={13} aria-hidden />} onClick={() => onUse(draft)}>
              {t("Use")}
            </Button>
            <Button size="small" icon={<Pencil size={13} aria-hidden />} onClick={() => onEdit(draft)}>
              {t("Edit")}
            </Button>
            <Button size="small" variant="ghost" icon={<X size={13} aria-hidden />} onClick={() => onDiscard(draft)}>
              {t("Discard")}
            </Button>
          </div>
        </li>
      ))}
    </ul>
  );
}
