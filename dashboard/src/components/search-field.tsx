import type { Ref } from "react";
import { useDelayedText } from "../lib/use-delayed-text.ts";
import { SearchInput } from "./field.tsx";

interface SearchFieldProps {
  label: string;
  id?: string;
  ref?: Ref<HTMLInputElement>;
  value: string;
  onChange: (value: string) => void;
}

/** For a search by the server, which follows when typing pauses. */
export function SearchField({ value, onChange, ...rest }: SearchFieldProps) {
  const [text, setText] = useDelayedText(value, (typed) => onChange(typed.trim()));
  return <SearchInput {...rest} value={text} maxLength={255} onChange={(event) => setText(event.target.value)} />;
}
