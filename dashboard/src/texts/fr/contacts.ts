import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "Create contact": "Créer le contact",
  "E-mail": "E-mail",
  Phone: "Téléphone",
  "External id": "Identifiant externe",
  "Contact deleted.": "Contact supprimé.",
  "A contact with conversations cannot be deleted; block them instead.":
    "Un contact qui a des conversations ne peut pas être supprimé ; bloquez-le plutôt.",
  "Delete contact": "Supprimer le contact",
  "Their details, attributes and notes are deleted permanently.":
    "Ses coordonnées, ses attributs et ses notes sont supprimés définitivement.",
};
