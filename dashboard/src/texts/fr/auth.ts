import type { Texts } from "../texts.ts";

export const texts: Texts = {
  Acme: "Acme",
  "Back to sign-in": "Retour à la connexion",
  "Check your e-mail": "Consultez vos e-mails",
  "Choose a new password": "Choisir un nouveau mot de passe",
  "Choose a password. If you already have an account with this address, enter its password.":
    "Choisissez un mot de passe. Si vous avez déjà un compte avec cette adresse, saisissez son mot de passe.",
  "Create account": "Créer le compte",
  "Create the owner's account. Owners invite everyone else.":
    "Créez le compte du propriétaire. Les propriétaires invitent les autres.",
  "Enter the address that you sign in with. You get an e-mail with a link to choose a new password.":
    "Saisissez l’adresse avec laquelle vous vous connectez. Vous recevrez un e-mail avec un lien pour choisir un nouveau mot de passe.",
  "Forgot your password?": "Mot de passe oublié ?",
  "If {email} has an account here, an e-mail with a link is on its way. The link works once, for 30 minutes.":
    "Si {email} a un compte ici, un e-mail avec un lien est en route. Le lien fonctionne une fois, pendant 30 minutes.",
  "It is wrong or outdated: each start of the server prints a new one. Open the newest.":
    "Il est faux ou périmé : chaque démarrage du serveur en affiche un nouveau. Ouvrez le plus récent.",
  "It was already used, or it has expired. Request a new one.":
    "Il a déjà été utilisé ou a expiré. Demandez-en un nouveau.",
  "It was used, revoked or replaced by a newer one, or it has expired. Ask for a new link.":
    "Elle a été utilisée, révoquée, remplacée par une plus récente, ou elle a expiré. Demandez un nouveau lien.",
  "Join workspace": "Rejoindre l’espace de travail",
  "Join {name}": "Rejoindre {name}",
  "Locked out? Ask the people who manage {name}.": "Accès perdu ? Adressez-vous aux personnes qui gèrent {name}.",
  "Locked out? The operator of the server can reset your password with {code}.":
    "Accès perdu ? L’exploitant du serveur peut réinitialiser votre mot de passe avec {code}.",
  "Lost it? Start the server again, and it prints a fresh one:":
    "Perdu ? Redémarrez le serveur, il en affichera un nouveau :",
  "Open the set-up link": "Ouvrez le lien de configuration",
  "Parley is set up": "Parley est configuré",
  "Request a new link": "Demander un nouveau lien",
  "Save password": "Enregistrer le mot de passe",
  "Send the link": "Envoyer le lien",
  "Set up Parley": "Configurer Parley",
  "Sign in with an existing account": "Se connecter avec un compte existant",
  "Sign in with the account of this address.": "Connectez-vous avec le compte de cette adresse.",
  "Sign in with {name}": "Se connecter avec {name}",
  "Signing in": "Connexion en cours",
  "That did not work": "Cela n’a pas fonctionné",
  "The first account is created with a one-time link. The server printed it when it started; look for “/setup?token=”.":
    "Le premier compte se crée avec un lien à usage unique. Le serveur l’a affiché au démarrage ; cherchez « /setup?token= ».",
  "The first account to sign in here becomes the owner. Owners invite everyone else.":
    "Le premier compte connecté ici devient propriétaire. Les propriétaires invitent les autres.",
  "The owner's account exists, so this link is no longer needed.":
    "Le compte du propriétaire existe, ce lien n’est plus nécessaire.",
  "The server prints a one-time link each time it starts, until the owner exists; older links stop working. Look for “/setup?token=” in its output, or start it again.":
    "Le serveur affiche un lien à usage unique à chaque démarrage, tant que le propriétaire n’existe pas ; les anciens cessent de fonctionner. Cherchez « /setup?token= » dans sa sortie ou redémarrez-le.",
  "This invitation is no longer valid": "Cette invitation n’est plus valable",
  "This link is no longer valid": "Ce lien n’est plus valable",
  "This link is not valid": "Ce lien n’est pas valable",
  "This set-up link is not valid": "Ce lien de configuration n’est pas valable",
  "Welcome to Parley": "Bienvenue sur Parley",
  "You are invited as an {role}, with {email}.": "Vous êtes invité comme {role}, avec {email}.",
  "You were signed out everywhere. Sign in with your new password.":
    "Vous avez été déconnecté partout. Connectez-vous avec votre nouveau mot de passe.",
  "You will be signed out on every device.": "Vous serez déconnecté de tous les appareils.",
  "Your team or company.": "Votre équipe ou entreprise.",
};
