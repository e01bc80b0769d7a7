import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "A contact has at most {max} notes; delete some first.": "Un contact a au plus {max} notes ; supprimez-en d’abord.",
  "A person can have at most {max} views.": "Une personne peut avoir au plus {max} vues.",
  "A test with example data cannot be sent again; send another test.":
    "Un test avec des données d’exemple ne peut pas être renvoyé ; envoyez-en un autre.",
  "A user with this e-mail address is already a member of the workspace.":
    "Quelqu’un avec cette adresse e-mail est déjà membre de l’espace de travail.",
  "Addresses in the domain invalid do not exist.": "Les adresses du domaine invalid n’existent pas.",
  "An authenticator app is set up already.": "Une application d’authentification est déjà configurée.",
  "An authenticator app is set up already. Remove it first.":
    "Une application d’authentification est déjà configurée. Retirez-la d’abord.",
  "An owner has invited this address. Only an owner may replace or revoke that invitation.":
    "Un propriétaire a invité cette adresse. Seul un propriétaire peut remplacer ou révoquer cette invitation.",
  "Another contact has this external_id.": "Un autre contact a cet identifiant externe.",
  "Another mailbox of this installation has this address.":
    "Une autre boîte mail de cette installation a cette adresse.",
  "Another mailbox of this workspace has this address.":
    "Une autre boîte mail de cet espace de travail a cette adresse.",
  "Another person began to add this passkey.": "Une autre personne a commencé à ajouter cette clé d’accès.",
  "Another saved reply has this shortcut.": "Une autre réponse enregistrée a ce raccourci.",
  "assignee_id must be the id or uuid of a member of the workspace, or 0 for nobody.":
    "Cette personne ne fait pas partie de l’espace de travail.",
  "body has an unknown variable {name}. Known are {known}.":
    "body contient une variable inconnue : {name}. Variables connues : {known}.",
  "body must not be empty unless there are attachments.": "Sans pièce jointe, le texte ne peut pas être vide.",
  "Confirm your password first: it was checked too long ago.":
    "Confirmez d’abord votre mot de passe : sa vérification est trop ancienne.",
  "contact_id must be a contact with an e-mail address, to whom the message is sent.":
    "Le contact doit avoir une adresse e-mail à laquelle envoyer le message.",
  "current_password is required for a new password.": "Pour un nouveau mot de passe, indiquez l’actuel.",
  "dkim.private_key must be a private key in PEM form: RSA with 1,024 bits or more, or Ed25519.":
    "Il faut une clé privée au format PEM : RSA de 1 024 bits ou plus, ou Ed25519.",
  "expires_at must be in the future.": "La date d’expiration doit être dans le futur.",
  "If you have an account with this e-mail address, use its password.":
    "Si vous avez un compte avec cette adresse e-mail, utilisez son mot de passe.",
  "inbound of type smtp needs an address in one of the domains of PARLEY_MAIL_DOMAINS.":
    "Le récepteur de Parley demande une adresse dans l’un des domaines de PARLEY_MAIL_DOMAINS.",
  "It has changed since you read it. Read it again, then repeat your change.":
    "Il y a eu un changement depuis votre lecture. Rechargez, puis refaites votre modification.",
  "labels must have at most {limit} items.": "Il peut y avoir au plus {limit} étiquettes.",
  "labels must not bring the workspace beyond {max} different labels.":
    "Un espace de travail peut avoir au plus {max} étiquettes différentes.",
  "Mail of this mailbox is still being sent. Wait until it is, or delete those messages.":
    "Des e-mails de cette boîte sont encore en cours d’envoi. Attendez la fin ou supprimez ces messages.",
  "No authenticator app is set up.": "Aucune application d’authentification n’est configurée.",
  "No chat is set.": "Aucun chat n’est configuré.",
  "Nobody is left to send this message to.": "Il ne reste personne à qui envoyer ce message.",
  "Only an owner may do this to an owner.": "Seul un propriétaire peut faire cela à un propriétaire.",
  "Only its author or a manager can delete a note.":
    "Seul l’auteur, un propriétaire ou un administrateur peut supprimer une note.",
  "Only the person who owns this view can make it private.":
    "Seule la personne à qui appartient cette vue peut la rendre privée.",
  "outbound must name a mail server: the one of the installation sends only for the domains of PARLEY_MAIL_DOMAINS.":
    "Indiquez un serveur de messagerie pour l’envoi : celui de l’installation n’envoie que pour les domaines de PARLEY_MAIL_DOMAINS.",
  "Parley is set up already. Sign in, or ask an owner for an invitation.":
    "Parley est déjà configuré. Connectez-vous ou demandez une invitation à un propriétaire.",
  "password is one of the most common passwords. Choose another one.":
    "C’est l’un des mots de passe les plus courants. Choisissez-en un autre.",
  "password must have at least {limit} characters.": "Le mot de passe doit avoir au moins {limit} caractères.",
  "password must have at most {limit} characters.": "Le mot de passe doit avoir au plus {limit} caractères.",
  "password must not consist of spaces alone.": "Le mot de passe ne peut pas être composé uniquement d’espaces.",
  "Passwords and passkeys are not accepted here. Use single sign-on.":
    "Les mots de passe et les clés d’accès ne sont pas acceptés ici. Utilisez l’authentification unique.",
  "Reading this took too long. Narrow it down with filters, or try again soon.":
    "La lecture a pris trop de temps. Affinez avec des filtres ou réessayez dans un instant.",
  "Sending api_key events again also requires the scope api-keys:manage.":
    "Renvoyer des événements api_key demande aussi le droit api-keys:manage.",
  "Set up an authenticator app or a passkey first.":
    "Configurez d’abord une application d’authentification ou une clé d’accès.",
  "Set up your own second factor first: otherwise you would lock yourself out.":
    "Configurez d’abord votre propre second facteur : sinon vous perdriez l’accès.",
  "snoozed_until must be at most one year from now.": "La date doit être dans un an au plus.",
  "snoozed_until must be in the future.": "La date doit être dans le futur.",
  "Something went wrong on our side.": "Une erreur s’est produite sur le serveur.",
  "Subscribing to api_key events also requires the scope api-keys:manage.":
    "S’abonner aux événements api_key demande aussi le droit api-keys:manage.",
  "That is not your current password.": "Ce n’est pas votre mot de passe actuel.",
  "The account with your e-mail address is linked to another identity at the provider. Ask the operator to unlink it.":
    "Le compte avec votre adresse e-mail est lié à une autre identité chez le fournisseur. Demandez à l’exploitant de le délier.",
  "The API key does not exist.": "Cette clé d’API n’existe pas.",
  "The API key has expired; move `expires_at` to resume it.":
    "La clé d’API a expiré ; choisissez une date ultérieure pour la réactiver.",
  "The API key is revoked; a revoked key cannot be changed.":
    "La clé d’API est révoquée et ne peut plus être modifiée.",
  "The API key is revoked; a revoked key cannot be rotated.":
    "La clé d’API est révoquée et ne peut plus être renouvelée.",
  "The body must not be empty: it is the file.": "Le fichier est vide.",
  "The code is wrong or was used already.": "Le code est faux ou a déjà été utilisé.",
  "The code is wrong. Check the clock of your phone and enter the newest code.":
    "Le code est faux. Vérifiez l’horloge de votre téléphone et saisissez le code le plus récent.",
  "The consumer does not exist.": "Ce consommateur n’existe pas.",
  "The contact does not exist.": "Ce contact n’existe pas.",
  "The contact has conversations; delete those first.": "Le contact a des conversations ; supprimez-les d’abord.",
  "The conversation does not exist.": "Cette conversation n’existe pas.",
  "The database is not available. Try again soon.":
    "La base de données n’est pas disponible. Réessayez dans un instant.",
  "The database did not finish this in time: it is busy, or other requests change the same records. Try again.":
    "La base de données n’a pas terminé à temps : elle est occupée, ou d’autres requêtes modifient les mêmes enregistrements. Réessayez.",
  "The delivery log does not exist.": "Cette tentative n’est pas dans le journal.",
  "The draft does not exist.": "Ce brouillon n’existe pas.",
  "The e-mail address or the password is wrong.": "L’adresse e-mail ou le mot de passe est incorrect.",
  "The event does not exist.": "Cet événement n’existe pas.",
  "The event is past its retention and can no longer be sent.":
    "La durée de conservation de l’événement est dépassée ; il ne peut plus être envoyé.",
  "The file does not exist.": "Ce fichier n’existe pas.",
  "The file is larger than the limit of {limit}.": "Le fichier dépasse la limite de {limit}.",
  "The given data was invalid.": "Les données ne sont pas valides.",
  "The host of the url is not a valid name.": "L’hôte de l’URL n’est pas un nom valide.",
  "The identity provider cannot be reached. Try again soon.":
    "Le fournisseur d’identité est injoignable. Réessayez dans un instant.",
  "The identity provider denied this sign-in, or it was canceled there.":
    "Le fournisseur d’identité a refusé cette connexion, ou elle y a été annulée.",
  "The identity provider did not confirm an e-mail address for you.":
    "Le fournisseur d’identité n’a confirmé aucune adresse e-mail pour vous.",
  "The identity provider did not confirm this sign-in. Start again.":
    "Le fournisseur d’identité n’a pas confirmé cette connexion. Recommencez.",
  "The invitation does not exist.": "Cette invitation n’existe pas.",
  "The mail does not exist.": "Cet e-mail n’existe pas.",
  "The mailbox does not exist.": "Cette boîte mail n’existe pas.",
  "The mailbox is paused: resume it first.": "La boîte mail est suspendue : reprenez-la d’abord.",
  "The member does not exist.": "Ce membre n’existe pas.",
  "The message does not exist.": "Ce message n’existe pas.",
  "The message is a mail: what was sent or received cannot be changed.":
    "Ce message est un e-mail : ce qui a été envoyé ou reçu ne peut pas être modifié.",
  "The note does not exist.": "Cette note n’existe pas.",
  "The passkey could not be verified. Try again.": "La clé d’accès n’a pas pu être vérifiée. Réessayez.",
  "The passkey does not exist.": "Cette clé d’accès n’existe pas.",
  "The push subscription does not exist.": "Ce navigateur ne reçoit plus de notifications.",
  "The role {role} lacks the scope {scope}.": "Il manque au rôle {role} le droit {scope}.",
  "The role {role} may not do this.": "Le rôle {role} ne permet pas cela.",
  "The saved reply does not exist.": "Cette réponse enregistrée n’existe pas.",
  "The server is stopping. Try again soon.": "Le serveur est en train de s’arrêter. Réessayez dans un instant.",
  "The session does not exist.": "Cette session n’existe pas.",
  "The upload was interrupted before all bytes had arrived.": "L’envoi a été interrompu avant la fin.",
  "The url is not valid.": "L’URL n’est pas valide.",
  "The url must not be longer than {max} characters.": "L’URL doit avoir au plus {max} caractères.",
  "The url must not contain a backslash.": "L’URL ne peut pas contenir de barre oblique inverse.",
  "The url must not contain a user name or password.": "L’URL ne peut contenir ni nom d’utilisateur ni mot de passe.",
  "The url must not contain spaces or control characters.":
    "L’URL ne peut contenir ni espaces ni caractères de contrôle.",
  "The url must not point to a private or reserved address.":
    "L’URL ne peut pas mener à une adresse privée ou réservée.",
  "The url must not use port {port}.": "L’URL ne peut pas utiliser le port {port}.",
  "The url must start with http:// or https:// and a host.": "L’URL doit commencer par http:// ou https:// et un hôte.",
  "The url must start with https://.": "L’URL doit commencer par https://.",
  "The view does not exist.": "Cette vue n’existe pas.",
  "The webhook does not exist.": "Ce webhook n’existe pas.",
  "The webhook is disabled; enable it first.": "Le webhook est désactivé ; activez-le d’abord.",
  "The widget does not exist.": "Ce widget n’existe pas.",
  "The workspace does not exist.": "Cet espace de travail n’existe pas.",
  "There is a user with this e-mail address already.": "Il existe déjà un compte avec cette adresse e-mail.",
  "There is one already. Read it, then repeat your change.":
    "Il y en a déjà un. Rechargez, puis refaites votre modification.",
  "This browser gets no pushes.": "Ce navigateur ne reçoit pas de notifications push.",
  "This invitation does not exist, or it has ended. Ask for a new one.":
    "Cette invitation n’existe pas ou n’est plus valable. Demandez-en une nouvelle.",
  "This invitation is for {email}. You signed in as {user}.":
    "Cette invitation est pour {email}. Vous êtes connecté en tant que {user}.",
  "This is the last owner of the workspace. Make another member an owner first.":
    "C’est le dernier propriétaire de l’espace de travail. Nommez d’abord un autre membre propriétaire.",
  "This link was used already, or it has expired. Ask for a new one.":
    "Ce lien a déjà été utilisé ou a expiré. Demandez-en un nouveau.",
  "This passkey is not known here, or it could not be verified.":
    "Cette clé d’accès est inconnue ici ou n’a pas pu être vérifiée.",
  "This passkey is registered already.": "Cette clé d’accès est déjà enregistrée.",
  "This request does not come from the dashboard's own pages. If you use this address, set PARLEY_PUBLIC_URL to it.":
    "Cette requête ne vient pas des pages du tableau de bord. Si vous utilisez cette adresse, indiquez-la dans PARLEY_PUBLIC_URL.",
  "This server sends no e-mail. Its operator can reset your password on the command line.":
    "Ce serveur n’envoie pas d’e-mails. Son exploitant peut réinitialiser votre mot de passe en ligne de commande.",
  "This server sends no e-mail: PARLEY_SMTP_URL is not set.":
    "Ce serveur n’envoie pas d’e-mails : PARLEY_SMTP_URL n’est pas défini.",
  "This set-up link is not valid. The server prints a new one when it starts.":
    "Ce lien de configuration n’est pas valide. Le serveur en affiche un nouveau au démarrage.",
  "This sign-in took too long or failed too often. Start again.":
    "Cette connexion a pris trop de temps ou a échoué trop souvent. Recommencez.",
  "This sign-in was completed already. Start again.": "Cette connexion est déjà terminée. Recommencez.",
  "This workspace has reached its limit of 4 MiB of saved replies.":
    "Cet espace de travail a atteint sa limite de 4 Mio de réponses enregistrées.",
  "This workspace has reached its limit of {limit} of files.":
    "Cet espace de travail a atteint sa limite de {limit} de fichiers.",
  "This workspace has reached its limit of {max} api keys.":
    "Cet espace de travail a atteint sa limite de {max} clés d’API.",
  "This workspace has reached its limit of {max} consumers.":
    "Cet espace de travail a atteint sa limite de {max} consommateurs.",
  "This workspace has reached its limit of {max} invitations.":
    "Cet espace de travail a atteint sa limite de {max} invitations.",
  "This workspace has reached its limit of {max} mailboxes.":
    "Cet espace de travail a atteint sa limite de {max} boîtes mail.",
  "This workspace has reached its limit of {max} members.":
    "Cet espace de travail a atteint sa limite de {max} membres.",
  "This workspace has reached its limit of {max} saved replies.":
    "Cet espace de travail a atteint sa limite de {max} réponses enregistrées.",
  "This workspace has reached its limit of {max} views.": "Cet espace de travail a atteint sa limite de {max} vues.",
  "This workspace has reached its limit of {max} webhooks.":
    "Cet espace de travail a atteint sa limite de {max} webhooks.",
  "This workspace has reached its limit of {max} widgets.":
    "Cet espace de travail a atteint sa limite de {max} widgets.",
  "This workspace is being moved to another cell. Reading works; try again in a few seconds to write.":
    "Cet espace de travail est en cours de déplacement. La lecture fonctionne ; réessayez d’écrire dans quelques secondes.",
  "Too many changes of this workspace are in progress. Try again soon.":
    "Trop de modifications sont en cours dans cet espace de travail. Réessayez dans un instant.",
  "Too many checks of this mailbox.": "Trop de vérifications de cette boîte mail.",
  "Too many failed attempts. Wait before trying again.": "Trop de tentatives échouées. Patientez avant de réessayer.",
  "Too many people are signing in. Try again soon.": "Trop de personnes se connectent. Réessayez dans un instant.",
  "Too many requests for a new password. Wait before trying again.":
    "Trop de demandes de nouveau mot de passe. Patientez avant de réessayer.",
  "Too many requests of this workspace are in progress. Try again soon.":
    "Trop de requêtes sont en cours dans cet espace de travail. Réessayez dans un instant.",
  "Too many requests of this workspace.": "Trop de requêtes de cet espace de travail.",
  "Too many requests.": "Trop de requêtes.",
  "Too many test mails of this mailbox.": "Trop d’e-mails de test de cette boîte mail.",
  "Too many test messages. Wait before sending another one.":
    "Trop de messages de test. Patientez avant d’en envoyer un autre.",
  "Too many tests. Wait before sending another one.": "Trop de tests. Patientez avant d’en envoyer un autre.",
  "Too many uploads of this workspace are in progress.":
    "Trop d’envois de fichiers sont en cours dans cet espace de travail.",
  "Too many wrong codes for this account. Wait before trying again.":
    "Trop de codes erronés pour ce compte. Patientez avant de réessayer.",
  "Two-factor sign-in is required here. Set it up under Account security, then continue.":
    "La connexion à deux facteurs est obligatoire ici. Configurez-la sous Sécurité du compte, puis continuez.",
  "You are not signed in, or the session has ended.": "Vous n’êtes pas connecté, ou la session est terminée.",
  "You belong to no workspace. Ask an owner for an invitation.":
    "Vous n’appartenez à aucun espace de travail. Demandez une invitation à un propriétaire.",
  "You have {max} passkeys. Remove one first.": "Vous avez {max} clés d’accès. Retirez-en d’abord une.",
  "Your account has no password. It signs in through single sign-on, where its security is set up.":
    "Votre compte n’a pas de mot de passe. Il passe par l’authentification unique, où se règle sa sécurité.",
  "Your account requires a second factor. Sign in first, then open the invitation's link again.":
    "Votre compte demande un second facteur. Connectez-vous d’abord, puis rouvrez le lien de l’invitation.",
  "{field} is not a known {what}.": "{field} : inconnu.",
  "{field} is required.": "{field} : champ obligatoire.",
  "{field} must be a color such as #0f766e.": "{field} : indiquez une couleur comme #0f766e.",
  "{field} must be an address or a CIDR.": "{field} : indiquez une adresse ou une plage CIDR.",
  "{field} must be an e-mail address.": "{field} : indiquez une adresse e-mail.",
  "{field} must be an http or https URL.": "{field} : indiquez une URL en http ou https.",
  "{field} must be an origin such as https://shop.example, with nothing after the host and port.":
    "{field} : indiquez une origine comme https://shop.example, sans rien après l’hôte et le port.",
  "{field} must be at least {limit}.": "{field} : le minimum est {limit}.",
  "{field} must be at most {limit}.": "{field} : le maximum est {limit}.",
  "{field} must be one of: {values}.": "{field} : choisissez parmi {values}.",
  "{field} must be the name or address of a server.": "{field} : indiquez le nom ou l’adresse d’un serveur.",
  "{field} must begin with https://; http:// is for localhost and loopback addresses only.":
    "{field} : l’adresse doit commencer par https:// ; http:// est réservé à localhost et aux adresses de bouclage.",
  "{field} must have a valid header name.": "{field} : le nom de l’en-tête n’est pas valide.",
  "{field} must have at least {limit} characters.": "{field} : {limit} caractères au minimum.",
  "{field} must have at most {limit} characters.": "{field} : {limit} caractères au maximum.",
  "{field} must have at most {limit} entries.": "{field} : {limit} entrées au maximum.",
  "{field} must have at most {limit} items.": "{field} : {limit} éléments au maximum.",
  "{field} must name a recipient: nobody of this conversation has an address.":
    "Indiquez un destinataire : personne dans cette conversation n’a d’adresse.",
  "{field} must not be empty.": "{field} : ne peut pas être vide.",
  "{field} must not be larger than {max} MiB together in a mail: send a link instead.":
    "Dans un e-mail, les pièces jointes font au plus {max} Mio au total : envoyez plutôt un lien.",
  "{field} must not be or point to a private or reserved address.":
    "{field} : ne peut ni être ni désigner une adresse privée ou réservée.",
  "{field} must not contain blanks.": "{field} : ne peut pas contenir d’espaces.",
  "{field} must not contain control characters.": "{field} : ne peut pas contenir de caractères de contrôle.",
  "{field} must not have more than {max} recipients together.": "Il peut y avoir au plus {max} destinataires au total.",
  "{part} must have a password or oauth; both are asked for again when host or user changes.":
    "Indiquez le mot de passe ou OAuth ; ils sont redemandés si l’hôte ou l’utilisateur change.",
  "{prefix}attributes must have at most {max} bytes as JSON.": "Les attributs font au plus {max} octets en JSON.",
  "The database cannot write: {problem}.": "La base de données ne peut pas écrire : {problem}.",
  "The destination responded with 410 Gone.": "La destination a répondu 410 Gone.",
  "Every delivery has failed for five days.": "Toutes les livraisons échouent depuis cinq jours.",
  "{host} refused the user name or the password (it said: {text}).":
    "{host} a refusé le nom d’utilisateur ou le mot de passe (réponse : {text}).",
  "The certificate of {host} is not valid for this name ({code}).":
    "Le certificat de {host} n’est pas valable pour ce nom ({code}).",
  "{host} refuses connections on port {port}.": "{host} refuse les connexions sur le port {port}.",
  "{host} closed the connection.": "{host} a fermé la connexion.",
  "{host} closed the connection before it greeted.": "{host} a fermé la connexion avant son message d’accueil.",
  "{host} does not respond on port {port}.": "{host} ne répond pas sur le port {port}.",
  "{host} does not greet on port {port}. Is this the port for its security?":
    "{host} n’envoie pas de message d’accueil sur le port {port}. Est-ce le port de cette sécurité ?",
  "{host} did not complete STARTTLS.": "{host} n’a pas terminé STARTTLS.",
  "{host} stopped responding.": "{host} ne répond plus.",
  "There is no route to {host}.": "Aucune route ne mène à {host}.",
  "{host} does not speak TLS on port {port}.": "{host} n’utilise pas TLS sur le port {port}.",
  "The connection to {host} was closed.": "La connexion à {host} a été fermée.",
  "The mailbox was deleted.": "La boîte mail a été supprimée.",
  "No mail server is set: the mailbox has no outbound, and PARLEY_SMTP_URL is not set.":
    "Aucun serveur de messagerie : la boîte mail n’a pas de serveur d’envoi et PARLEY_SMTP_URL n’est pas défini.",
  "The address is not in a domain of PARLEY_MAIL_DOMAINS: the mailbox needs an outbound of its own.":
    "L’adresse n’est pas dans un domaine de PARLEY_MAIL_DOMAINS : la boîte mail a besoin de son propre serveur d’envoi.",
  "connection refused": "connexion refusée",
  "connection reset while connecting": "connexion interrompue pendant l’établissement",
  "connection closed by the receiver during the TLS handshake":
    "le récepteur a fermé la connexion pendant la négociation TLS",
  "no route to the host": "aucune route vers l’hôte",
  "the host did not respond to the connection request": "l’hôte n’a pas répondu à la demande de connexion",
  "the host name does not resolve": "le nom d’hôte ne se résout pas",
  "the name server did not respond": "le serveur de noms n’a pas répondu",
  "the destination is a private or reserved address": "la destination est une adresse privée ou réservée",
  "the TLS handshake took too long": "la négociation TLS a pris trop de temps",
  "TLS certificate has expired": "le certificat TLS a expiré",
  "TLS certificate is not valid yet": "le certificat TLS n’est pas encore valable",
  "TLS certificate is self-signed": "le certificat TLS est autosigné",
  "TLS certificate chain ends in an unknown authority":
    "la chaîne de certificats TLS se termine par une autorité inconnue",
  "TLS certificate chain is incomplete or its authority is unknown":
    "la chaîne de certificats TLS est incomplète ou son autorité inconnue",
  "TLS certificate is for another host name": "le certificat TLS est pour un autre nom d’hôte",
  "TLS handshake failed: the port does not speak TLS": "échec de la négociation TLS : le port n’utilise pas TLS",
};
