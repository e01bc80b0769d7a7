import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "A new contact, a message, a changed conversation: each becomes an event, and appears here at once.":
    "Un nouveau contact, un message, une conversation modifiée : chacun devient un événement et apparaît ici aussitôt.",
  "Any delivery": "Toute livraison",
  "Any type": "Tout type",
  Bots: "Bots",
  Canceled: "Annulé",
  "Caused by": "Causé par",
  "Caused by anyone": "Tout auteur",
  "Conversation number": "Conversation n°",
  "Everything that happened in this workspace, and how it was delivered to your webhooks.":
    "Tout ce qui s’est passé dans cet espace de travail, et comment vos webhooks l’ont reçu.",
  "Failed somewhere": "Échec quelque part",
  "Filter events": "Filtrer les événements",
  Key: "Clé",
  Keys: "Clés",
  "New events that match appear here.": "Les nouveaux événements correspondants apparaîtront ici.",
  "next attempt {time}": "prochaine tentative {time}",
  "No event matches": "Aucun événement ne correspond",
  "No events yet": "Aucun événement pour l’instant",
  "No webhook subscribes to this event.": "Aucun webhook n’est abonné à cet événement.",
  "Not finished": "Non terminé",
  Payload: "Contenu",
  payload: "contenu",
  "Redeliver to all": "Livrer à nouveau à tous",
  "Redeliver to {name}": "Livrer à nouveau à {name}",
  "the webhook was disabled before an attempt": "le webhook a été désactivé avant toute tentative",
  "was due {time}": "était prévue {time}",
  "Webhook {webhook_id}": "Webhook {webhook_id}",
  "{n} attempts": ["{n} tentative", "{n} tentatives"],
  "{n} deliveries queued.": ["{n} livraison mise en file.", "{n} livraisons mises en file."],
};
