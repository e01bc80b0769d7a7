/** Anrede: Sie. Die Wörter sind die der Oberfläche. */
export const texts: Readonly<Record<string, string>> = {
  "A colleague": "Jemand aus dem Team",
  "A new device signed in to your Parley account": "Neues Gerät hat sich bei Ihrem Parley-Konto angemeldet",
  "A scheduled backup was written again": "Ein geplantes Backup wurde wieder geschrieben",
  "A test from Parley": "Ein Test von Parley",
  'API key "{name}" expires within 7 days': "Der API-Schlüssel „{name}“ läuft in den nächsten 7 Tagen ab",
  'API key "{name}" expires within a day': "Der API-Schlüssel „{name}“ läuft in den nächsten 24 Stunden ab",
  "Address: {ip}": "Adresse: {ip}",
  "After five days of nothing but failures a webhook is disabled. Correct its URL or the receiver.":
    "Nach fünf Tagen, in denen alles fehlschlägt, wird ein Webhook deaktiviert. Korrigieren Sie seine URL oder den Empfänger.",
  "Browser: {browser}": "Browser: {browser}",
  'Consumer "{name}" has caught up': "Der Consumer „{name}“ hat aufgeholt",
  'Consumer "{name}" is behind': "Der Consumer „{name}“ ist im Rückstand",
  "Deliveries that are due have not been attempted. Check that a server or worker is running and keeps up; a receiver that responds slowly delays its own deliveries.":
    "Fällige Zustellungen wurden nicht versucht. Prüfen Sie, ob ein Server oder Worker läuft und nachkommt; ein langsamer Empfänger verzögert nur seine eigenen Zustellungen.",
  "Deliveries that failed in the meantime are sent with their next retries.":
    "Zustellungen, die inzwischen fehlgeschlagen sind, werden mit ihren nächsten Wiederholungen gesendet.",
  "Events are not sent there any more. Once the receiver works, enable the webhook and use Recover to send what was missed.":
    "Dorthin werden keine Ereignisse mehr gesendet. Sobald der Empfänger funktioniert, aktivieren Sie den Webhook und senden mit „Nachholen“, was gefehlt hat.",
  "Events wait to be read and acknowledged. Look at the program that reads them. What is older than the retention period is deleted, read or not.":
    "Ereignisse warten darauf, gelesen und bestätigt zu werden. Sehen Sie nach dem Programm, das sie liest. Was älter ist als die Aufbewahrungszeit, wird gelöscht, gelesen oder nicht.",
  "Every delivery has failed for five days.": "Seit fünf Tagen schlägt jede Zustellung fehl.",
  "If it was not you, set a new password at once: {url}":
    "Wenn Sie das nicht waren, setzen Sie sofort ein neues Passwort: {url}",
  "If it was not you, you can ignore this e-mail: your password stays as it is.":
    "Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren: Ihr Passwort bleibt, wie es ist.",
  "If it was you, nothing needs to be done. If not, set a new password at once: {url}":
    "Wenn Sie das waren, ist nichts zu tun. Wenn nicht, setzen Sie sofort ein neues Passwort: {url}",
  "If it was you, nothing needs to be done. If not, your password is known to another person: set a new one at once: {url}":
    "Wenn Sie das waren, ist nichts zu tun. Wenn nicht, kennt jemand anderes Ihr Passwort: Setzen Sie sofort ein neues: {url}",
  "If you did not expect this, you can ignore this e-mail.":
    "Wenn Sie das nicht erwartet haben, können Sie diese E-Mail ignorieren.",
  "Look at the log of the server for the reason: a full disk, or a directory that cannot be written to.":
    "Der Grund steht im Protokoll des Servers: ein voller Datenträger oder ein Verzeichnis, in das nicht geschrieben werden kann.",
  'Mailbox "{name}" has been failing for 15 minutes': "Das Postfach „{name}“ ist seit 15 Minuten gestört",
  'Mailbox "{name}" works again': "Das Postfach „{name}“ funktioniert wieder",
  "No mail is lost: what arrives waits on the mail server, and replies wait here. Check the mailbox in the settings, which says at which step it fails.":
    "Es geht keine Mail verloren: Was ankommt, wartet auf dem Mailserver, und Antworten warten hier. Prüfen Sie das Postfach in den Einstellungen: Dort steht, an welchem Schritt es scheitert.",
  "Nothing is lost: failed deliveries are retried as often as the webhook is set to, and Recover sends what was missed. Look at the log of the webhook, and correct its URL or the receiver.":
    "Es geht nichts verloren: Fehlgeschlagene Zustellungen werden so oft wiederholt, wie der Webhook eingestellt ist, und „Nachholen“ sendet, was gefehlt hat. Sehen Sie in das Protokoll des Webhooks, und korrigieren Sie seine URL oder den Empfänger.",
  "Nothing needs to be done.": "Es ist nichts zu tun.",
  "Requests with an expired key are refused. Rotate the key or extend it if it is still in use.":
    "Anfragen mit einem abgelaufenen Schlüssel werden abgelehnt. Erneuern oder verlängern Sie den Schlüssel, wenn er noch gebraucht wird.",
  "Set a new password for Parley": "Neues Passwort für Parley setzen",
  "Someone at the address {ip} asked to set a new password for your account.":
    "Jemand mit der Adresse {ip} hat ein neues Passwort für Ihr Konto angefordert.",
  "Someone signed in to your account with a browser that has not been used for it before.":
    "Jemand hat sich bei Ihrem Konto mit einem Browser angemeldet, der dafür noch nie benutzt wurde.",
  "The backlog is cleared.": "Der Rückstand ist abgearbeitet.",
  "The destination responded with 410 Gone.": "Das Ziel hat mit 410 Gone geantwortet.",
  "The password of your account was changed with a link from an e-mail, from the address {ip} at {at}. You were signed out everywhere.":
    "Das Passwort Ihres Kontos wurde mit einem Link aus einer E-Mail geändert: {at}, von der Adresse {ip}. Sie wurden überall abgemeldet.",
  "The scheduled backup is overdue": "Das geplante Backup ist überfällig",
  "This is a test. Alerts of this workspace will reach you here.":
    "Dies ist ein Test. Alarme dieses Arbeitsbereichs erreichen Sie hier.",
  "Time: {at}": "Zeit: {at}",
  "To choose one, open this link. It works once, for {minutes} minutes:":
    "Öffnen Sie diesen Link, um eines zu wählen. Er gilt einmal, {minutes} Minuten lang:",
  "To join, open this link. It works once, until {time}:":
    "Öffnen Sie zum Beitreten diesen Link. Er gilt einmal, bis {time}:",
  'Webhook "{name}" has been failing for 24 hours': "Der Webhook „{name}“ schlägt seit 24 Stunden fehl",
  'Webhook "{name}" has been failing for an hour': "Der Webhook „{name}“ schlägt seit einer Stunde fehl",
  'Webhook "{name}" is delivering again': "Der Webhook „{name}“ stellt wieder zu",
  'Webhook "{name}" was disabled': "Der Webhook „{name}“ wurde deaktiviert",
  "Webhook deliveries are late": "Webhook-Zustellungen verspäten sich",
  "Webhook deliveries are on time again": "Webhook-Zustellungen sind wieder pünktlich",
  "What has waited is fetched and sent.": "Was gewartet hat, wird abgeholt und gesendet.",
  "Wrong codes were entered for your Parley account": "Falsche Codes wurden für Ihr Parley-Konto eingegeben",
  "You get this e-mail because you had not been in the dashboard for ten minutes. Turn it off under Profile > Notifications.":
    "Sie erhalten diese E-Mail, weil Sie zehn Minuten lang nicht in der Oberfläche waren. Unter Profil > Benachrichtigungen lässt sie sich abschalten.",
  "Your correct password and then {count} wrong codes in a row were entered, the last one from the address {ip} at {at}. Further codes now have to wait, longer each time. A passkey still signs in at once.":
    "Ihr richtiges Passwort und danach {count} falsche Codes hintereinander wurden eingegeben, der letzte von der Adresse {ip}: {at}. Weitere Codes müssen nun warten, jedes Mal länger. Ein Passkey meldet weiterhin sofort an.",
  "Your password for Parley was changed": "Ihr Passwort für Parley wurde geändert",
  "and {n} more": "und {n} weitere",
  "its oldest event is of {time}": "sein ältestes Ereignis ist von {time}",
  "on {time}": "am {time}",
  "since {time}": "seit {time}",
  "the newest was written at {time}": "das neueste wurde geschrieben: {time}",
  "their directory cannot be read ({reason})": "das Verzeichnis der Backups ist nicht lesbar ({reason})",
  "there is none yet": "es gibt noch keines",
  '{inviter} invited you to the workspace "{workspace}" on Parley, as an admin.':
    "{inviter} hat Sie als Admin in den Arbeitsbereich „{workspace}“ auf Parley eingeladen.",
  '{inviter} invited you to the workspace "{workspace}" on Parley, as an agent.':
    "{inviter} hat Sie als Agent in den Arbeitsbereich „{workspace}“ auf Parley eingeladen.",
  '{inviter} invited you to the workspace "{workspace}" on Parley, as an owner.':
    "{inviter} hat Sie als Inhaber in den Arbeitsbereich „{workspace}“ auf Parley eingeladen.",
  "{inviter} invited you to {workspace}": "{inviter} hat Sie zu {workspace} eingeladen",
  "{name} mentioned you": "{name} hat Sie erwähnt",
  "{name} mentioned you in a note of conversation {conversation}.":
    "{name} hat Sie in einer Notiz der Unterhaltung {conversation} erwähnt.",
  "{n} API keys expire within 7 days": "{n} API-Schlüssel laufen in den nächsten 7 Tagen ab",
  "{n} API keys expire within a day": "{n} API-Schlüssel laufen in den nächsten 24 Stunden ab",
  "{n} consumers are behind": "{n} Consumer sind im Rückstand",
  "{n} consumers have caught up": "{n} Consumer haben aufgeholt",
  "{n} mailboxes have been failing for 15 minutes": "{n} Postfächer sind seit 15 Minuten gestört",
  "{n} mailboxes work again": "{n} Postfächer funktionieren wieder",
  "{n} webhooks are delivering again": "{n} Webhooks stellen wieder zu",
  "{n} webhooks have been failing for 24 hours": "{n} Webhooks schlagen seit 24 Stunden fehl",
  "{n} webhooks have been failing for an hour": "{n} Webhooks schlagen seit einer Stunde fehl",
  "{n} webhooks were disabled": "{n} Webhooks wurden deaktiviert",
};
