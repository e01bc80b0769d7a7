import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "Your role in {workspace} is {role}. An owner or admin can change it under {place}.":
    "Su rol en {workspace} es {role}. Un propietario o administrador puede cambiarlo en {place}.",
  "The conversation could not be read. Try again.": "No se pudo leer la conversación. Inténtelo de nuevo.",
  "New contact": "Nuevo contacto",
  "New conversation": "Nueva conversación",
  Delete: "Eliminar",
  Name: "Nombre",
  "Delete {name}?": "¿Eliminar a {name}?",
  Edit: "Editar",
};
