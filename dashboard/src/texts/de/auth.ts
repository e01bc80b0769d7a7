import type { Texts } from "../texts.ts";

export const texts: Texts = {
  Acme: "Muster GmbH",
  "Back to sign-in": "Zurück zur Anmeldung",
  "Check your e-mail": "Prüfen Sie Ihre E-Mails",
  "Choose a new password": "Neues Passwort wählen",
  "Choose a password. If you already have an account with this address, enter its password.":
    "Wählen Sie ein Passwort. Wenn Sie mit dieser Adresse schon ein Konto haben, geben Sie dessen Passwort ein.",
  "Create account": "Konto erstellen",
  "Create the owner's account. Owners invite everyone else.":
    "Erstellen Sie das Konto des Inhabers. Inhaber laden alle anderen ein.",
  "Enter the address that you sign in with. You get an e-mail with a link to choose a new password.":
    "Geben Sie die Adresse ein, mit der Sie sich anmelden. Sie erhalten eine E-Mail mit einem Link, um ein neues Passwort zu wählen.",
  "Forgot your password?": "Passwort vergessen?",
  "If {email} has an account here, an e-mail with a link is on its way. The link works once, for 30 minutes.":
    "Falls {email} hier ein Konto hat, ist eine E-Mail mit einem Link unterwegs. Der Link gilt einmal, 30 Minuten lang.",
  "It is wrong or outdated: each start of the server prints a new one. Open the newest.":
    "Er ist falsch oder veraltet: Jeder Start des Servers gibt einen neuen aus. Öffnen Sie den neuesten.",
  "It was already used, or it has expired. Request a new one.":
    "Er wurde bereits verwendet oder ist abgelaufen. Fordern Sie einen neuen an.",
  "It was used, revoked or replaced by a newer one, or it has expired. Ask for a new link.":
    "Sie wurde verwendet, widerrufen, durch eine neuere ersetzt oder ist abgelaufen. Bitten Sie um einen neuen Link.",
  "Join workspace": "Arbeitsbereich beitreten",
  "Join {name}": "{name} beitreten",
  "Locked out? Ask the people who manage {name}.": "Ausgesperrt? Fragen Sie die Personen, die {name} verwalten.",
  "Locked out? The operator of the server can reset your password with {code}.":
    "Ausgesperrt? Der Betreiber des Servers kann Ihr Passwort mit {code} zurücksetzen.",
  "Lost it? Start the server again, and it prints a fresh one:":
    "Verloren? Starten Sie den Server neu, dann gibt er einen neuen aus:",
  "Open the set-up link": "Öffnen Sie den Einrichtungslink",
  "Parley is set up": "Parley ist eingerichtet",
  "Request a new link": "Neuen Link anfordern",
  "Save password": "Passwort speichern",
  "Send the link": "Link senden",
  "Set up Parley": "Parley einrichten",
  "Sign in with an existing account": "Mit einem bestehenden Konto anmelden",
  "Sign in with the account of this address.": "Melden Sie sich mit dem Konto dieser Adresse an.",
  "Sign in with {name}": "Mit {name} anmelden",
  "Signing in": "Anmeldung läuft",
  "That did not work": "Das hat nicht geklappt",
  "The first account is created with a one-time link. The server printed it when it started; look for “/setup?token=”.":
    "Das erste Konto wird mit einem Einmallink erstellt. Der Server hat ihn beim Start ausgegeben; suchen Sie nach „/setup?token=“.",
  "The first account to sign in here becomes the owner. Owners invite everyone else.":
    "Das erste Konto, das sich hier anmeldet, wird Inhaber. Inhaber laden alle anderen ein.",
  "The owner's account exists, so this link is no longer needed.":
    "Das Konto des Inhabers existiert, dieser Link wird nicht mehr gebraucht.",
  "The server prints a one-time link each time it starts, until the owner exists; older links stop working. Look for “/setup?token=” in its output, or start it again.":
    "Der Server gibt bei jedem Start einen Einmallink aus, bis es den Inhaber gibt; ältere gelten dann nicht mehr. Suchen Sie „/setup?token=“ in seiner Ausgabe oder starten Sie ihn neu.",
  "This invitation is no longer valid": "Diese Einladung ist nicht mehr gültig",
  "This link is no longer valid": "Dieser Link ist nicht mehr gültig",
  "This link is not valid": "Dieser Link ist ungültig",
  "This set-up link is not valid": "Dieser Einrichtungslink ist ungültig",
  "Welcome to Parley": "Willkommen bei Parley",
  "You are invited as an {role}, with {email}.": "Sie sind als {role} eingeladen, mit {email}.",
  "You were signed out everywhere. Sign in with your new password.":
    "Sie wurden überall abgemeldet. Melden Sie sich mit Ihrem neuen Passwort an.",
  "You will be signed out on every device.": "Sie werden auf allen Geräten abgemeldet.",
  "Your team or company.": "Ihr Team oder Ihre Firma.",
};
