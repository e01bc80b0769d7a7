import type { Texts } from "../texts.ts";

export const texts: Texts = {
  " (own texts)": " (eigene Texte)",
  "A chat for the pages of your own site. Visitors write there, you reply in the inbox.":
    "Ein Chat für die Seiten Ihrer eigenen Website. Besucher schreiben dort, Sie antworten im Posteingang.",
  "A content security policy needs {origin} (or the script's nonce) and {origin2}, nothing else.":
    "Eine Content Security Policy braucht {origin} (oder die Nonce des Skripts) und {origin2}, sonst nichts.",
  "A message needs an identity token of your server.": "Eine Nachricht braucht ein Identitäts-Token Ihres Servers.",
  "An inactive widget has no preview.": "Ein inaktives Widget hat keine Vorschau.",
  "Both secrets are accepted until then.": "Bis dahin werden beide Secrets akzeptiert.",
  "Bottom left": "Unten links",
  "Bottom right": "Unten rechts",
  "Built-in text": "Eingebauter Text",
  Color: "Farbe",
  "Create one, copy one line into your page, and talk to your visitors. Nothing is stored about a visitor before they write.":
    "Erstellen Sie eines, kopieren Sie eine Zeile in Ihre Seite und sprechen Sie mit Ihren Besuchern. Über einen Besucher wird nichts gespeichert, bevor er schreibt.",
  "Create widget": "Widget erstellen",
  "Delete widget": "Widget löschen",
  "For your team; visitors do not see it.": "Für Ihr Team; Besucher sehen ihn nicht.",
  Greeting: "Begrüßung",
  "Hint in the text box": "Hinweis im Textfeld",
  "identity secret": "Identitäts-Secret",
  "identity token in {name}": "Identitäts-Token in {name}",
  Inactive: "Inaktiv",
  "It works: the latest conversation began {time} on {origin}, which is no longer among the pages.":
    "Es funktioniert: Die letzte Unterhaltung begann {time} auf {origin}, das nicht mehr zu den Seiten gehört.",
  "It works: the latest conversation began {time} on {origin}.":
    "Es funktioniert: Die letzte Unterhaltung begann {time} auf {origin}.",
  "It works: the latest conversation began {time}.": "Es funktioniert: Die letzte Unterhaltung begann {time}.",
  "Its address without query and fragment, and the browser.": "Ihre Adresse ohne Query und Fragment, und der Browser.",
  "Its page was not recorded, as the settings say.": "Ihre Seite wurde nicht aufgezeichnet, wie eingestellt.",
  Look: "Aussehen",
  "More about widgets": "Mehr über Widgets",
  "Name of the button": "Name der Schaltfläche",
  "No message yet. Nothing is recorded before a visitor writes, so open your page and send the first one yourself.":
    "Noch keine Nachricht. Vor der ersten Nachricht eines Besuchers wird nichts aufgezeichnet; öffnen Sie also Ihre Seite und senden Sie selbst die erste.",
  "No widgets yet": "Noch keine Widgets",
  "Not asked": "Nicht gefragt",
  "One line before the end of the body, on every page that should have the chat.":
    "Eine Zeile vor dem Ende des Body, auf jeder Seite, die den Chat haben soll.",
  "Only signed-in visitors may write": "Nur angemeldete Besucher dürfen schreiben",
  "Optional, after the first message": "Optional, nach der ersten Nachricht",
  "Otherwise pages show nothing, and messages are refused.":
    "Sonst zeigen Seiten nichts, und Nachrichten werden abgelehnt.",
  "Pages no longer show it, and its visitors can neither read nor write. Its conversations stay.":
    "Seiten zeigen es nicht mehr, und seine Besucher können weder lesen noch schreiben. Seine Unterhaltungen bleiben.",
  "Pick a color": "Farbe wählen",
  "Preview of the chat": "Vorschau des Chats",
  "Put it in place on your server.": "Setzen Sie es auf Ihrem Server ein.",
  "Put it into your page": "In Ihre Seite einbauen",
  "Replies by e-mail": "Antworten per E-Mail",
  "Required, before the first message is sent": "Pflicht, bevor die erste Nachricht gesendet wird",
  "Rotate the identity secret": "Identitäts-Secret erneuern",
  Shop: "Shop",
  "Show the page of the first message": "Seite der ersten Nachricht anzeigen",
  "Signed-in visitors": "Angemeldete Besucher",
  snippet: "Schnipsel",
  "Text on it is black or white, whichever is easier to read.":
    "Text darauf ist schwarz oder weiß, je nachdem, was besser lesbar ist.",
  Texts: "Texte",
  "The new identity secret": "Das neue Identitäts-Secret",
  "The origins of the pages that may show the chat, one per line, exactly as in the address bar: https://shop.example. For a page on your own computer: http://localhost:3000.":
    "Die Origins der Seiten, die den Chat zeigen dürfen, einer je Zeile, genau wie in der Adresszeile: https://shop.example. Für eine Seite auf Ihrem eigenen Computer: http://localhost:3000.",
  Title: "Titel",
  "To stop it for a while, make it inactive instead.": "Um es vorübergehend anzuhalten, machen Sie es inaktiv.",
  "Tokens of the old secret are refused now. For a secret that leaked.":
    "Tokens des alten Secrets werden ab sofort abgelehnt. Für ein bekannt gewordenes Secret.",
  Visitors: "Besucher",
  "Visitors see the language of the snippet, of the page or of their browser.":
    "Besucher sehen die Sprache des Schnipsels, der Seite oder ihres Browsers.",
  "What a visitor with an e-mail address has not seen after some minutes is sent there from this mailbox.":
    "Was jemand mit E-Mail-Adresse nach einigen Minuten noch nicht gesehen hat, geht aus diesem Postfach dorthin.",
  "When do tokens of the old secret stop being accepted?":
    "Wann sollen Tokens des alten Secrets nicht mehr akzeptiert werden?",
  "Where a text is empty, the built-in one of that language is used.":
    "Wo ein Text leer ist, gilt der eingebaute dieser Sprache.",
  widget: "Widget",
  "Widget created.": "Widget erstellt.",
  "Widget saved.": "Widget gespeichert.",
  "Your server signs who the visitor is, for at most an hour. The token goes into the snippet as data-token, or to Parley('identify', token).":
    "Ihr Server signiert, wer der Besucher ist, für höchstens eine Stunde. Das Token kommt als data-token in den Schnipsel oder an Parley('identify', token).",
};
