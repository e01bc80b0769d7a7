import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "Replies by e-mail": "Antworten per E-Mail",
  "What a visitor with an e-mail address has not seen after some minutes is sent there from this mailbox.":
    "Was jemand mit E-Mail-Adresse nach einigen Minuten noch nicht gesehen hat, geht aus diesem Postfach dorthin.",
  "Not sent": "Nicht senden",
};
