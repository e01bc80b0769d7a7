import { type KeyboardEvent, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { t } from "../../../lib/texts.ts";
import { EMOJI } from "./found-emoji.ts";
import { plain } from "./insertion.ts";
import css from "./toolbar.module.css";

const COLUMNS = 8;
/** Of the bar at the top of a narrow window, and some air. */
const TOP_PX = 60;

interface EmojiPickerProps {
  onPick: (emoji: string) => void;
  onClose: () => void;
}

/** Found by their names. Arrows choose, Enter inserts, Escape closes. */
export function EmojiPicker({ onPick, onClose }: EmojiPickerProps) {
  const [search, setSearch] = useState("");
  const [index, setIndex] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLDivElement>(null);
  useFittingHeight(box);
  const id = useId();
  const words = plain(search.trim());
  const found = EMOJI.filter(([, name]) => name.includes(words));
  useEffect(() => input.current?.focus(), []);
  useEffect(() => {
    // Newer browsers return a promise, which React would take for what ends the effect.
    void document.getElementById(`${id}-${index}`)?.scrollIntoView({ block: "nearest" });
  }, [id, index]);
  const onKeyDown = (event: KeyboardEvent) => {
    const move = MOVES[event.key];
    if (move !== undefined) setIndex(Math.max(0, Math.min(found.length - 1, index + move)));
    else if (event.key === "Enter" && found[index]) onPick(found[index][0]);
    else if (event.key === "Escape") onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={box}
      className={css.emoji}
      role="dialog"
      aria-label={t("Emoji")}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget && !currentTarget.contains(relatedTarget)) onClose();
      }}
    >
      <input
        ref={input}
        className={css.search}
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={`${id}-${index}`}
        aria-label={t("Search emoji")}
        placeholder={t("Search emoji")}
        value={search}
        onChange={(event) => {
          setSearch(event.target.value);
          setIndex(0);
        }}
        onKeyDown={onKeyDown}
      />
      {found.length === 0 && <p className={css.none}>{t("No emoji has this name.")}</p>}
      <div className={css.grid} id={id} role="listbox" aria-label={t("Emoji")}>
        {found.map(([emoji], position) => (
          <button
            key={emoji}
            id={`${id}-${position}`}
            type="button"
            role="option"
            tabIndex={-1}
            className={css.one}
            aria-selected={position === index}
            onPointerMove={() => setIndex(position)}
            // The search keeps the focus.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onPick(emoji)}
          >
            {emoji}
          </button>
        ))}
      </div>
    </div>
  );
}

/** In a low window, as above the keyboard of a phone, it does not reach out of it. */
function useFittingHeight(box: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const fit = () => {
      if (box.current) box.current.style.maxHeight = `${box.current.getBoundingClientRect().bottom - TOP_PX}px`;
    };
    fit();
    window.addEventListener("resize", fit);
    return () => window.removeEventListener("resize", fit);
  }, [box]);
}

const MOVES: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: COLUMNS, ArrowUp: -COLUMNS };
