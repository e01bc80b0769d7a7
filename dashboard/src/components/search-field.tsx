import { useEffect, useRef } from "react";
import { tinykeys } from "tinykeys";
import { whenFree } from "../lib/shortcuts.ts";
import { useDelayedText } from "../lib/use-delayed-text.ts";
import { SearchInput } from "./field.tsx";

interface SearchFieldProps {
  label: string;
  id?: string;
  value: string;
  onChange: (value: string) => void;
}

/** For a search by the server, which follows when typing pauses. The key `/` leads here. */
export function SearchField({ value, onChange, ...rest }: SearchFieldProps) {
  const [text, setText] = useDelayedText(value, (typed) => onChange(typed.trim()));
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = whenFree(() => field.current?.focus());
    // German keyboards have / on Shift+7.
    return tinykeys(window, { "/": focus, "Shift+/": focus });
  }, []);
  return (
    <SearchInput {...rest} ref={field} value={text} maxLength={255} onChange={(event) => setText(event.target.value)} />
  );
}
