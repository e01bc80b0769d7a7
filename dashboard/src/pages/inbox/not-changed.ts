import type { Conversation } from "@parley/client";
import { inSentence, t } from "../../lib/texts.ts";
import { titleOf } from "./names.ts";

/** Which conversation a change has failed for, and what it would have done. `done`: what is said when it succeeds. */
export function notChanged(conversation: Conversation | undefined, done: string): string {
  const title = conversation ? `“${titleOf(conversation)}”` : t("The conversation");
  // "Priority changed": of the conversation, not the conversation itself.
  const [, part] = /^(\w+) changed$/.exec(done) ?? [];
  if (part) return t("{part} of {title} was not changed", { part, title });
  return t("{title} was not {done}", { title, done: inSentence(done) });
}
