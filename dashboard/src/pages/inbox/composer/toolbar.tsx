import { Bold, Code, Eye, Italic, Link2, List, Smile } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useState } from "react";
import { IconButton } from "../../../components/button.tsx";
import { modifier } from "../../../lib/modifier.ts";
import { t } from "../../../lib/texts.ts";
import { EmojiPicker } from "../lazy-parts.tsx";
import { code, type Edit, link, list, nextItem, type Selected, wrap } from "./markdown-edit.ts";
import css from "./toolbar.module.css";

interface ToolbarProps {
  field: RefObject<HTMLTextAreaElement | null>;
  isPreview: boolean;
  onPreview: (isPreview: boolean) => void;
  onSend: (options: { resolve: boolean }) => void;
}

const tools = (): readonly { label: string; icon: ReactNode; edit: (selected: Selected) => Edit }[] => [
  {
    label: t("Bold ({keys})", { keys: `${modifier()} B` }),
    icon: <Bold size={15} aria-hidden />,
    edit: (selected) => wrap(selected, "**"),
  },
  {
    label: t("Italic ({keys})", { keys: `${modifier()} I` }),
    icon: <Italic size={15} aria-hidden />,
    edit: (selected) => wrap(selected, "*"),
  },
  { label: t("List"), icon: <List size={15} aria-hidden />, edit: list },
  { label: t("Link"), icon: <Link2 size={15} aria-hidden />, edit: link },
  { label: t("Code"), icon: <Code size={15} aria-hidden />, edit: code },
];

/** Writes Markdown for those who do not know it, and shows what becomes of it. */
export function Toolbar({ field, isPreview, onPreview, onSend }: ToolbarProps) {
  const [isChoosing, setChoosing] = useState(false);
  const close = () => {
    setChoosing(false);
    field.current?.focus();
  };
  return (
    <div className={css.toolbar} role="toolbar" aria-label={t("Formatting")}>
      {tools().map(({ label, icon, edit }) => (
        <IconButton
          key={label}
          size="small"
          label={label}
          icon={icon}
          disabled={isPreview}
          onClick={() => editField(field.current, edit)}
        />
      ))}
      <IconButton
        size="small"
        label={t("Emoji")}
        icon={<Smile size={15} aria-hidden />}
        aria-expanded={isChoosing}
        disabled={isPreview}
        onClick={() => setChoosing(!isChoosing)}
      />
      <IconButton
        size="small"
        label={t("Preview")}
        icon={<Eye size={15} aria-hidden />}
        aria-pressed={isPreview}
        onClick={() => onPreview(!isPreview)}
        // The field is hidden then: this has the focus.
        onKeyDown={(event) => isPreview && sendByKey(event, onSend)}
      />
      {isChoosing && (
        <EmojiPicker
          onPick={(emoji) => {
            close();
            editField(field.current, ({ start, end }) => insertion(emoji, start, end));
          }}
          onClose={close}
        />
      )}
    </div>
  );
}

const insertion = (inserted: string, from: number, to: number): Edit => ({
  from,
  to,
  inserted,
  start: from + inserted.length,
  end: from + inserted.length,
});

/** Ctrl+Enter, with Shift to resolve too. True: this key was it. */
export function sendByKey(event: KeyboardEvent, onSend: ToolbarProps["onSend"]): boolean {
  if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return false;
  event.preventDefault();
  onSend({ resolve: event.shiftKey });
  return true;
}

const KEYS: Record<string, string> = { b: "**", i: "*" };

/** Ctrl+B and Ctrl+I. True: this key was one of them. */
export function formatByKey(field: HTMLTextAreaElement, key: string): boolean {
  const mark = KEYS[key.toLowerCase()];
  if (mark === undefined) return false;
  editField(field, (selected) => wrap(selected, mark));
  return true;
}

/** Enter in a list. True: the next item has begun, or the list has ended. */
export const continueList = (field: HTMLTextAreaElement): boolean => editField(field, nextItem);

/**
 * As if it were typed: the field reports it, and the browser's own undo takes it back. False: there was nothing to change.
 */
function editField(field: HTMLTextAreaElement | null, editOf: (selected: Selected) => Edit | null): boolean {
  const edit = field && editOf({ text: field.value, start: field.selectionStart, end: field.selectionEnd });
  if (!edit) return false;
  field.focus();
  field.setSelectionRange(edit.from, edit.to);
  if (edit.inserted !== "") document.execCommand("insertText", false, edit.inserted);
  else if (edit.from !== edit.to) document.execCommand("delete");
  field.setSelectionRange(edit.start, edit.end);
  return true;
}
