import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "of {n} requests": ["de {n} solicitud", "de {n} solicitudes"],
  "{n} messages received": ["{n} mensaje recibido", "{n} mensajes recibidos"],
  "{n} conversations": ["{n} conversación", "{n} conversaciones"],
};
