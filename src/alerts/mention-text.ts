import type { Language } from "../accounts/languages.ts";
import { paragraphs, shortName, type Text, textsIn } from "./text.ts";

export interface Mention {
  /** Of who is mentioned. */
  language: Language | null;
  workspace: string;
  conversation: number;
  author: string | null;
  /** Of the conversation. */
  url: string;
}

/** Not the text of the note: it may be meant for the eyes of those who are signed in. */
export function mentionText({ language, workspace, conversation, author, url }: Mention): Text {
  const t = textsIn(language ?? "en");
  const name = shortName(author ?? t("A colleague"));
  return {
    subject: `[${shortName(workspace)}] ${t("{name} mentioned you", { name })}`,
    text: paragraphs(
      t("{name} mentioned you in a note of conversation {conversation}.", { name, conversation }),
      url,
      t(
        "You get this e-mail because you had not been in the dashboard for ten minutes. Turn it off under Profile > Notifications.",
      ),
    ),
  };
}
