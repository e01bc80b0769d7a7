import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "Replies by e-mail": "Réponses par e-mail",
  "What a visitor with an e-mail address has not seen after some minutes is sent there from this mailbox.":
    "Ce qu’un visiteur disposant d’une adresse e-mail n’a pas vu après quelques minutes y est envoyé depuis cette boîte.",
  "Not sent": "Ne pas envoyer",
};
