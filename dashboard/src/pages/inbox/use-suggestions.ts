import { type Draft, suggestionsOf, useDrafts } from "../../api/drafts.ts";
import { useOutgoing } from "./outbox.ts";

/** The suggestions of a conversation that can be used, and whether one of them is being sent. */
export function useSuggestions(conversation: number): { suggestions: Draft[]; isSending: boolean } {
  const sent = useOutgoing(conversation).flatMap(({ suggestion }) => suggestion ?? []);
  const suggestions = suggestionsOf(useDrafts(conversation).data).filter(({ id }) => !sent.includes(id));
  return { suggestions, isSending: sent.length > 0 };
}
