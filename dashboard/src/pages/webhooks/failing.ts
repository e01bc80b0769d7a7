import { useEffect, useState } from "react";

/** A failure that the first retries resolve does not change the state of the webhook. */
const RETRYING_MS = 60_000;

export type FailureState = "none" | "retrying" | "failing";

export function failureStateOf(since: string | null, now = Date.now()): FailureState {
  if (since === null) return "none";
  return now - Date.parse(since) < RETRYING_MS ? "retrying" : "failing";
}

/** Becomes `failing` by itself when the time for the first retries is over. */
export function useFailureState(since: string | null): FailureState {
  const [, redraw] = useState(0);
  const state = failureStateOf(since);
  useEffect(() => {
    if (state !== "retrying" || since === null) return;
    const timer = setTimeout(() => redraw((count) => count + 1), Date.parse(since) + RETRYING_MS - Date.now());
    return () => clearTimeout(timer);
  }, [state, since]);
  return state;
}
