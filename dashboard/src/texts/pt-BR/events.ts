import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "A new contact, a message, a changed conversation: each becomes an event, and appears here at once.":
    "Um novo contato, uma mensagem, uma conversa alterada: cada um vira um evento e aparece aqui na hora.",
  "Any delivery": "Qualquer entrega",
  "Any type": "Qualquer tipo",
  Bots: "Bots",
  Canceled: "Cancelado",
  "Caused by": "Causado por",
  "Caused by anyone": "Qualquer autor",
  "Conversation number": "Conversa nº",
  "Everything that happened in this workspace, and how it was delivered to your webhooks.":
    "Tudo o que aconteceu neste espaço de trabalho e como foi entregue aos seus webhooks.",
  "Failed somewhere": "Falhou em algum lugar",
  "Filter events": "Filtrar eventos",
  Key: "Chave",
  Keys: "Chaves",
  "New events that match appear here.": "Novos eventos correspondentes aparecem aqui.",
  "next attempt {time}": "próxima tentativa {time}",
  "No event matches": "Nenhum evento encontrado",
  "No events yet": "Nenhum evento ainda",
  "No webhook subscribes to this event.": "Nenhum webhook assina este evento.",
  "Not finished": "Não concluído",
  Payload: "Conteúdo",
  payload: "conteúdo",
  "Redeliver to all": "Entregar de novo a todos",
  "Redeliver to {name}": "Entregar de novo a {name}",
  "the webhook was disabled before an attempt": "o webhook foi desativado antes de uma tentativa",
  "was due {time}": "era para {time}",
  "Webhook {webhook_id}": "Webhook {webhook_id}",
  "{n} attempts": ["{n} tentativa", "{n} tentativas"],
  "{n} deliveries queued.": ["{n} entrega na fila.", "{n} entregas na fila."],
};
