import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "A contact is created with the first message of a customer, or by your apps with POST /contacts.":
    "Un contacto se crea con el primer mensaje de un cliente o desde sus aplicaciones con POST /contacts.",
  "A contact with conversations cannot be deleted; block them instead.":
    "Un contacto con conversaciones no se puede eliminar; bloquéelo en su lugar.",
  Access: "Acceso",
  Block: "Bloquear",
  "Block this contact?": "¿Bloquear este contacto?",
  "Contact deleted.": "Contacto eliminado.",
  "Contact saved.": "Contacto guardado.",
  "Contact unblocked.": "Contacto desbloqueado.",
  "Create contact": "Crear contacto",
  "Delete contact": "Eliminar contacto",
  "Delete the note of {name}": "Eliminar la nota de {name}",
  "End sessions": "Terminar sesiones",
  "Ending the sessions closes the contact's chat in every browser. Blocking refuses their messages too.":
    "Terminar las sesiones cierra el chat del contacto en todos los navegadores. Bloquear rechaza además sus mensajes.",
  "Everybody who has written to you, or whom you or your apps have created.":
    "Todos los que le han escrito o que usted o sus aplicaciones han creado.",
  "For your colleagues. The contact never sees them.": "Para sus compañeros. El contacto nunca las ve.",
  "Free fields of your own. Your apps read and write them too.":
    "Campos libres propios. Sus aplicaciones también los leen y escriben.",
  "New note": "Nueva nota",
  "No contact matches": "Ningún contacto coincide",
  "No contact was updated in this time.": "Ningún contacto se actualizó en este período.",
  "No contacts yet": "Aún no hay contactos",
  "No conversations yet.": "Aún no hay conversaciones.",
  "No name, e-mail address, phone number or external id contains “{search}” among those updated in this time.":
    "Ningún nombre, correo, teléfono o id externo contiene «{search}» entre los actualizados en este período.",
  "No name, e-mail address, phone number or external id contains “{search}”.":
    "Ningún nombre, correo, teléfono o id externo contiene «{search}».",
  "Note deleted.": "Nota eliminada.",
  Notes: "Notas",
  "Search contacts": "Buscar contactos",
  "The contact's chat sessions have ended.": "Las sesiones de chat del contacto han terminado.",
  "Their chat sessions end and their messages are refused. You can unblock them at any time.":
    "Sus sesiones de chat terminan y sus mensajes se rechazan. Puede desbloquearlo en cualquier momento.",
  "Their details, attributes and notes are deleted permanently.":
    "Sus datos, atributos y notas se eliminan definitivamente.",
  "This contact is blocked: their messages in the chat are refused, with a neutral sentence.":
    "Este contacto está bloqueado: sus mensajes del chat se rechazan con una frase neutra.",
  Unblock: "Desbloquear",
  Updated: "Actualización",
  "Updated at any time": "Actualizados en cualquier momento",
  "Updated in the last 24 hours": "Actualizados en las últimas 24 horas",
  "Updated in the last 30 days": "Actualizados en los últimos 30 días",
  "Updated in the last 7 days": "Actualizados en los últimos 7 días",
  "What should your colleagues know?": "¿Qué deberían saber sus compañeros?",
};
