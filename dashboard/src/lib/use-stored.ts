import { useState } from "react";

/** A small preference of this browser. Without storage it holds until the page is left. */
export function useStored<Value extends string>(name: string, initial: Value): [Value, (value: Value) => void] {
  const [value, setValue] = useState<Value>(() => {
    try {
      return (localStorage.getItem(name) as Value | null) ?? initial;
    } catch {
      return initial;
    }
  });
  const store = (next: Value) => {
    setValue(next);
    try {
      localStorage.setItem(name, next);
    } catch {
      // Storage is disabled.
    }
  };
  return [value, store];
}
