import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "A new contact, a message, a changed conversation: each becomes an event, and appears here at once.":
    "Ein neuer Kontakt, eine Nachricht, eine geänderte Unterhaltung: Alles wird zu einem Ereignis und erscheint sofort hier.",
  "Any delivery": "Jede Zustellung",
  "Any type": "Jeder Typ",
  Bots: "Bots",
  Canceled: "Abgebrochen",
  "Caused by": "Ausgelöst von",
  "Caused by anyone": "Jeder Auslöser",
  "Conversation number": "Unterhaltung Nr.",
  "Everything that happened in this workspace, and how it was delivered to your webhooks.":
    "Alles, was in diesem Arbeitsbereich geschehen ist, und wie es an Ihre Webhooks zugestellt wurde.",
  "Failed somewhere": "Irgendwo fehlgeschlagen",
  "Filter events": "Ereignisse filtern",
  Key: "Schlüssel",
  Keys: "Schlüssel",
  "New events that match appear here.": "Neue passende Ereignisse erscheinen hier.",
  "next attempt {time}": "nächster Versuch {time}",
  "No event matches": "Kein Ereignis passt",
  "No events yet": "Noch keine Ereignisse",
  "No webhook subscribes to this event.": "Kein Webhook abonniert dieses Ereignis.",
  "Not finished": "Nicht abgeschlossen",
  Payload: "Payload",
  payload: "Payload",
  "Redeliver to all": "Überallhin erneut zustellen",
  "Redeliver to {name}": "Erneut zustellen an {name}",
  "the webhook was disabled before an attempt": "der Webhook wurde vor einem Versuch deaktiviert",
  "was due {time}": "war fällig {time}",
  "Webhook {webhook_id}": "Webhook {webhook_id}",
  "{n} attempts": ["{n} Versuch", "{n} Versuche"],
  "{n} deliveries queued.": ["{n} Zustellung eingereiht.", "{n} Zustellungen eingereiht."],
};
