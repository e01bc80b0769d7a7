import { type RefObject, useEffect, useId, useMemo, useState } from "react";
import { type Conversation, useAssignable } from "../../../api/conversations.ts";
import { ROLES } from "../../../api/members.ts";
import { fillIn, useSavedReplies } from "../../../api/saved-replies.ts";
import { type Role, useSession } from "../../../api/session.ts";
import { inSentence, t } from "../../../lib/texts.ts";
import css from "./composer.module.css";
import { type Insertion, plain } from "./insertion.ts";
import { matchingReplies } from "./saved-reply-search.ts";

interface Option {
  key: number;
  title: string;
  detail: string;
  inserted: string;
}

const SHOWN_MAX = 8;

interface InsertPickerProps {
  insertion: Insertion;
  conversation: Conversation;
  field: RefObject<HTMLTextAreaElement | null>;
  onPick: (text: string) => void;
  onClose: () => void;
}

/** Saved replies after `/`, colleagues after `@`. Arrows choose, Enter inserts, Escape closes. */
export function InsertPicker({ insertion, conversation, field, onPick, onClose }: InsertPickerProps) {
  const options = useOptions(insertion, conversation);
  const [index, setIndex] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another search begins at its first option
  useEffect(() => setIndex(0), [insertion.search]);
  useEffect(() => {
    const element = field.current;
    const onKey = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey) return;
      if (event.key === "ArrowDown") setIndex((before) => Math.min(options.length - 1, before + 1));
      else if (event.key === "ArrowUp") setIndex((before) => Math.max(0, before - 1));
      else if ((event.key === "Enter" || event.key === "Tab") && options[index]) onPick(options[index].inserted);
      else if (event.key === "Escape") onClose();
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    element?.addEventListener("keydown", onKey, true);
    return () => element?.removeEventListener("keydown", onKey, true);
  }, [field, options, index, onPick, onClose]);
  const id = useId();
  // The focus stays in the field, so the field says which option is the current one.
  useEffect(() => {
    const element = field.current;
    element?.setAttribute("aria-activedescendant", `${id}-${index}`);
    element?.setAttribute("aria-controls", id);
    return () => {
      element?.removeAttribute("aria-activedescendant");
      element?.removeAttribute("aria-controls");
    };
  }, [field, id, index]);
  const title = insertion.kind === "reply" ? t("Saved replies") : t("Colleagues");
  return (
    <div className={css.picker} id={id} role="listbox" aria-label={title}>
      {options.length === 0 && <p className={css.noOption}>{t("No {title} match.", { title: inSentence(title) })}</p>}
      {options.map((option, position) => (
        <button
          key={option.key}
          id={`${id}-${position}`}
          type="button"
          role="option"
          aria-selected={position === index}
          className={css.option}
          onPointerMove={() => setIndex(position)}
          // The field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onPick(option.inserted)}
        >
          {option.title}
          <small>{option.detail}</small>
        </button>
      ))}
    </div>
  );
}

function useOptions({ kind, search }: Insertion, conversation: Conversation): Option[] {
  const replies = useSavedReplies();
  const people = useAssignable();
  const { user } = useSession();
  return useMemo(() => {
    if (kind === "mention")
      return (people.data ?? [])
        .filter(({ id, name }) => id !== user.id && plain(name).includes(plain(search)))
        .slice(0, SHOWN_MAX)
        .map(({ id, name, role }) => ({
          key: id,
          title: name,
          detail: ROLES[role as Role].title,
          inserted: `@${name} `,
        }));
    const context = { contact: conversation.contact, agent: user, conversation };
    return matchingReplies(replies.data ?? [], search)
      .slice(0, SHOWN_MAX)
      .map(({ id, name, shortcut, body }) => ({
        key: id,
        title: shortcut ? `${name} · /${shortcut}` : name,
        detail: fillIn(body, context),
        inserted: fillIn(body, context),
      }));
  }, [kind, search, replies.data, people.data, user, conversation]);
}
