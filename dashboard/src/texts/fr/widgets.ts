import type { Texts } from "../texts.ts";

export const texts: Texts = {
  " (own texts)": " (textes personnalisés)",
  "A chat for the pages of your own site. Visitors write there, you reply in the inbox.":
    "Un chat pour les pages de votre site. Les visiteurs y écrivent, vous répondez dans la boîte de réception.",
  "A content security policy needs {origin} (or the script's nonce) and {origin2}, nothing else.":
    "Une politique de sécurité du contenu exige {origin} (ou le nonce du script) et {origin2}, rien d’autre.",
  "A message needs an identity token of your server.": "Un message exige un jeton d’identité de votre serveur.",
  "An inactive widget has no preview.": "Un widget inactif n’a pas d’aperçu.",
  "Both secrets are accepted until then.": "Les deux secrets sont acceptés jusque-là.",
  "Bottom left": "En bas à gauche",
  "Bottom right": "En bas à droite",
  "Built-in text": "Texte intégré",
  Color: "Couleur",
  "Create one, copy one line into your page, and talk to your visitors. Nothing is stored about a visitor before they write.":
    "Créez-en un, copiez une ligne dans votre page et parlez à vos visiteurs. Rien n’est stocké sur un visiteur avant qu’il écrive.",
  "Create widget": "Créer un widget",
  "Delete widget": "Supprimer le widget",
  "For your team; visitors do not see it.": "Pour votre équipe ; les visiteurs ne le voient pas.",
  Greeting: "Message d’accueil",
  "Hint in the text box": "Indication dans la zone de texte",
  "identity secret": "secret d’identité",
  "identity token in {name}": "jeton d’identité en {name}",
  Inactive: "Inactif",
  "It works: the latest conversation began {time} on {origin}, which is no longer among the pages.":
    "Cela fonctionne : la dernière conversation a commencé {time} sur {origin}, qui ne fait plus partie des pages.",
  "It works: the latest conversation began {time} on {origin}.":
    "Cela fonctionne : la dernière conversation a commencé {time} sur {origin}.",
  "It works: the latest conversation began {time}.": "Cela fonctionne : la dernière conversation a commencé {time}.",
  "Its address without query and fragment, and the browser.": "Son adresse sans requête ni fragment, et le navigateur.",
  "Its page was not recorded, as the settings say.": "Sa page n’a pas été enregistrée, selon les réglages.",
  Look: "Apparence",
  "More about widgets": "En savoir plus sur les widgets",
  "Name of the button": "Nom du bouton",
  "No message yet. Nothing is recorded before a visitor writes, so open your page and send the first one yourself.":
    "Aucun message pour l’instant. Rien n’est enregistré avant qu’un visiteur écrive : ouvrez votre page et envoyez le premier.",
  "No widgets yet": "Aucun widget pour l’instant",
  "Not asked": "Non demandé",
  "One line before the end of the body, on every page that should have the chat.":
    "Une ligne avant la fin du body, sur chaque page qui doit avoir le chat.",
  "Only signed-in visitors may write": "Seuls les visiteurs connectés peuvent écrire",
  "Optional, after the first message": "Facultatif, après le premier message",
  "Otherwise pages show nothing, and messages are refused.":
    "Sinon, les pages n’affichent rien et les messages sont refusés.",
  "Pages no longer show it, and its visitors can neither read nor write. Its conversations stay.":
    "Les pages ne l’affichent plus, et ses visiteurs ne peuvent ni lire ni écrire. Ses conversations restent.",
  "Pick a color": "Choisir une couleur",
  "Preview of the chat": "Aperçu du chat",
  "Put it in place on your server.": "Mettez-le en place sur votre serveur.",
  "Put it into your page": "Installez-le dans votre page",
  "Replies by e-mail": "Réponses par e-mail",
  "Required, before the first message is sent": "Obligatoire, avant l’envoi du premier message",
  "Rotate the identity secret": "Renouveler le secret d’identité",
  Shop: "Boutique",
  "Show the page of the first message": "Afficher la page du premier message",
  "Signed-in visitors": "Visiteurs connectés",
  snippet: "extrait",
  "Text on it is black or white, whichever is easier to read.":
    "Le texte dessus est noir ou blanc, selon la lisibilité.",
  Texts: "Textes",
  "The new identity secret": "Le nouveau secret d’identité",
  "The origins of the pages that may show the chat, one per line, exactly as in the address bar: https://shop.example. For a page on your own computer: http://localhost:3000.":
    "Les origines des pages qui peuvent afficher le chat, une par ligne, exactement comme dans la barre d’adresse : https://shop.example. Pour une page sur votre ordinateur : http://localhost:3000.",
  Title: "Titre",
  "To stop it for a while, make it inactive instead.": "Pour l’arrêter un temps, rendez-le plutôt inactif.",
  "Tokens of the old secret are refused now. For a secret that leaked.":
    "Les jetons de l’ancien secret sont refusés dès maintenant. Pour un secret qui a fuité.",
  Visitors: "Visiteurs",
  "Visitors see the language of the snippet, of the page or of their browser.":
    "Les visiteurs voient la langue de l’extrait, de la page ou de leur navigateur.",
  "What a visitor with an e-mail address has not seen after some minutes is sent there from this mailbox.":
    "Ce qu’un visiteur disposant d’une adresse e-mail n’a pas vu après quelques minutes y est envoyé depuis cette boîte.",
  "When do tokens of the old secret stop being accepted?": "Quand cesser d’accepter les jetons de l’ancien secret ?",
  "Where a text is empty, the built-in one of that language is used.":
    "Là où un texte est vide, celui intégré pour cette langue est utilisé.",
  widget: "widget",
  "Widget created.": "Widget créé.",
  "Widget saved.": "Widget enregistré.",
  "Your server signs who the visitor is, for at most an hour. The token goes into the snippet as data-token, or to Parley('identify', token).":
    "Votre serveur signe l’identité du visiteur, pour une heure au plus. Le jeton va dans l’extrait en data-token, ou dans Parley('identify', token).",
};
