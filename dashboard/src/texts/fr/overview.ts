import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "of {n} requests": ["sur {n} requête", "sur {n} requêtes"],
  "{n} messages received": ["{n} message reçu", "{n} messages reçus"],
  "{n} conversations": ["{n} conversation", "{n} conversations"],
};
