import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "of {n} requests": ["de {n} requisição", "de {n} requisições"],
  "{n} messages received": ["{n} mensagem recebida", "{n} mensagens recebidas"],
  "{n} conversations": ["{n} conversa", "{n} conversas"],
};
