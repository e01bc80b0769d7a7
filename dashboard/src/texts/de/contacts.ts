import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "Create contact": "Kontakt anlegen",
  "E-mail": "E-Mail",
  Phone: "Telefon",
  "External id": "Externe ID",
  "Contact deleted.": "Kontakt gelöscht.",
  "A contact with conversations cannot be deleted; block them instead.":
    "Ein Kontakt mit Unterhaltungen kann nicht gelöscht werden; sperren Sie ihn stattdessen.",
  "Delete contact": "Kontakt löschen",
  "Their details, attributes and notes are deleted permanently.":
    "Angaben, Attribute und Notizen werden endgültig gelöscht.",
};
