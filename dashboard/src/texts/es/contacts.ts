import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "Create contact": "Crear contacto",
  "E-mail": "Correo",
  Phone: "Teléfono",
  "External id": "Id externo",
  "Contact deleted.": "Contacto eliminado.",
  "A contact with conversations cannot be deleted; block them instead.":
    "Un contacto con conversaciones no se puede eliminar; bloquéelo en su lugar.",
  "Delete contact": "Eliminar contacto",
  "Their details, attributes and notes are deleted permanently.":
    "Sus datos, atributos y notas se eliminan definitivamente.",
};
