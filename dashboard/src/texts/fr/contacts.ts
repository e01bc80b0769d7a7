import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "A contact is created with the first message of a customer, or by your apps with POST /contacts.":
    "Un contact est créé avec le premier message d’un client, ou par vos applications avec POST /contacts.",
  "A contact with conversations cannot be deleted; block them instead.":
    "Un contact qui a des conversations ne peut pas être supprimé ; bloquez-le plutôt.",
  Access: "Accès",
  Block: "Bloquer",
  "Block this contact?": "Bloquer ce contact ?",
  "Contact deleted.": "Contact supprimé.",
  "Contact saved.": "Contact enregistré.",
  "Contact unblocked.": "Contact débloqué.",
  "Create contact": "Créer le contact",
  "Delete contact": "Supprimer le contact",
  "Delete the note of {name}": "Supprimer la note de {name}",
  "End sessions": "Terminer les sessions",
  "Ending the sessions closes the contact's chat in every browser. Blocking refuses their messages too.":
    "Terminer les sessions ferme le chat du contact dans tous les navigateurs. Le bloquer refuse aussi ses messages.",
  "Everybody who has written to you, or whom you or your apps have created.":
    "Toutes les personnes qui vous ont écrit, ou que vous ou vos applications avez créées.",
  "For your colleagues. The contact never sees them.": "Pour vos collègues. Le contact ne les voit jamais.",
  "Free fields of your own. Your apps read and write them too.":
    "Champs libres à vous. Vos applications les lisent et les écrivent aussi.",
  "New note": "Nouvelle note",
  "No contact matches": "Aucun contact ne correspond",
  "No contact was updated in this time.": "Aucun contact n’a été mis à jour sur cette période.",
  "No contacts yet": "Aucun contact pour l’instant",
  "No conversations yet.": "Aucune conversation pour l’instant.",
  "No name, e-mail address, phone number or external id contains “{search}” among those updated in this time.":
    "Parmi ceux mis à jour sur cette période, aucun nom, e-mail, téléphone ou id externe ne contient « {search} ».",
  "No name, e-mail address, phone number or external id contains “{search}”.":
    "Aucun nom, e-mail, téléphone ou id externe ne contient « {search} ».",
  "Note deleted.": "Note supprimée.",
  Notes: "Notes",
  "Search contacts": "Rechercher des contacts",
  "The contact's chat sessions have ended.": "Les sessions de chat du contact sont terminées.",
  "Their chat sessions end and their messages are refused. You can unblock them at any time.":
    "Ses sessions de chat se terminent et ses messages sont refusés. Vous pouvez le débloquer à tout moment.",
  "Their details, attributes and notes are deleted permanently.":
    "Ses coordonnées, ses attributs et ses notes sont supprimés définitivement.",
  "This contact is blocked: their messages in the chat are refused, with a neutral sentence.":
    "Ce contact est bloqué : ses messages dans le chat sont refusés, avec une phrase neutre.",
  Unblock: "Débloquer",
  Updated: "Mise à jour",
  "Updated at any time": "Mis à jour n’importe quand",
  "Updated in the last 24 hours": "Mis à jour dans les dernières 24 heures",
  "Updated in the last 30 days": "Mis à jour dans les 30 derniers jours",
  "Updated in the last 7 days": "Mis à jour dans les 7 derniers jours",
  "What should your colleagues know?": "Que devraient savoir vos collègues ?",
};
