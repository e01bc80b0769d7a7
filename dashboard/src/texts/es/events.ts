import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "A new contact, a message, a changed conversation: each becomes an event, and appears here at once.":
    "Un contacto nuevo, un mensaje, una conversación modificada: todo se convierte en un evento y aparece aquí al instante.",
  "Any delivery": "Cualquier entrega",
  "Any type": "Cualquier tipo",
  Bots: "Bots",
  Canceled: "Cancelado",
  "Caused by": "Causado por",
  "Caused by anyone": "Cualquier autor",
  "Conversation number": "Conversación n.º",
  "Everything that happened in this workspace, and how it was delivered to your webhooks.":
    "Todo lo que ha ocurrido en este espacio de trabajo y cómo se entregó a sus webhooks.",
  "Failed somewhere": "Con algún fallo",
  "Filter events": "Filtrar eventos",
  Key: "Clave",
  Keys: "Claves",
  "New events that match appear here.": "Los nuevos eventos que coincidan aparecerán aquí.",
  "next attempt {time}": "siguiente intento {time}",
  "No event matches": "Ningún evento coincide",
  "No events yet": "Aún no hay eventos",
  "No webhook subscribes to this event.": "Ningún webhook está suscrito a este evento.",
  "Not finished": "Sin terminar",
  Payload: "Contenido",
  payload: "contenido",
  "Redeliver to all": "Volver a entregar a todos",
  "Redeliver to {name}": "Volver a entregar a {name}",
  "the webhook was disabled before an attempt": "el webhook se desactivó antes de un intento",
  "was due {time}": "debía hacerse {time}",
  "Webhook {webhook_id}": "Webhook {webhook_id}",
  "{n} attempts": ["{n} intento", "{n} intentos"],
  "{n} deliveries queued.": ["{n} entrega en cola.", "{n} entregas en cola."],
};
