/** On vouvoie. Les mots sont ceux de l’interface. */
export const texts: Readonly<Record<string, string>> = {
  "A colleague": "Un collègue",
  "A new device signed in to your Parley account": "Un nouvel appareil s’est connecté à votre compte Parley",
  "A scheduled backup was written again": "Une sauvegarde planifiée a de nouveau été écrite",
  "A test from Parley": "Un test de Parley",
  'API key "{name}" expires within 7 days': "La clé d’API « {name} » expire dans moins de 7 jours",
  'API key "{name}" expires within a day': "La clé d’API « {name} » expire dans moins d’un jour",
  "Address: {ip}": "Adresse : {ip}",
  "After five days of nothing but failures a webhook is disabled. Correct its URL or the receiver.":
    "Après cinq jours où tout échoue, un webhook est désactivé. Corrigez son URL ou le récepteur.",
  "Browser: {browser}": "Navigateur : {browser}",
  'Consumer "{name}" has caught up': "Le consommateur « {name} » a rattrapé son retard",
  'Consumer "{name}" is behind': "Le consommateur « {name} » est en retard",
  "Deliveries that are due have not been attempted. Check that a server or worker is running and keeps up; a receiver that responds slowly delays its own deliveries.":
    "Des livraisons dues n’ont pas été tentées. Vérifiez qu’un serveur ou un worker tourne et suit le rythme ; un récepteur lent ne retarde que ses propres livraisons.",
  "Deliveries that failed in the meantime are sent with their next retries.":
    "Les livraisons échouées entre-temps sont envoyées à leurs prochaines tentatives.",
  "Events are not sent there any more. Once the receiver works, enable the webhook and use Recover to send what was missed.":
    "Les événements n’y sont plus envoyés. Quand le récepteur fonctionne, activez le webhook et envoyez avec « Récupérer » ce qui a manqué.",
  "Events wait to be read and acknowledged. Look at the program that reads them. What is older than the retention period is deleted, read or not.":
    "Des événements attendent d’être lus et confirmés. Examinez le programme qui les lit. Ce qui dépasse la durée de conservation est supprimé, lu ou non.",
  "Every delivery has failed for five days.": "Toutes les livraisons échouent depuis cinq jours.",
  "If it was not you, set a new password at once: {url}":
    "Si ce n’était pas vous, choisissez immédiatement un nouveau mot de passe : {url}",
  "If it was not you, you can ignore this e-mail: your password stays as it is.":
    "Si ce n’était pas vous, vous pouvez ignorer ce message : votre mot de passe reste le même.",
  "If it was you, nothing needs to be done. If not, set a new password at once: {url}":
    "Si c’était vous, il n’y a rien à faire. Sinon, choisissez immédiatement un nouveau mot de passe : {url}",
  "If it was you, nothing needs to be done. If not, your password is known to another person: set a new one at once: {url}":
    "Si c’était vous, il n’y a rien à faire. Sinon, une autre personne connaît votre mot de passe : choisissez-en immédiatement un nouveau : {url}",
  "If you did not expect this, you can ignore this e-mail.":
    "Si vous n’attendiez pas ce message, vous pouvez l’ignorer.",
  "Look at the log of the server for the reason: a full disk, or a directory that cannot be written to.":
    "La raison se trouve dans le journal du serveur : un disque plein, ou un répertoire où l’on ne peut pas écrire.",
  'Mailbox "{name}" has been failing for 15 minutes': "La boîte mail « {name} » échoue depuis 15 minutes",
  'Mailbox "{name}" works again': "La boîte mail « {name} » fonctionne de nouveau",
  "No mail is lost: what arrives waits on the mail server, and replies wait here. Check the mailbox in the settings, which says at which step it fails.":
    "Aucun e-mail n’est perdu : ce qui arrive attend sur le serveur de messagerie, et les réponses attendent ici. Vérifiez la boîte mail dans les réglages, qui indiquent l’étape en échec.",
  "Nothing is lost: failed deliveries are retried as often as the webhook is set to, and Recover sends what was missed. Look at the log of the webhook, and correct its URL or the receiver.":
    "Rien n’est perdu : les livraisons échouées sont retentées autant de fois que le webhook le prévoit, et « Récupérer » envoie ce qui a manqué. Consultez le journal du webhook, puis corrigez son URL ou le récepteur.",
  "Nothing needs to be done.": "Il n’y a rien à faire.",
  "Requests with an expired key are refused. Rotate the key or extend it if it is still in use.":
    "Les requêtes avec une clé expirée sont refusées. Renouvelez la clé ou prolongez-la si elle sert encore.",
  "Set a new password for Parley": "Choisissez un nouveau mot de passe pour Parley",
  "Someone at the address {ip} asked to set a new password for your account.":
    "Quelqu’un à l’adresse {ip} a demandé un nouveau mot de passe pour votre compte.",
  "Someone signed in to your account with a browser that has not been used for it before.":
    "Quelqu’un s’est connecté à votre compte avec un navigateur qui n’avait jamais servi à cela.",
  "The backlog is cleared.": "Le retard est résorbé.",
  "The destination responded with 410 Gone.": "La destination a répondu 410 Gone.",
  "The password of your account was changed with a link from an e-mail, from the address {ip} at {at}. You were signed out everywhere.":
    "Le mot de passe de votre compte a été modifié avec un lien reçu par e-mail : {at}, depuis l’adresse {ip}. Vous avez été déconnecté partout.",
  "The scheduled backup is overdue": "La sauvegarde planifiée est en retard",
  "This is a test. Alerts of this workspace will reach you here.":
    "Ceci est un test. Les alertes de cet espace de travail vous parviendront ici.",
  "Time: {at}": "Heure : {at}",
  "To choose one, open this link. It works once, for {minutes} minutes:":
    "Pour en choisir un, ouvrez ce lien. Il fonctionne une seule fois, pendant {minutes} minutes :",
  "To join, open this link. It works once, until {time}:":
    "Pour nous rejoindre, ouvrez ce lien. Il fonctionne une seule fois, jusqu’au {time} :",
  'Webhook "{name}" has been failing for 24 hours': "Le webhook « {name} » échoue depuis 24 heures",
  'Webhook "{name}" has been failing for an hour': "Le webhook « {name} » échoue depuis une heure",
  'Webhook "{name}" is delivering again': "Le webhook « {name} » livre de nouveau",
  'Webhook "{name}" was disabled': "Le webhook « {name} » a été désactivé",
  "Webhook deliveries are late": "Les livraisons de webhooks sont en retard",
  "Webhook deliveries are on time again": "Les livraisons de webhooks sont de nouveau à l’heure",
  "What has waited is fetched and sent.": "Ce qui attendait est relevé et envoyé.",
  "Wrong codes were entered for your Parley account": "Des codes incorrects ont été saisis pour votre compte Parley",
  "You get this e-mail because you had not been in the dashboard for ten minutes. Turn it off under Profile > Notifications.":
    "Vous recevez cet e-mail parce que vous n’étiez pas dans l’interface depuis dix minutes. Il se désactive sous Profil > Notifications.",
  "Your correct password and then {count} wrong codes in a row were entered, the last one from the address {ip} at {at}. Further codes now have to wait, longer each time. A passkey still signs in at once.":
    "Votre mot de passe correct puis {count} codes incorrects de suite ont été saisis, le dernier depuis l’adresse {ip} : {at}. Les codes suivants doivent désormais attendre, de plus en plus longtemps. Une clé d’accès connecte toujours immédiatement.",
  "Your password for Parley was changed": "Votre mot de passe Parley a été modifié",
  "and {n} more": "et {n} de plus",
  "its oldest event is of {time}": "son événement le plus ancien date du {time}",
  "on {time}": "le {time}",
  "since {time}": "depuis {time}",
  "the newest was written at {time}": "la plus récente date du {time}",
  "their directory cannot be read ({reason})": "leur répertoire n’est pas lisible ({reason})",
  "there is none yet": "il n’y en a pas encore",
  '{inviter} invited you to the workspace "{workspace}" on Parley, as an admin.':
    "{inviter} vous invite à rejoindre l’espace de travail « {workspace} » sur Parley, comme administrateur.",
  '{inviter} invited you to the workspace "{workspace}" on Parley, as an agent.':
    "{inviter} vous invite à rejoindre l’espace de travail « {workspace} » sur Parley, comme agent.",
  '{inviter} invited you to the workspace "{workspace}" on Parley, as an owner.':
    "{inviter} vous invite à rejoindre l’espace de travail « {workspace} » sur Parley, comme propriétaire.",
  "{inviter} invited you to {workspace}": "{inviter} vous invite à rejoindre {workspace}",
  "{name} mentioned you": "{name} vous a mentionné",
  "{name} mentioned you in a note of conversation {conversation}.":
    "{name} vous a mentionné dans une note de la conversation {conversation}.",
  "{n} API keys expire within 7 days": "{n} clés d’API expirent dans moins de 7 jours",
  "{n} API keys expire within a day": "{n} clés d’API expirent dans moins d’un jour",
  "{n} consumers are behind": "{n} consommateurs sont en retard",
  "{n} consumers have caught up": "{n} consommateurs ont rattrapé leur retard",
  "{n} mailboxes have been failing for 15 minutes": "{n} boîtes mail échouent depuis 15 minutes",
  "{n} mailboxes work again": "{n} boîtes mail fonctionnent de nouveau",
  "{n} webhooks are delivering again": "{n} webhooks livrent de nouveau",
  "{n} webhooks have been failing for 24 hours": "{n} webhooks échouent depuis 24 heures",
  "{n} webhooks have been failing for an hour": "{n} webhooks échouent depuis une heure",
  "{n} webhooks were disabled": "{n} webhooks ont été désactivés",
};
