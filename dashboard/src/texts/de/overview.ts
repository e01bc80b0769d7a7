import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "of {n} requests": ["von {n} Anfrage", "von {n} Anfragen"],
  "{n} messages received": ["{n} Nachricht erhalten", "{n} Nachrichten erhalten"],
  "{n} conversations": ["{n} Unterhaltung", "{n} Unterhaltungen"],
};
