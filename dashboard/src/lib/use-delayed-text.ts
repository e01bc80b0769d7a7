import { useEffect, useEffectEvent, useState } from "react";

const PAUSE_MS = 250;

/** The text of a field, which follows `value`; `onChange` is called when typing pauses. */
export function useDelayedText(value: string, onChange: (text: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(value);
  const isTyped = useEffectEvent(() => text !== value);
  // Of the last render: what the page shows may change during the pause.
  const report = useEffectEvent(() => onChange(text));
  // A field that trims gets its own text back without the space before the next word, which stays in the field.
  useEffect(() => setText((now) => (now.trim() === value ? now : value)), [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: typing starts the timer, and nothing else does
  useEffect(() => {
    if (!isTyped()) return;
    const timer = setTimeout(() => report(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText];
}
