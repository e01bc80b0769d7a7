import { useEffect, useState } from "react";
import { useUrlVerdict } from "../../../api/webhooks.ts";
import { isUnfinished, urlProblem } from "./url-syntax.ts";

export type UrlVerdict =
  | { state: "idle" | "checking" | "fine" | "plain" | "unresolved" }
  | { state: "refused"; message: string };

/** Checks the URL while it is typed: its syntax at once, and whether the server would connect to it when typing pauses. */
export function useUrlCheck(text: string): UrlVerdict {
  const resting = useResting(text, 400);
  const problem = urlProblem(text);
  const verdict = useUrlVerdict(resting, { enabled: urlProblem(resting) === null });
  if (text === "" || isUnfinished(text)) return { state: "idle" };
  if (problem !== null) return { state: "refused", message: problem };
  if (resting !== text || verdict.isFetching) return { state: "checking" };
  // Without a response there is no verdict; saving asks again.
  if (verdict.data === undefined) return { state: "idle" };
  if (verdict.data.problem !== null) return { state: "refused", message: verdict.data.problem };
  if (!verdict.data.resolves) return { state: "unresolved" };
  return { state: /^http:/i.test(text) ? "plain" : "fine" };
}

function useResting(text: string, ms: number): string {
  const [resting, setResting] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setResting(text), ms);
    return () => clearTimeout(timer);
  }, [text, ms]);
  return resting;
}
