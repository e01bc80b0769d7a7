import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "A contact is created with the first message of a customer, or by your apps with POST /contacts.":
    "Ein Kontakt entsteht mit der ersten Nachricht eines Kunden oder durch Ihre Apps mit POST /contacts.",
  "A contact with conversations cannot be deleted; block them instead.":
    "Ein Kontakt mit Unterhaltungen kann nicht gelöscht werden; blockieren Sie ihn stattdessen.",
  Access: "Zugang",
  Block: "Blockieren",
  "Block this contact?": "Diesen Kontakt blockieren?",
  "Contact deleted.": "Kontakt gelöscht.",
  "Contact saved.": "Kontakt gespeichert.",
  "Contact unblocked.": "Blockierung aufgehoben.",
  "Create contact": "Kontakt anlegen",
  "Delete contact": "Kontakt löschen",
  "Delete the note of {name}": "Notiz von {name} löschen",
  "End sessions": "Sitzungen beenden",
  "Ending the sessions closes the contact's chat in every browser. Blocking refuses their messages too.":
    "Sitzungen zu beenden schließt den Chat des Kontakts in jedem Browser. Blockieren lehnt auch seine Nachrichten ab.",
  "Everybody who has written to you, or whom you or your apps have created.":
    "Alle, die Ihnen geschrieben haben oder die Sie oder Ihre Apps angelegt haben.",
  "For your colleagues. The contact never sees them.": "Für Ihr Team. Der Kontakt sieht sie nie.",
  "Free fields of your own. Your apps read and write them too.":
    "Freie, eigene Felder. Auch Ihre Apps lesen und schreiben sie.",
  "New note": "Neue Notiz",
  "No contact matches": "Kein Kontakt passt",
  "No contact was updated in this time.": "In diesem Zeitraum wurde kein Kontakt aktualisiert.",
  "No contacts yet": "Noch keine Kontakte",
  "No conversations yet.": "Noch keine Unterhaltungen.",
  "No name, e-mail address, phone number or external id contains “{search}” among those updated in this time.":
    "Unter den in diesem Zeitraum aktualisierten enthält kein Name, keine E-Mail-Adresse, Telefonnummer oder externe ID „{search}“.",
  "No name, e-mail address, phone number or external id contains “{search}”.":
    "Kein Name, keine E-Mail-Adresse, Telefonnummer oder externe ID enthält „{search}“.",
  "Note deleted.": "Notiz gelöscht.",
  Notes: "Notizen",
  "Search contacts": "Kontakte suchen",
  "The contact's chat sessions have ended.": "Die Chat-Sitzungen des Kontakts sind beendet.",
  "Their chat sessions end and their messages are refused. You can unblock them at any time.":
    "Chat-Sitzungen enden und Nachrichten werden abgelehnt. Sie können die Blockierung jederzeit aufheben.",
  "Their details, attributes and notes are deleted permanently.":
    "Angaben, Attribute und Notizen werden endgültig gelöscht.",
  "This contact is blocked: their messages in the chat are refused, with a neutral sentence.":
    "Dieser Kontakt ist blockiert: Seine Nachrichten im Chat werden mit einem neutralen Satz abgelehnt.",
  Unblock: "Blockierung aufheben",
  Updated: "Aktualisiert",
  "Updated at any time": "Zu beliebiger Zeit aktualisiert",
  "Updated in the last 24 hours": "In den letzten 24 Stunden aktualisiert",
  "Updated in the last 30 days": "In den letzten 30 Tagen aktualisiert",
  "Updated in the last 7 days": "In den letzten 7 Tagen aktualisiert",
  "What should your colleagues know?": "Was sollte Ihr Team wissen?",
};
