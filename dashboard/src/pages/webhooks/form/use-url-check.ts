import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ApiError, api } from "../../../api/client.ts";
import { isUnfinished, urlProblem } from "./url-syntax.ts";

export type UrlVerdict = { state: "idle" | "checking" | "fine" | "plain" } | { state: "refused"; message: string };

/** Judges the url while it is typed: its form at once, whether the server would connect to it when the typing rests. */
export function useUrlCheck(text: string): UrlVerdict {
  const resting = useResting(text, 400);
  const problem = urlProblem(text);
  const refusal = useQuery<string | null, ApiError>({
    queryKey: ["webhook-url", resting],
    queryFn: ({ signal }) => refusalOf(resting, signal),
    enabled: urlProblem(resting) === null,
    staleTime: 30_000,
    retry: false,
  });
  if (text === "" || isUnfinished(text)) return { state: "idle" };
  if (problem !== null) return { state: "refused", message: problem };
  if (resting !== text || refusal.isFetching) return { state: "checking" };
  // Without an answer there is no verdict; saving asks again.
  if (refusal.data === undefined) return { state: "idle" };
  if (refusal.data !== null) return { state: "refused", message: refusal.data };
  return { state: /^http:/i.test(text) ? "plain" : "fine" };
}

/**
 * The server looks at every field even where others are missing, and without a name and events it creates nothing: so the
 * url alone gets the very verdict that saving would.
 */
async function refusalOf(url: string, signal: AbortSignal): Promise<string | null> {
  try {
    await api("POST", "/webhooks", { body: { url }, signal });
    return null;
  } catch (error) {
    if (error instanceof ApiError && error.status === 422) return error.details.url?.[0] ?? null;
    throw error;
  }
}

function useResting(text: string, ms: number): string {
  const [resting, setResting] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setResting(text), ms);
    return () => clearTimeout(timer);
  }, [text, ms]);
  return resting;
}
