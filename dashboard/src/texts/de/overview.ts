import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "(done)": "(erledigt)",
  "A chat is one line on your page. A mailbox turns the mail of an address into conversations.":
    "Ein Chat ist eine Zeile auf Ihrer Seite. Ein Postfach macht aus den E-Mails einer Adresse Unterhaltungen.",
  "API requests": "API-Anfragen",
  Backlog: "Rückstand",
  "By outcome. Response time: median {half}, 95% within {most}.":
    "Nach Ergebnis. Antwortzeit: Median {half}, 95 % innerhalb von {most}.",
  "Connect a chat or a mailbox": "Chat oder Postfach verbinden",
  "Create a webhook": "Webhook erstellen",
  "Create a widget": "Widget erstellen",
  "Events to your webhooks, by outcome.": "Ereignisse an Ihre Webhooks, nach Ergebnis.",
  "Everyone who replies to customers needs an account. An invitation is a link, sent by e-mail or copied.":
    "Alle, die Kunden antworten, brauchen ein Konto. Eine Einladung ist ein Link, per E-Mail gesendet oder kopiert.",
  "First steps": "Erste Schritte",
  "First steps hidden.": "Erste Schritte ausgeblendet.",
  "From contacts, and public replies to them.": "Von Kontakten, und öffentliche Antworten an sie.",
  "Invite a colleague": "Teammitglied einladen",
  "Key expires": "Schlüssel läuft ab",
  "Key never used": "Schlüssel nie verwendet",
  "Last events": "Letzte Ereignisse",
  "Needs attention": "Braucht Aufmerksamkeit",
  "No backups": "Keine Backups",
  "No first response yet": "Noch keine erste Antwort",
  "None completed yet": "Noch keine abgeschlossen",
  "None for more than an hour": "Niemand länger als eine Stunde",
  "Nothing has happened yet.": "Es ist noch nichts geschehen.",
  "Nothing right now.": "Zurzeit nichts.",
  "Of all keys, by outcome.": "Aller Schlüssel, nach Ergebnis.",
  "of {n} requests": ["von {n} Anfrage", "von {n} Anfragen"],
  "Old secret works": "Altes Secret gilt noch",
  "oldest due {time}": "älteste fällig {time}",
  "Open the conversation, write, and send. The customer gets it where they wrote.":
    "Unterhaltung öffnen, schreiben, senden. Der Kunde erhält es dort, wo er geschrieben hat.",
  "Open the inbox": "Posteingang öffnen",
  "Receive the first message": "Erste Nachricht erhalten",
  Received: "Erhalten",
  "Recover…": "Nachholen …",
  Replies: "Antworten",
  "Reply in the inbox": "Im Posteingang antworten",
  "running it for years": "Betrieb über Jahre",
  "Send events to your first webhook": "Ereignisse an den ersten Webhook senden",
  "Send the first reply": "Erste Antwort senden",
  "since {time}": "seit {time}",
  "The database of this server is not backed up on a schedule. Set {code}, and see {link}.":
    "Die Datenbank dieses Servers wird nicht regelmäßig gesichert. Setzen Sie {code} und lesen Sie {link}.",
  "Under 1 second": "Unter 1 Sekunde",
  "Write to yourself as a customer would: in the chat on your page, by mail, or through the API.":
    "Schreiben Sie sich selbst wie ein Kunde: im Chat auf Ihrer Seite, per E-Mail oder über die API.",
  "Your own software learns of every message at once. A test is enough to see one arrive.":
    "Ihre eigene Software erfährt sofort von jeder Nachricht. Ein Test genügt, um eine ankommen zu sehen.",
  "{count} contacts have waited for a reply for more than an hour": [
    "{count} Kontakt wartet seit über einer Stunde auf eine Antwort",
    "{count} Kontakte warten seit über einer Stunde auf eine Antwort",
  ],
  "{delivered} of {ended}": "{delivered} von {ended}",
  "{done} of {n} done. Each is checked by what has happened.":
    "{done} von {n} erledigt. Parley erkennt jeden Schritt an dem, was geschehen ist.",
  "{long} for more than an hour": "{long} länger als eine Stunde",
  "{n} deliveries should have been attempted by now": [
    "{n} Zustellung hätte schon versucht werden sollen",
    "{n} Zustellungen hätten schon versucht werden sollen",
  ],
  "{n} messages received": ["{n} Nachricht erhalten", "{n} Nachrichten erhalten"],
  "Open now": "Jetzt offen",
  "Waiting for a reply": "Warten auf Antwort",
  "Median first response": "Erste Antwort (Median)",
  "Events delivered": "Ereignisse zugestellt",
  "API errors": "API-Fehler",
};
