import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "Your role in {workspace} is {role}. An owner or admin can change it under {place}.":
    "Ihre Rolle in {workspace} ist {role}. Inhaber und Admins können sie unter {place} ändern.",
  "The conversation could not be read. Try again.":
    "Die Unterhaltung konnte nicht gelesen werden. Versuchen Sie es noch einmal.",
  "New contact": "Neuer Kontakt",
  "New conversation": "Neue Unterhaltung",
  Delete: "Löschen",
  Name: "Name",
  "Delete {name}?": "{name} löschen?",
  Edit: "Bearbeiten",
};
