import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "Your role in {workspace} is {role}. An owner or admin can change it under {place}.":
    "Votre rôle dans {workspace} est {role}. Un propriétaire ou un administrateur peut le modifier sous {place}.",
  "The conversation could not be read. Try again.": "La conversation n’a pas pu être lue. Réessayez.",
  "New contact": "Nouveau contact",
  "New conversation": "Nouvelle conversation",
  Delete: "Supprimer",
  Name: "Nom",
  "Delete {name}?": "Supprimer {name} ?",
  Edit: "Modifier",
};
