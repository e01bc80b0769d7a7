import type { Texts } from "../texts.ts";

export const texts: Texts = {
  Create: "Créer",
  "Created {name}": "{name} créée",
  "Delete saved reply": "Supprimer la réponse enregistrée",
  "Delete “{name}”?": "Supprimer « {name} » ?",
  "Deleted {name}": "{name} supprimée",
  "Edit saved reply": "Modifier la réponse enregistrée",
  "Insert them in the inbox with / and a word of their name, shortcut or text.":
    "Insérez-les dans la boîte de réception avec / et un mot de leur nom, raccourci ou texte.",
  "Messages that were written with it stay as they are.": "Les messages écrits avec elle restent tels quels.",
  "New saved reply": "Nouvelle réponse enregistrée",
  "No name, shortcut or text contains “{search}”.": "Aucun nom, raccourci ou texte ne contient « {search} ».",
  "No saved replies yet": "Aucune réponse enregistrée",
  "No saved reply matches": "Aucune réponse enregistrée ne correspond",
  "Save the answers that your team writes every day. Variables such as {{contact.name}} are filled in.":
    "Enregistrez les réponses que votre équipe écrit chaque jour. Les variables comme {{contact.name}} sont remplies.",
  "saved reply": "réponse enregistrée",
  "Search saved replies": "Rechercher des réponses",
  Shortcut: "Raccourci",
  "Typed after / in the inbox.": "Saisi après / dans la boîte de réception.",
  "Variables: {names}": "Variables : {names}",
};
