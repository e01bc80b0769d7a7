import { useUrlVerdict } from "../../../api/webhooks.ts";
import { useDelayedValue } from "../../../lib/use-delayed-value.ts";
import { isUnfinished, urlProblem } from "./url-syntax.ts";

export type UrlVerdict =
  | { state: "idle" | "checking" | "fine" | "plain" | "unresolved" }
  | { state: "refused"; message: string };

const PAUSE_MS = 400;

/** Checks the URL while it is typed: its syntax at once, and whether the server would connect to it when typing pauses. */
export function useUrlCheck(text: string): UrlVerdict {
  const checked = useDelayedValue(text, PAUSE_MS);
  const problem = urlProblem(text);
  const verdict = useUrlVerdict(checked, { enabled: urlProblem(checked) === null });
  if (text === "" || isUnfinished(text)) return { state: "idle" };
  if (problem !== null) return { state: "refused", message: problem };
  if (checked !== text || verdict.isFetching) return { state: "checking" };
  // Without a response there is no verdict; saving asks again.
  if (verdict.data === undefined) return { state: "idle" };
  if (verdict.data.problem !== null) return { state: "refused", message: verdict.data.problem };
  if (!verdict.data.resolves) return { state: "unresolved" };
  return { state: /^http:/i.test(text) ? "plain" : "fine" };
}
