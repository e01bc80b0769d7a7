import type { Texts } from "../texts.ts";

export const texts: Texts = {
  Create: "Crear",
  "Created {name}": "{name} creada",
  "Delete saved reply": "Eliminar respuesta guardada",
  "Delete “{name}”?": "¿Eliminar «{name}»?",
  "Deleted {name}": "{name} eliminada",
  "Edit saved reply": "Editar respuesta guardada",
  "Insert them in the inbox with / and a word of their name, shortcut or text.":
    "Insértelas en la bandeja con / y una palabra de su nombre, atajo o texto.",
  "Messages that were written with it stay as they are.": "Los mensajes que se escribieron con ella quedan como están.",
  "New saved reply": "Nueva respuesta guardada",
  "No name, shortcut or text contains “{search}”.": "Ningún nombre, atajo o texto contiene «{search}».",
  "No saved replies yet": "Aún no hay respuestas guardadas",
  "No saved reply matches": "Ninguna respuesta guardada coincide",
  "Save the answers that your team writes every day. Variables such as {{contact.name}} are filled in.":
    "Guarde las respuestas que su equipo escribe a diario. Las variables como {{contact.name}} se rellenan.",
  "saved reply": "respuesta guardada",
  "Search saved replies": "Buscar respuestas",
  Shortcut: "Atajo",
  "Typed after / in the inbox.": "Se escribe tras / en la bandeja.",
  "Variables: {names}": "Variables: {names}",
};
