import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "Also revoke the {n} API keys they created": [
    "Révoquer aussi la clé d’API créée par cette personne",
    "Révoquer aussi les {n} clés d’API créées par cette personne",
  ],
  "An e-mail with this link is on its way to {email}. The link lets them join, once.":
    "Un e-mail avec ce lien est en route vers {email}. Le lien permet de rejoindre, une fois.",
  "Change role": "Changer le rôle",
  "Create link": "Créer le lien",
  "invitation link": "lien d’invitation",
  "Invitation sent": "Invitation envoyée",
  Invitations: "Invitations",
  Invite: "Inviter",
  "Invite a member": "Inviter un membre",
  "Invited by": "Invité par",
  "It is shown only once and expires {time}. Lost it? Invite the same address again: the new link replaces this one.":
    "Il ne s’affiche qu’une fois et expire {time}. Perdu ? Invitez à nouveau la même adresse : le nouveau lien remplace celui-ci.",
  "It lets {email} join, once. Parley has sent no e-mail: send it yourself.":
    "Il permet à {email} de rejoindre, une fois. Parley n’a pas envoyé d’e-mail : envoyez-le vous-même.",
  Joined: "Arrivée",
  "Make {name} an {role}?": "Nommer {name} {role} ?",
  "Neither a name nor an e-mail address contains “{search}”.": "Aucun nom ni adresse e-mail ne contient « {search} ».",
  "No member matches": "Aucun membre ne correspond",
  "Not accepted yet. Each link was shown when the invitation was created.":
    "Pas encore acceptées. Chaque lien a été affiché à la création de l’invitation.",
  Person: "Personne",
  "Remove member": "Retirer le membre",
  "Revoke the invitation of {email}": "Révoquer l’invitation de {email}",
  Role: "Rôle",
  "Role of {name}": "Rôle de {name}",
  "Search by name or e-mail": "Rechercher par nom ou e-mail",
  "Send invitation": "Envoyer l’invitation",
  "Send this link": "Envoyez ce lien",
  "Show everybody": "Afficher tout le monde",
  "The invitation of {email} no longer works.": "L’invitation de {email} ne fonctionne plus.",
  "They get an e-mail with a link.": "La personne reçoit un e-mail avec un lien.",
  "They lose access to this workspace at once, also where they are signed in now, and their open invitations end. Their conversations stay and are assigned to nobody.":
    "L’accès à cet espace de travail cesse aussitôt, même là où la personne est connectée, et ses invitations en cours prennent fin. Ses conversations restent et ne sont plus attribuées.",
  "Whatever uses them stops working. Keep them if your apps depend on them.":
    "Ce qui les utilise cesse de fonctionner. Gardez-les si vos applications en dépendent.",
  "Who can sign in to this workspace, and what each of them may do.":
    "Qui peut se connecter à cet espace de travail, et ce que chacun peut y faire.",
  "You are an {role} now. The change is effective at once.":
    "Vous êtes actuellement {role}. Le changement est immédiat.",
  "You get a link to send to them.": "Vous obtenez un lien à lui envoyer.",
  "{from}–{to} of {total}": "{from}–{to} sur {total}",
  "{name} is an {role} now. The change is effective at once.":
    "{name} est actuellement {role}. Le changement est immédiat.",
  "{name} is no longer a member.": "{name} n’est plus membre.",
  "{name} is now an {role}.": "{name} est maintenant {role}.",
};
