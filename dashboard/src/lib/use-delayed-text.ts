import { useEffect, useRef, useState } from "react";

const PAUSE_MS = 250;

/** The text of a field, which follows `value`; `onChange` is called when typing pauses. */
export function useDelayedText(value: string, onChange: (text: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(value);
  // Of the last render: what the page shows may change during the pause.
  const latest = useRef(onChange);
  latest.current = onChange;
  // A field that trims gets its own text back without the space before the next word, which stays in the field.
  useEffect(() => setText((now) => (now.trim() === value ? now : value)), [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the timer
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => latest.current(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText];
}
