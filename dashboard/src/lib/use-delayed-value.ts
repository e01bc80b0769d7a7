import { useEffect, useState } from "react";

/** The value once it has not changed for `pauseMs`; until then the one before. */
export function useDelayedValue<T>(value: T, pauseMs: number): T {
  const [delayed, setDelayed] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return delayed;
}
