import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "(done)": "(fait)",
  "A chat is one line on your page. A mailbox turns the mail of an address into conversations.":
    "Un chat est une ligne dans votre page. Une boîte e-mail transforme le courrier d’une adresse en conversations.",
  "API requests": "Requêtes d’API",
  Backlog: "Retard",
  "By outcome. Response time: median {half}, 95% within {most}.":
    "Par résultat. Temps de réponse : médiane {half}, 95 % sous {most}.",
  "Connect a chat or a mailbox": "Connecter un chat ou une boîte e-mail",
  "Create a webhook": "Créer un webhook",
  "Create a widget": "Créer un widget",
  "Events to your webhooks, by outcome.": "Événements vers vos webhooks, par résultat.",
  "Everyone who replies to customers needs an account. An invitation is a link, sent by e-mail or copied.":
    "Toute personne qui répond aux clients a besoin d’un compte. Une invitation est un lien, envoyé par e-mail ou copié.",
  "First steps": "Premiers pas",
  "First steps hidden.": "Premiers pas masqués.",
  "From contacts, and public replies to them.": "Des contacts, et les réponses publiques.",
  "Invite a colleague": "Inviter un collègue",
  "Key expires": "Clé bientôt expirée",
  "Key never used": "Clé jamais utilisée",
  "Last events": "Derniers événements",
  "Needs attention": "À surveiller",
  "No backups": "Pas de sauvegarde",
  "No first response yet": "Pas encore de première réponse",
  "None completed yet": "Aucun terminé pour l’instant",
  "None for more than an hour": "Aucune depuis plus d’une heure",
  "Nothing has happened yet.": "Rien ne s’est encore passé.",
  "Nothing right now.": "Rien pour l’instant.",
  "Of all keys, by outcome.": "De toutes les clés, par résultat.",
  "of {n} requests": ["sur {n} requête", "sur {n} requêtes"],
  "Old secret works": "Ancien secret actif",
  "oldest due {time}": "la plus ancienne prévue {time}",
  "Open the conversation, write, and send. The customer gets it where they wrote.":
    "Ouvrez la conversation, écrivez, envoyez. Le client la reçoit là où il a écrit.",
  "Open the inbox": "Ouvrir la boîte de réception",
  "Receive the first message": "Recevoir le premier message",
  Received: "Reçus",
  "Recover…": "Récupérer…",
  Replies: "Réponses",
  "Reply in the inbox": "Répondre dans la boîte de réception",
  "running it for years": "l’exploitation au long cours",
  "Send events to your first webhook": "Envoyer des événements à votre premier webhook",
  "Send the first reply": "Envoyer la première réponse",
  "since {time}": "depuis {time}",
  "The database of this server is not backed up on a schedule. Set {code}, and see {link}.":
    "La base de données de ce serveur n’est pas sauvegardée régulièrement. Définissez {code}, et voyez {link}.",
  "Under 1 second": "Moins d’une seconde",
  "Write to yourself as a customer would: in the chat on your page, by mail, or through the API.":
    "Écrivez-vous comme un client : dans le chat de votre page, par e-mail ou par l’API.",
  "Your own software learns of every message at once. A test is enough to see one arrive.":
    "Votre logiciel apprend chaque message aussitôt. Un test suffit pour en voir arriver un.",
  "{count} contacts have waited for a reply for more than an hour": [
    "{count} contact attend une réponse depuis plus d’une heure",
    "{count} contacts attendent une réponse depuis plus d’une heure",
  ],
  "{delivered} of {ended}": "{delivered} sur {ended}",
  "{done} of {n} done. Each is checked by what has happened.":
    "{done} sur {n} faits. Chacun est vérifié d’après ce qui s’est passé.",
  "{long} for more than an hour": "{long} depuis plus d’une heure",
  "{n} deliveries should have been attempted by now": [
    "{n} livraison aurait déjà dû être tentée",
    "{n} livraisons auraient déjà dû être tentées",
  ],
  "{n} messages received": ["{n} message reçu", "{n} messages reçus"],
  "Open now": "Ouvertes maintenant",
  "Waiting for a reply": "En attente de réponse",
  "Median first response": "Première réponse (médiane)",
  "Events delivered": "Événements livrés",
  "API errors": "Erreurs d’API",
};
