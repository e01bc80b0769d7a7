import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "A contact has at most {max} notes; delete some first.":
    "Ein Kontakt hat höchstens {max} Notizen; löschen Sie zuerst einige.",
  "A person can have at most {max} views.": "Eine Person kann höchstens {max} Ansichten haben.",
  "A test with example data cannot be sent again; send another test.":
    "Ein Test mit Beispieldaten kann nicht noch einmal gesendet werden; senden Sie einen neuen.",
  "A user with this e-mail address is already a member of the workspace.":
    "Jemand mit dieser E-Mail-Adresse ist schon Mitglied des Arbeitsbereichs.",
  "Addresses in the domain invalid do not exist.": "Adressen in der Domain invalid gibt es nicht.",
  "An authenticator app is set up already.": "Es ist schon eine Authenticator-App eingerichtet.",
  "An authenticator app is set up already. Remove it first.":
    "Es ist schon eine Authenticator-App eingerichtet. Entfernen Sie sie zuerst.",
  "An owner has invited this address. Only an owner may replace or revoke that invitation.":
    "Ein Inhaber hat diese Adresse eingeladen. Nur Inhaber dürfen diese Einladung ersetzen oder widerrufen.",
  "Another contact has this external_id.": "Ein anderer Kontakt hat diese externe ID.",
  "Another mailbox of this installation has this address.":
    "Ein anderes Postfach dieser Installation hat diese Adresse.",
  "Another mailbox of this workspace has this address.":
    "Ein anderes Postfach dieses Arbeitsbereichs hat diese Adresse.",
  "Another person began to add this passkey.": "Jemand anderes hat begonnen, diesen Passkey hinzuzufügen.",
  "Another saved reply has this shortcut.": "Eine andere gespeicherte Antwort hat dieses Kürzel.",
  "assignee_id must be the id or uuid of a member of the workspace, or 0 for nobody.":
    "Diese Person gehört nicht zum Arbeitsbereich.",
  "body has an unknown variable {name}. Known are {known}.":
    "body enthält eine unbekannte Variable: {name}. Bekannt sind {known}.",
  "body must not be empty unless there are attachments.": "Ohne Anhang darf der Text nicht leer sein.",
  "Confirm your password first: it was checked too long ago.":
    "Bestätigen Sie zuerst Ihr Passwort: Es wurde vor zu langer Zeit geprüft.",
  "contact_id must be a contact with an e-mail address, to whom the message is sent.":
    "Der Kontakt braucht eine E-Mail-Adresse, an die die Nachricht gesendet wird.",
  "current_password is required for a new password.": "Für ein neues Passwort ist das aktuelle nötig.",
  "dkim.private_key must be a private key in PEM form: RSA with 1,024 bits or more, or Ed25519.":
    "Nötig ist ein privater Schlüssel im PEM-Format: RSA mit mindestens 1.024 Bit oder Ed25519.",
  "expires_at must be in the future.": "Das Ablaufdatum muss in der Zukunft liegen.",
  "If you have an account with this e-mail address, use its password.":
    "Wenn Sie mit dieser E-Mail-Adresse ein Konto haben, verwenden Sie dessen Passwort.",
  "inbound of type smtp needs an address in one of the domains of PARLEY_MAIL_DOMAINS.":
    "Für Parleys eigenen Empfänger muss die Adresse in einer der Domains von PARLEY_MAIL_DOMAINS liegen.",
  "It has changed since you read it. Read it again, then repeat your change.":
    "Es wurde geändert, seit Sie es gelesen haben. Laden Sie es neu und wiederholen Sie Ihre Änderung.",
  "labels must have at most {limit} items.": "Es sind höchstens {limit} Labels möglich.",
  "labels must not bring the workspace beyond {max} different labels.":
    "Ein Arbeitsbereich kann höchstens {max} verschiedene Labels haben.",
  "Mail of this mailbox is still being sent. Wait until it is, or delete those messages.":
    "E-Mails dieses Postfachs werden noch gesendet. Warten Sie, bis das geschehen ist, oder löschen Sie diese Nachrichten.",
  "No authenticator app is set up.": "Es ist keine Authenticator-App eingerichtet.",
  "No chat is set.": "Es ist kein Chat eingestellt.",
  "Nobody is left to send this message to.": "Es gibt niemanden mehr, an den diese Nachricht gesendet werden könnte.",
  "Only an owner may do this to an owner.": "Das dürfen bei Inhabern nur Inhaber.",
  "Only its author or a manager can delete a note.":
    "Eine Notiz können nur die Person, die sie geschrieben hat, sowie Inhaber und Admins löschen.",
  "Only the person who owns this view can make it private.":
    "Nur die Person, der diese Ansicht gehört, kann sie privat machen.",
  "outbound must name a mail server: the one of the installation sends only for the domains of PARLEY_MAIL_DOMAINS.":
    "Geben Sie einen Mailserver zum Senden an: Der Server der Installation sendet nur für die Domains von PARLEY_MAIL_DOMAINS.",
  "Parley is set up already. Sign in, or ask an owner for an invitation.":
    "Parley ist schon eingerichtet. Melden Sie sich an oder bitten Sie einen Inhaber um eine Einladung.",
  "password is one of the most common passwords. Choose another one.":
    "Das ist eines der häufigsten Passwörter. Wählen Sie ein anderes.",
  "password must have at least {limit} characters.": "Das Passwort braucht mindestens {limit} Zeichen.",
  "password must have at most {limit} characters.": "Das Passwort darf höchstens {limit} Zeichen haben.",
  "password must not consist of spaces alone.": "Das Passwort darf nicht nur aus Leerzeichen bestehen.",
  "Passwords and passkeys are not accepted here. Use single sign-on.":
    "Passwörter und Passkeys werden hier nicht angenommen. Verwenden Sie Single Sign-on.",
  "Reading this took too long. Narrow it down with filters, or try again soon.":
    "Das Lesen hat zu lange gedauert. Grenzen Sie es mit Filtern ein oder versuchen Sie es gleich noch einmal.",
  "Sending api_key events again also requires the scope api-keys:manage.":
    "Um api_key-Ereignisse noch einmal zu senden, ist auch das Recht api-keys:manage nötig.",
  "Set up an authenticator app or a passkey first.":
    "Richten Sie zuerst eine Authenticator-App oder einen Passkey ein.",
  "Set up your own second factor first: otherwise you would lock yourself out.":
    "Richten Sie zuerst Ihren eigenen zweiten Faktor ein: Sonst würden Sie sich selbst aussperren.",
  "snoozed_until must be at most one year from now.": "Die Zeit darf höchstens ein Jahr entfernt sein.",
  "snoozed_until must be in the future.": "Die Zeit muss in der Zukunft liegen.",
  "Something went wrong on our side.": "Auf dem Server ist etwas schiefgegangen.",
  "Subscribing to api_key events also requires the scope api-keys:manage.":
    "Um api_key-Ereignisse zu abonnieren, ist auch das Recht api-keys:manage nötig.",
  "That is not your current password.": "Das ist nicht Ihr aktuelles Passwort.",
  "The account with your e-mail address is linked to another identity at the provider. Ask the operator to unlink it.":
    "Das Konto mit Ihrer E-Mail-Adresse ist mit einer anderen Identität beim Anbieter verknüpft. Bitten Sie den Betreiber, die Verknüpfung aufzuheben.",
  "The API key does not exist.": "Diesen API-Schlüssel gibt es nicht.",
  "The API key has expired; move `expires_at` to resume it.":
    "Der API-Schlüssel ist abgelaufen; wählen Sie ein späteres Ablaufdatum, um ihn fortzusetzen.",
  "The API key is revoked; a revoked key cannot be changed.":
    "Der API-Schlüssel ist widerrufen und kann nicht mehr geändert werden.",
  "The API key is revoked; a revoked key cannot be rotated.":
    "Der API-Schlüssel ist widerrufen und kann nicht mehr erneuert werden.",
  "The body must not be empty: it is the file.": "Die Datei ist leer.",
  "The code is wrong or was used already.": "Der Code ist falsch oder wurde schon verwendet.",
  "The code is wrong. Check the clock of your phone and enter the newest code.":
    "Der Code ist falsch. Prüfen Sie die Uhr Ihres Telefons und geben Sie den neuesten Code ein.",
  "The consumer does not exist.": "Diesen Consumer gibt es nicht.",
  "The contact does not exist.": "Diesen Kontakt gibt es nicht.",
  "The contact has conversations; delete those first.": "Der Kontakt hat Unterhaltungen; löschen Sie diese zuerst.",
  "The conversation does not exist.": "Diese Unterhaltung gibt es nicht.",
  "The database is not available. Try again soon.":
    "Die Datenbank ist nicht verfügbar. Versuchen Sie es gleich noch einmal.",
  "The database did not finish this in time: it is busy, or other requests change the same records. Try again.":
    "Die Datenbank ist damit nicht rechtzeitig fertig geworden: Sie ist ausgelastet, oder andere Anfragen ändern dieselben Einträge. Versuchen Sie es noch einmal.",
  "The delivery log does not exist.": "Diesen Versuch gibt es im Protokoll nicht.",
  "The draft does not exist.": "Diesen Entwurf gibt es nicht.",
  "The e-mail address or the password is wrong.": "Die E-Mail-Adresse oder das Passwort ist falsch.",
  "The event does not exist.": "Dieses Ereignis gibt es nicht.",
  "The event is past its retention and can no longer be sent.":
    "Die Aufbewahrungsfrist des Ereignisses ist vorbei, es kann nicht mehr gesendet werden.",
  "The file does not exist.": "Diese Datei gibt es nicht.",
  "The file is larger than the limit of {limit}.": "Die Datei ist größer als {limit}.",
  "The given data was invalid.": "Die Angaben sind ungültig.",
  "The host of the url is not a valid name.": "Der Host der URL ist kein gültiger Name.",
  "The identity provider cannot be reached. Try again soon.":
    "Der Identitätsanbieter ist nicht erreichbar. Versuchen Sie es gleich noch einmal.",
  "The identity provider denied this sign-in, or it was canceled there.":
    "Der Identitätsanbieter hat diese Anmeldung abgelehnt, oder sie wurde dort abgebrochen.",
  "The identity provider did not confirm an e-mail address for you.":
    "Der Identitätsanbieter hat für Sie keine E-Mail-Adresse bestätigt.",
  "The identity provider did not confirm this sign-in. Start again.":
    "Der Identitätsanbieter hat diese Anmeldung nicht bestätigt. Beginnen Sie noch einmal.",
  "The invitation does not exist.": "Diese Einladung gibt es nicht.",
  "The mail does not exist.": "Diese E-Mail gibt es nicht.",
  "The mailbox does not exist.": "Dieses Postfach gibt es nicht.",
  "The mailbox is paused: resume it first.": "Das Postfach ist pausiert: Setzen Sie es zuerst fort.",
  "The member does not exist.": "Dieses Mitglied gibt es nicht.",
  "The message does not exist.": "Diese Nachricht gibt es nicht.",
  "The message is a mail: what was sent or received cannot be changed.":
    "Die Nachricht ist eine E-Mail: Was gesendet oder empfangen wurde, lässt sich nicht ändern.",
  "The note does not exist.": "Diese Notiz gibt es nicht.",
  "The passkey could not be verified. Try again.":
    "Der Passkey konnte nicht bestätigt werden. Versuchen Sie es noch einmal.",
  "The passkey does not exist.": "Diesen Passkey gibt es nicht.",
  "The push subscription does not exist.": "Dieser Browser erhält keine Benachrichtigungen mehr.",
  "The role {role} lacks the scope {scope}.": "Der Rolle {role} fehlt das Recht {scope}.",
  "The role {role} may not do this.": "Mit der Rolle {role} ist das nicht erlaubt.",
  "The saved reply does not exist.": "Diese gespeicherte Antwort gibt es nicht.",
  "The server is stopping. Try again soon.": "Der Server wird gerade beendet. Versuchen Sie es gleich noch einmal.",
  "The session does not exist.": "Diese Sitzung gibt es nicht.",
  "The upload was interrupted before all bytes had arrived.":
    "Das Hochladen wurde unterbrochen, bevor alles angekommen war.",
  "The url is not valid.": "Die URL ist ungültig.",
  "The url must not be longer than {max} characters.": "Die URL darf höchstens {max} Zeichen haben.",
  "The url must not contain a backslash.": "Die URL darf keinen umgekehrten Schrägstrich enthalten.",
  "The url must not contain a user name or password.": "Die URL darf weder Benutzernamen noch Passwort enthalten.",
  "The url must not contain spaces or control characters.":
    "Die URL darf weder Leerzeichen noch Steuerzeichen enthalten.",
  "The url must not point to a private or reserved address.":
    "Die URL darf nicht zu einer privaten oder reservierten Adresse führen.",
  "The url must not use port {port}.": "Der Port {port} ist in der URL nicht erlaubt.",
  "The url must start with http:// or https:// and a host.":
    "Die URL muss mit http:// oder https:// und einem Host beginnen.",
  "The url must start with https://.": "Die URL muss mit https:// beginnen.",
  "The view does not exist.": "Diese Ansicht gibt es nicht.",
  "The webhook does not exist.": "Diesen Webhook gibt es nicht.",
  "The webhook is disabled; enable it first.": "Der Webhook ist deaktiviert; aktivieren Sie ihn zuerst.",
  "The widget does not exist.": "Dieses Widget gibt es nicht.",
  "The workspace does not exist.": "Diesen Arbeitsbereich gibt es nicht.",
  "There is a user with this e-mail address already.": "Es gibt schon ein Konto mit dieser E-Mail-Adresse.",
  "There is one already. Read it, then repeat your change.":
    "Es gibt schon eins. Laden Sie neu und wiederholen Sie Ihre Änderung.",
  "This browser gets no pushes.": "Dieser Browser erhält keine Push-Benachrichtigungen.",
  "This invitation does not exist, or it has ended. Ask for a new one.":
    "Diese Einladung gibt es nicht, oder sie ist nicht mehr gültig. Bitten Sie um eine neue.",
  "This invitation is for {email}. You signed in as {user}.":
    "Diese Einladung ist für {email}. Sie haben sich als {user} angemeldet.",
  "This is the last owner of the workspace. Make another member an owner first.":
    "Das ist der letzte Inhaber des Arbeitsbereichs. Machen Sie zuerst ein anderes Mitglied zum Inhaber.",
  "This link was used already, or it has expired. Ask for a new one.":
    "Dieser Link wurde schon verwendet oder ist abgelaufen. Fordern Sie einen neuen an.",
  "This passkey is not known here, or it could not be verified.":
    "Dieser Passkey ist hier nicht bekannt oder konnte nicht bestätigt werden.",
  "This passkey is registered already.": "Dieser Passkey ist schon registriert.",
  "This request does not come from the dashboard's own pages. If you use this address, set PARLEY_PUBLIC_URL to it.":
    "Diese Anfrage kommt nicht von den eigenen Seiten der Oberfläche. Wenn Sie diese Adresse verwenden, setzen Sie PARLEY_PUBLIC_URL darauf.",
  "This server sends no e-mail. Its operator can reset your password on the command line.":
    "Dieser Server verschickt keine E-Mails. Sein Betreiber kann Ihr Passwort auf der Befehlszeile zurücksetzen.",
  "This server sends no e-mail: PARLEY_SMTP_URL is not set.":
    "Dieser Server verschickt keine E-Mails: PARLEY_SMTP_URL ist nicht gesetzt.",
  "This set-up link is not valid. The server prints a new one when it starts.":
    "Dieser Einrichtungslink ist ungültig. Der Server gibt beim Start einen neuen aus.",
  "This sign-in took too long or failed too often. Start again.":
    "Diese Anmeldung hat zu lange gedauert oder ist zu oft fehlgeschlagen. Beginnen Sie noch einmal.",
  "This sign-in was completed already. Start again.":
    "Diese Anmeldung wurde schon abgeschlossen. Beginnen Sie noch einmal.",
  "This workspace has reached its limit of 4 MiB of saved replies.":
    "Dieser Arbeitsbereich hat die Grenze von 4 MiB an gespeicherten Antworten erreicht.",
  "This workspace has reached its limit of {limit} of files.":
    "Dieser Arbeitsbereich hat die Grenze von {limit} an Dateien erreicht.",
  "This workspace has reached its limit of {max} api keys.":
    "Dieser Arbeitsbereich hat die Grenze von {max} API-Schlüsseln erreicht.",
  "This workspace has reached its limit of {max} consumers.":
    "Dieser Arbeitsbereich hat die Grenze von {max} Consumern erreicht.",
  "This workspace has reached its limit of {max} invitations.":
    "Dieser Arbeitsbereich hat die Grenze von {max} Einladungen erreicht.",
  "This workspace has reached its limit of {max} mailboxes.":
    "Dieser Arbeitsbereich hat die Grenze von {max} Postfächern erreicht.",
  "This workspace has reached its limit of {max} members.":
    "Dieser Arbeitsbereich hat die Grenze von {max} Mitgliedern erreicht.",
  "This workspace has reached its limit of {max} saved replies.":
    "Dieser Arbeitsbereich hat die Grenze von {max} gespeicherten Antworten erreicht.",
  "This workspace has reached its limit of {max} views.":
    "Dieser Arbeitsbereich hat die Grenze von {max} Ansichten erreicht.",
  "This workspace has reached its limit of {max} webhooks.":
    "Dieser Arbeitsbereich hat die Grenze von {max} Webhooks erreicht.",
  "This workspace has reached its limit of {max} widgets.":
    "Dieser Arbeitsbereich hat die Grenze von {max} Widgets erreicht.",
  "This workspace is being moved to another cell. Reading works; try again in a few seconds to write.":
    "Dieser Arbeitsbereich zieht gerade um. Lesen ist möglich; versuchen Sie das Schreiben in ein paar Sekunden noch einmal.",
  "Too many changes of this workspace are in progress. Try again soon.":
    "In diesem Arbeitsbereich laufen gerade zu viele Änderungen. Versuchen Sie es gleich noch einmal.",
  "Too many checks of this mailbox.": "Dieses Postfach wurde zu oft geprüft.",
  "Too many failed attempts. Wait before trying again.":
    "Zu viele fehlgeschlagene Versuche. Warten Sie, bevor Sie es noch einmal versuchen.",
  "Too many people are signing in. Try again soon.":
    "Zu viele Personen melden sich gerade an. Versuchen Sie es gleich noch einmal.",
  "Too many requests for a new password. Wait before trying again.":
    "Zu viele Anfragen nach einem neuen Passwort. Warten Sie, bevor Sie es noch einmal versuchen.",
  "Too many requests of this workspace are in progress. Try again soon.":
    "In diesem Arbeitsbereich laufen gerade zu viele Anfragen. Versuchen Sie es gleich noch einmal.",
  "Too many requests of this workspace.": "Zu viele Anfragen dieses Arbeitsbereichs.",
  "Too many requests.": "Zu viele Anfragen.",
  "Too many test mails of this mailbox.": "Zu viele Test-E-Mails dieses Postfachs.",
  "Too many test messages. Wait before sending another one.":
    "Zu viele Testnachrichten. Warten Sie, bevor Sie noch eine senden.",
  "Too many tests. Wait before sending another one.": "Zu viele Tests. Warten Sie, bevor Sie noch einen senden.",
  "Too many uploads of this workspace are in progress.":
    "In diesem Arbeitsbereich werden gerade zu viele Dateien hochgeladen.",
  "Too many wrong codes for this account. Wait before trying again.":
    "Zu viele falsche Codes für dieses Konto. Warten Sie, bevor Sie es noch einmal versuchen.",
  "Two-factor sign-in is required here. Set it up under Account security, then continue.":
    "Hier ist die Zwei-Faktor-Anmeldung nötig. Richten Sie sie unter Kontosicherheit ein und machen Sie dann weiter.",
  "You are not signed in, or the session has ended.": "Sie sind nicht angemeldet, oder die Sitzung ist beendet.",
  "You belong to no workspace. Ask an owner for an invitation.":
    "Sie gehören zu keinem Arbeitsbereich. Bitten Sie einen Inhaber um eine Einladung.",
  "You have {max} passkeys. Remove one first.": "Sie haben {max} Passkeys. Entfernen Sie zuerst einen.",
  "Your account has no password. It signs in through single sign-on, where its security is set up.":
    "Ihr Konto hat kein Passwort. Es meldet sich per Single Sign-on an; dort wird auch seine Sicherheit eingerichtet.",
  "Your account requires a second factor. Sign in first, then open the invitation's link again.":
    "Ihr Konto verlangt einen zweiten Faktor. Melden Sie sich zuerst an und öffnen Sie dann den Einladungslink noch einmal.",
  "{field} is not a known {what}.": "{field} ist nicht bekannt.",
  "{field} is required.": "{field} fehlt.",
  "{field} must be a color such as #0f766e.": "{field} muss eine Farbe wie #0f766e sein.",
  "{field} must be an address or a CIDR.": "{field} muss eine Adresse oder ein CIDR-Bereich sein.",
  "{field} must be an e-mail address.": "{field} muss eine E-Mail-Adresse sein.",
  "{field} must be an http or https URL.": "{field} muss eine URL mit http oder https sein.",
  "{field} must be an origin such as https://shop.example, with nothing after the host and port.":
    "{field} muss ein Origin wie https://shop.example sein, ohne etwas nach Host und Port.",
  "{field} must be at least {limit}.": "{field} muss mindestens {limit} sein.",
  "{field} must be at most {limit}.": "{field} darf höchstens {limit} sein.",
  "{field} must be one of: {values}.": "{field} muss eines davon sein: {values}.",
  "{field} must be the name or address of a server.": "{field} muss Name oder Adresse eines Servers sein.",
  "{field} must begin with https://; http:// is for localhost and loopback addresses only.":
    "{field} muss mit https:// beginnen; http:// geht nur bei localhost und Loopback-Adressen.",
  "{field} must have a valid header name.": "{field} muss einen gültigen Header-Namen haben.",
  "{field} must have at least {limit} characters.": "{field} muss mindestens {limit} Zeichen haben.",
  "{field} must have at most {limit} characters.": "{field} darf höchstens {limit} Zeichen haben.",
  "{field} must have at most {limit} entries.": "{field} darf höchstens {limit} Einträge haben.",
  "{field} must have at most {limit} items.": "{field} darf höchstens {limit} Einträge haben.",
  "{field} must name a recipient: nobody of this conversation has an address.":
    "Geben Sie einen Empfänger an: Niemand in dieser Unterhaltung hat eine Adresse.",
  "{field} must not be empty.": "{field} darf nicht leer sein.",
  "{field} must not be larger than {max} MiB together in a mail: send a link instead.":
    "Anhänge dürfen in einer E-Mail zusammen höchstens {max} MiB haben: Senden Sie stattdessen einen Link.",
  "{field} must not be or point to a private or reserved address.":
    "{field} darf keine private oder reservierte Adresse sein und zu keiner führen.",
  "{field} must not contain blanks.": "{field} darf keine Leerzeichen enthalten.",
  "{field} must not contain control characters.": "{field} darf keine Steuerzeichen enthalten.",
  "{field} must not have more than {max} recipients together.": "Zusammen sind höchstens {max} Empfänger möglich.",
  "{part} must have a password or oauth; both are asked for again when host or user changes.":
    "Geben Sie das Passwort oder OAuth an; beides wird erneut verlangt, wenn sich Host oder Benutzer ändern.",
  "{prefix}attributes must have at most {max} bytes as JSON.":
    "Die Attribute dürfen als JSON höchstens {max} Byte haben.",
  "The database cannot write: {problem}.": "Die Datenbank kann nicht schreiben: {problem}.",
  "The destination responded with 410 Gone.": "Das Ziel hat mit 410 Gone geantwortet.",
  "Every delivery has failed for five days.": "Seit fünf Tagen schlägt jede Zustellung fehl.",
  "{host} refused the user name or the password (it said: {text}).":
    "{host} hat den Benutzernamen oder das Passwort abgelehnt (die Antwort: {text}).",
  "The certificate of {host} is not valid for this name ({code}).":
    "Das Zertifikat von {host} gilt nicht für diesen Namen ({code}).",
  "{host} refuses connections on port {port}.": "{host} nimmt auf Port {port} keine Verbindungen an.",
  "{host} closed the connection.": "{host} hat die Verbindung geschlossen.",
  "{host} closed the connection before it greeted.": "{host} hat die Verbindung vor der Begrüßung geschlossen.",
  "{host} does not respond on port {port}.": "{host} antwortet auf Port {port} nicht.",
  "{host} does not greet on port {port}. Is this the port for its security?":
    "{host} meldet sich auf Port {port} nicht. Passt der Port zur gewählten Sicherheit?",
  "{host} did not complete STARTTLS.": "{host} hat STARTTLS nicht abgeschlossen.",
  "{host} stopped responding.": "{host} antwortet nicht mehr.",
  "There is no route to {host}.": "{host} ist im Netz nicht erreichbar.",
  "{host} does not speak TLS on port {port}.": "{host} spricht auf Port {port} kein TLS.",
  "The connection to {host} was closed.": "Die Verbindung zu {host} wurde geschlossen.",
  "The mailbox was deleted.": "Das Postfach wurde gelöscht.",
  "No mail server is set: the mailbox has no outbound, and PARLEY_SMTP_URL is not set.":
    "Es ist kein Mailserver eingestellt: Das Postfach hat keinen Postausgang, und PARLEY_SMTP_URL ist nicht gesetzt.",
  "The address is not in a domain of PARLEY_MAIL_DOMAINS: the mailbox needs an outbound of its own.":
    "Die Adresse liegt in keiner Domain von PARLEY_MAIL_DOMAINS: Das Postfach braucht einen eigenen Postausgang.",
  "connection refused": "Verbindung abgelehnt",
  "connection reset while connecting": "Verbindung beim Aufbau abgebrochen",
  "connection closed by the receiver during the TLS handshake":
    "Der Empfänger hat die Verbindung beim TLS-Handshake geschlossen",
  "no route to the host": "kein Weg zum Host",
  "the host did not respond to the connection request": "der Host hat auf den Verbindungsaufbau nicht geantwortet",
  "the host name does not resolve": "der Hostname lässt sich nicht auflösen",
  "the name server did not respond": "der Nameserver hat nicht geantwortet",
  "the destination is a private or reserved address": "das Ziel ist eine private oder reservierte Adresse",
  "the TLS handshake took too long": "der TLS-Handshake hat zu lange gedauert",
  "TLS certificate has expired": "das TLS-Zertifikat ist abgelaufen",
  "TLS certificate is not valid yet": "das TLS-Zertifikat gilt noch nicht",
  "TLS certificate is self-signed": "das TLS-Zertifikat ist selbst signiert",
  "TLS certificate chain ends in an unknown authority":
    "die Kette der TLS-Zertifikate endet bei einer unbekannten Stelle",
  "TLS certificate chain is incomplete or its authority is unknown":
    "die Kette der TLS-Zertifikate ist unvollständig oder ihre Stelle unbekannt",
  "TLS certificate is for another host name": "das TLS-Zertifikat gilt für einen anderen Hostnamen",
  "TLS handshake failed: the port does not speak TLS": "TLS-Handshake fehlgeschlagen: Der Port spricht kein TLS",
};
