import type { Conversation } from "@parley/client";
import { titleOf } from "./names.ts";

/** Which conversation a change has failed for, and what it would have done. `done`: what is said when it succeeds. */
export function notChanged(conversation: Conversation | undefined, done: string): string {
  const title = conversation ? `“${titleOf(conversation)}”` : "The conversation";
  // "Priority changed": of the conversation, not the conversation itself.
  const [, part] = /^(\w+) changed$/.exec(done) ?? [];
  if (part) return `${part} of ${title} was not changed`;
  return `${title} was not ${done.charAt(0).toLowerCase()}${done.slice(1)}`;
}
