import { useEffect, useState } from "react";
import { SearchInput } from "./field.tsx";

interface SearchFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

const PAUSE_MS = 250;

/** For a search by the server, which follows when the typing pauses. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed starts the clock
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return <SearchInput label={label} value={text} maxLength={255} onChange={(event) => setText(event.target.value)} />;
}
