import type { SavedReply } from "@parley/client";
import { plain } from "./insertion.ts";

type Searched = Pick<SavedReply, "name" | "shortcut" | "body">;

/** The saved replies that match, the one that was most likely meant first: Enter inserts it. */
export function matchingReplies<T extends Searched>(replies: readonly T[], search: string): T[] {
  const words = plain(search);
  if (words === "") return [...replies];
  const ranked = replies.map((reply) => ({ reply, rank: rankOf(reply, words) }));
  return ranked
    .filter(({ rank }) => rank >= 0)
    .sort((one, other) => one.rank - other.rank)
    .map(({ reply }) => reply);
}

/** The lower, the better; -1: it does not match. */
function rankOf(reply: Searched, words: string): number {
  const shortcut = plain(reply.shortcut ?? "");
  const name = plain(reply.name);
  return [
    shortcut === words,
    shortcut.startsWith(words),
    name.startsWith(words),
    shortcut.includes(words) || name.includes(words),
    plain(reply.body).includes(words),
  ].indexOf(true);
}
