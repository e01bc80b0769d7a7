import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "A code from an app on your phone, after the password.":
    "Un code d’une application de votre téléphone, après le mot de passe.",
  "Add a passkey": "Ajouter une clé d’accès",
  Added: "Ajoutée",
  "Authenticator app": "Application d’authentification",
  "Authenticator app set up.": "Application d’authentification configurée.",
  Confirm: "Confirmer",
  Dismiss: "Ignorer",
  "Each code signs you in once when your phone or passkey is lost. Keep them where you keep passwords.":
    "Chaque code permet une connexion si vous perdez votre téléphone ou votre clé d’accès. Conservez-les avec vos mots de passe.",
  "Enter your password to see and change it.": "Saisissez votre mot de passe pour la voir et la modifier.",
  "How you sign in, and where you are signed in.": "Comment vous vous connectez, et où vous êtes connecté.",
  "I have saved them": "Je les ai enregistrés",
  "If that was not you, change your password under Profile.":
    "Si ce n’était pas vous, changez votre mot de passe sous Profil.",
  "In case you lose your phone or passkey.": "En cas de perte du téléphone ou de la clé d’accès.",
  "It is set up.": "Configurée.",
  "It no longer signs you in. Delete it on your device too.":
    "Elle ne permet plus de se connecter. Supprimez-la aussi sur votre appareil.",
  "Its codes stop working at once. Without a passkey, your password alone signs you in.":
    "Ses codes cessent aussitôt de fonctionner. Sans clé d’accès, votre mot de passe suffit pour vous connecter.",
  "My laptop": "Mon ordinateur portable",
  "None yet.": "Aucune pour l’instant.",
  "Not set up.": "Non configurée.",
  "Or type this key:": "Ou saisissez cette clé :",
  Passkey: "Clé d’accès",
  "Passkey added.": "Clé d’accès ajoutée.",
  Passkeys: "Clés d’accès",
  "QR code for the authenticator app": "Code QR pour l’application d’authentification",
  "recovery codes": "codes de récupération",
  "Recovery codes": "Codes de récupération",
  Remove: "Supprimer",
  "Remove passkey": "Supprimer la clé d’accès",
  "Remove the authenticator app?": "Supprimer l’application d’authentification ?",
  Replace: "Remplacer",
  "Replace codes": "Remplacer les codes",
  "Replace your recovery codes?": "Remplacer vos codes de récupération ?",
  "Save your recovery codes": "Enregistrez vos codes de récupération",
  "Scan the picture with the app, then enter the code it shows.":
    "Scannez l’image avec l’application, puis saisissez le code affiché.",
  Sessions: "Sessions",
  "Set up": "Configurer",
  "Set up an authenticator app": "Configurer une application d’authentification",
  "Set up an authenticator app or a passkey. The other pages open as soon as it is done.":
    "Configurez une application d’authentification ou une clé d’accès. Les autres pages s’ouvriront aussitôt.",
  "Sign out what you do not recognise, then change your password.":
    "Déconnectez ce que vous ne reconnaissez pas, puis changez votre mot de passe.",
  "Sign out what you do not recognise.": "Déconnectez ce que vous ne reconnaissez pas.",
  "Sign out {user_agent}": "Déconnecter {user_agent}",
  "Signed out.": "Déconnecté.",
  "Single sign-on": "Authentification unique",
  "The last one was entered {time} from the address {address}.":
    "Le dernier a été saisi {time} depuis l’adresse {address}.",
  "The last one was entered {time}.": "Le dernier a été saisi {time}.",
  "They are shown only now": "Ils ne s’affichent que maintenant",
  "This browser": "Ce navigateur",
  "This workspace requires two-factor sign-in": "Cet espace de travail exige la connexion à deux facteurs",
  "Where you are signed in": "Où vous êtes connecté",
  "You get ten new codes. The codes you have now stop working.":
    "Vous recevez dix nouveaux codes. Les codes actuels cessent de fonctionner.",
  "You sign in through single sign-on, without a password of Parley. A second factor is set up at your identity provider.":
    "Vous vous connectez par authentification unique, sans mot de passe Parley. Un second facteur se configure chez votre fournisseur d’identité.",
  "Your browser asks next. The name is for you: the device, or the password manager that keeps it.":
    "Votre navigateur va ensuite vous interroger. Le nom est pour vous : l’appareil ou le gestionnaire de mots de passe qui la conserve.",
  "Your finger, face or device PIN instead of a code, or instead of the password.":
    "Votre empreinte, votre visage ou le code de l’appareil au lieu d’un code ou du mot de passe.",
  "{n} codes are left.": ["Il reste {n} code.", "Il reste {n} codes."],
  "{n} wrong codes were entered after your correct password": [
    "{n} code erroné a été saisi après votre bon mot de passe",
    "{n} codes erronés ont été saisis après votre bon mot de passe",
  ],
};
