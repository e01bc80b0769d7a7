import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "A code from an app on your phone, after the password.": "Ein Code einer App auf Ihrem Telefon, nach dem Passwort.",
  "Add a passkey": "Passkey hinzufügen",
  Added: "Hinzugefügt",
  "Authenticator app": "Authenticator-App",
  "Authenticator app set up.": "Authenticator-App eingerichtet.",
  Confirm: "Bestätigen",
  Dismiss: "Ausblenden",
  "Each code signs you in once when your phone or passkey is lost. Keep them where you keep passwords.":
    "Jeder Code meldet Sie einmal an, wenn Telefon oder Passkey verloren gehen. Bewahren Sie sie dort auf, wo Sie Passwörter aufbewahren.",
  "Enter your password to see and change it.": "Geben Sie Ihr Passwort ein, um sie zu sehen und zu ändern.",
  "How you sign in, and where you are signed in.": "Wie Sie sich anmelden und wo Sie angemeldet sind.",
  "I have saved them": "Ich habe sie gesichert",
  "If that was not you, change your password under Profile.":
    "Wenn Sie das nicht waren, ändern Sie unter Profil Ihr Passwort.",
  "In case you lose your phone or passkey.": "Falls Telefon oder Passkey verloren gehen.",
  "It is set up.": "Eingerichtet.",
  "It no longer signs you in. Delete it on your device too.":
    "Damit ist keine Anmeldung mehr möglich. Löschen Sie ihn auch auf Ihrem Gerät.",
  "Its codes stop working at once. Without a passkey, your password alone signs you in.":
    "Ihre Codes funktionieren sofort nicht mehr. Ohne Passkey genügt dann Ihr Passwort zur Anmeldung.",
  "My laptop": "Mein Laptop",
  "None yet.": "Noch keine.",
  "Not set up.": "Nicht eingerichtet.",
  "Or type this key:": "Oder geben Sie diesen Schlüssel ein:",
  Passkey: "Passkey",
  "Passkey added.": "Passkey hinzugefügt.",
  Passkeys: "Passkeys",
  "QR code for the authenticator app": "QR-Code für die Authenticator-App",
  "recovery codes": "Wiederherstellungscodes",
  "Recovery codes": "Wiederherstellungscodes",
  Remove: "Entfernen",
  "Remove passkey": "Passkey entfernen",
  "Remove the authenticator app?": "Authenticator-App entfernen?",
  Replace: "Ersetzen",
  "Replace codes": "Codes ersetzen",
  "Replace your recovery codes?": "Wiederherstellungscodes ersetzen?",
  "Save your recovery codes": "Wiederherstellungscodes sichern",
  "Scan the picture with the app, then enter the code it shows.":
    "Scannen Sie das Bild mit der App und geben Sie dann den angezeigten Code ein.",
  Sessions: "Sitzungen",
  "Set up": "Einrichten",
  "Set up an authenticator app": "Authenticator-App einrichten",
  "Set up an authenticator app or a passkey. The other pages open as soon as it is done.":
    "Richten Sie eine Authenticator-App oder einen Passkey ein. Danach öffnen sich die anderen Seiten.",
  "Sign out what you do not recognise, then change your password.":
    "Melden Sie ab, was Sie nicht kennen, und ändern Sie dann Ihr Passwort.",
  "Sign out what you do not recognise.": "Melden Sie ab, was Sie nicht kennen.",
  "Sign out {user_agent}": "{user_agent} abmelden",
  "Signed out.": "Abgemeldet.",
  "Single sign-on": "Single Sign-on",
  "The last one was entered {time} from the address {address}.":
    "Der letzte wurde {time} von der Adresse {address} eingegeben.",
  "The last one was entered {time}.": "Der letzte wurde {time} eingegeben.",
  "They are shown only now": "Sie werden nur jetzt angezeigt",
  "This browser": "Dieser Browser",
  "This workspace requires two-factor sign-in": "Dieser Arbeitsbereich verlangt die Zwei-Faktor-Anmeldung",
  "Where you are signed in": "Wo Sie angemeldet sind",
  "You get ten new codes. The codes you have now stop working.":
    "Sie erhalten zehn neue Codes. Die bisherigen funktionieren dann nicht mehr.",
  "You sign in through single sign-on, without a password of Parley. A second factor is set up at your identity provider.":
    "Sie melden sich per Single Sign-on an, ohne Passwort von Parley. Einen zweiten Faktor richten Sie bei Ihrem Identitätsanbieter ein.",
  "Your browser asks next. The name is for you: the device, or the password manager that keeps it.":
    "Als Nächstes fragt Ihr Browser. Der Name ist für Sie: das Gerät oder der Passwortmanager, der ihn aufbewahrt.",
  "Your finger, face or device PIN instead of a code, or instead of the password.":
    "Ihr Finger, Gesicht oder die Geräte-PIN statt eines Codes oder statt des Passworts.",
  "{n} codes are left.": ["Noch {n} Code übrig.", "Noch {n} Codes übrig."],
  "{n} wrong codes were entered after your correct password": [
    "Nach Ihrem richtigen Passwort wurde {n} falscher Code eingegeben",
    "Nach Ihrem richtigen Passwort wurden {n} falsche Codes eingegeben",
  ],
};
