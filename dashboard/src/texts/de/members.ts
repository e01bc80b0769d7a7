import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "Also revoke the {n} API keys they created": [
    "Auch den API-Schlüssel widerrufen, den die Person erstellt hat",
    "Auch die {n} API-Schlüssel widerrufen, die die Person erstellt hat",
  ],
  "An e-mail with this link is on its way to {email}. The link lets them join, once.":
    "Eine E-Mail mit diesem Link ist unterwegs an {email}. Mit dem Link ist ein einmaliger Beitritt möglich.",
  "Change role": "Rolle ändern",
  "Create link": "Link erstellen",
  "invitation link": "Einladungslink",
  "Invitation sent": "Einladung gesendet",
  Invitations: "Einladungen",
  Invite: "Einladen",
  "Invite a member": "Mitglied einladen",
  "Invited by": "Eingeladen von",
  "It is shown only once and expires {time}. Lost it? Invite the same address again: the new link replaces this one.":
    "Er wird nur einmal angezeigt und läuft {time} ab. Verloren? Laden Sie dieselbe Adresse noch einmal ein: Der neue Link ersetzt diesen.",
  "It lets {email} join, once. Parley has sent no e-mail: send it yourself.":
    "Damit kann {email} einmal beitreten. Parley hat keine E-Mail gesendet: Schicken Sie den Link selbst.",
  Joined: "Beigetreten",
  "Make {name} an {role}?": "{name} zum {role} machen?",
  "Neither a name nor an e-mail address contains “{search}”.":
    "Weder ein Name noch eine E-Mail-Adresse enthält „{search}“.",
  "No member matches": "Kein Mitglied passt",
  "Not accepted yet. Each link was shown when the invitation was created.":
    "Noch nicht angenommen. Jeder Link wurde beim Erstellen der Einladung angezeigt.",
  Person: "Person",
  "Remove member": "Mitglied entfernen",
  "Revoke the invitation of {email}": "Einladung von {email} widerrufen",
  Role: "Rolle",
  "Role of {name}": "Rolle von {name}",
  "Search by name or e-mail": "Nach Name oder E-Mail suchen",
  "Send invitation": "Einladung senden",
  "Send this link": "Diesen Link versenden",
  "Show everybody": "Alle anzeigen",
  "The invitation of {email} no longer works.": "Die Einladung von {email} gilt nicht mehr.",
  "They get an e-mail with a link.": "Es geht eine E-Mail mit einem Link an sie.",
  "They lose access to this workspace at once, also where they are signed in now, and their open invitations end. Their conversations stay and are assigned to nobody.":
    "Der Zugriff auf diesen Arbeitsbereich endet sofort, auch in laufenden Sitzungen, und offene Einladungen verfallen. Die Unterhaltungen bleiben und sind niemandem mehr zugewiesen.",
  "Whatever uses them stops working. Keep them if your apps depend on them.":
    "Was sie verwendet, funktioniert nicht mehr. Behalten Sie sie, wenn Ihre Apps davon abhängen.",
  "Who can sign in to this workspace, and what each of them may do.":
    "Wer sich in diesem Arbeitsbereich anmelden kann und was jeder darf.",
  "You are an {role} now. The change is effective at once.": "Sie sind derzeit {role}. Die Änderung gilt sofort.",
  "You get a link to send to them.": "Sie erhalten einen Link zum Weitergeben.",
  "{from}–{to} of {total}": "{from}–{to} von {total}",
  "{name} is an {role} now. The change is effective at once.": "{name} ist derzeit {role}. Die Änderung gilt sofort.",
  "{name} is no longer a member.": "{name} ist kein Mitglied mehr.",
  "{name} is now an {role}.": "{name} ist jetzt {role}.",
};
