import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "Replies by e-mail": "Respuestas por correo",
  "What a visitor with an e-mail address has not seen after some minutes is sent there from this mailbox.":
    "Lo que un visitante con dirección de correo no haya visto pasados unos minutos se envía allí desde este buzón.",
  "Not sent": "No enviar",
};
