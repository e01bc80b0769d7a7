import type { Script, Turn } from "./content.ts";

/** How far a conversation has come: `waiting` for the team, `replied` and still open, and the other statuses. */
export type Ending = "waiting" | "replied" | "pending" | "snoozed" | "resolved";

/** Of the newest conversations, the newest first. */
export const END_OF_NEWEST: readonly Ending[] = [
  "waiting",
  "waiting",
  "replied",
  "replied",
  "waiting",
  "waiting",
  "replied",
  "waiting",
  "pending",
  "waiting",
  "replied",
  "snoozed",
  "replied",
  "resolved",
  "snoozed",
  "pending",
];

/**
 * By the position from the newest on. After those above, two of three of the newest conversations are resolved already; all
 * older ones are.
 */
export function endingOf(position: number, newest: number): Ending {
  const listed = END_OF_NEWEST.length;
  if (position < listed) return END_OF_NEWEST[position] as Ending;
  if (position >= newest || position % 3 > 0) return "resolved";
  return END_OF_NEWEST[(position / 3) % listed] as Ending;
}

/** The turns of a conversation up to this ending. */
export function turnsUntil({ turns, waitsAt }: Script, ending: Ending): readonly Turn[] {
  if (ending === "resolved") return turns;
  if (ending === "waiting") return turns.slice(0, waitsAt + 1);
  return turns.slice(0, turns.findIndex(([who]) => who === "out") + 1);
}
