import type { Texts } from "../texts.ts";

export const texts: Texts = {
  Create: "Erstellen",
  "Created {name}": "{name} erstellt",
  "Delete saved reply": "Gespeicherte Antwort löschen",
  "Delete “{name}”?": "„{name}“ löschen?",
  "Deleted {name}": "{name} gelöscht",
  "Edit saved reply": "Gespeicherte Antwort bearbeiten",
  "Insert them in the inbox with / and a word of their name, shortcut or text.":
    "Im Posteingang mit / und einem Wort aus Name, Kürzel oder Text einfügen.",
  "Messages that were written with it stay as they are.":
    "Nachrichten, die damit geschrieben wurden, bleiben, wie sie sind.",
  "New saved reply": "Neue gespeicherte Antwort",
  "No name, shortcut or text contains “{search}”.": "Kein Name, Kürzel oder Text enthält „{search}“.",
  "No saved replies yet": "Noch keine gespeicherten Antworten",
  "No saved reply matches": "Keine gespeicherte Antwort passt",
  "Save the answers that your team writes every day. Variables such as {{contact.name}} are filled in.":
    "Speichern Sie die Antworten, die Ihr Team täglich schreibt. Variablen wie {{contact.name}} werden ausgefüllt.",
  "saved reply": "gespeicherte Antwort",
  "Search saved replies": "Antworten suchen",
  Shortcut: "Kürzel",
  "Typed after / in the inbox.": "Im Posteingang nach / eingegeben.",
  "Variables: {names}": "Variablen: {names}",
};
