import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "Replies by e-mail": "Respostas por e-mail",
  "What a visitor with an e-mail address has not seen after some minutes is sent there from this mailbox.":
    "O que um visitante com endereço de e-mail não viu depois de alguns minutos é enviado para lá por esta caixa.",
  "Not sent": "Não enviar",
};
