import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "Also revoke the {n} API keys they created": [
    "Revocar también la clave de API que creó",
    "Revocar también las {n} claves de API que creó",
  ],
  "An e-mail with this link is on its way to {email}. The link lets them join, once.":
    "Un correo con este enlace va en camino a {email}. El enlace permite unirse una vez.",
  "Change role": "Cambiar rol",
  "Create link": "Crear enlace",
  "invitation link": "enlace de invitación",
  "Invitation sent": "Invitación enviada",
  Invitations: "Invitaciones",
  Invite: "Invitar",
  "Invite a member": "Invitar a un miembro",
  "Invited by": "Invitado por",
  "It is shown only once and expires {time}. Lost it? Invite the same address again: the new link replaces this one.":
    "Se muestra solo una vez y caduca {time}. ¿Lo ha perdido? Invite de nuevo a la misma dirección: el enlace nuevo reemplaza a este.",
  "It lets {email} join, once. Parley has sent no e-mail: send it yourself.":
    "Permite a {email} unirse una vez. Parley no ha enviado ningún correo: envíelo usted.",
  Joined: "Alta",
  "Make {name} an {role}?": "¿Convertir a {name} en {role}?",
  "Neither a name nor an e-mail address contains “{search}”.": "Ningún nombre ni correo contiene «{search}».",
  "No member matches": "Ningún miembro coincide",
  "Not accepted yet. Each link was shown when the invitation was created.":
    "Aún sin aceptar. Cada enlace se mostró al crear la invitación.",
  Person: "Persona",
  "Remove member": "Quitar miembro",
  "Revoke the invitation of {email}": "Revocar la invitación de {email}",
  Role: "Rol",
  "Role of {name}": "Rol de {name}",
  "Search by name or e-mail": "Buscar por nombre o correo",
  "Send invitation": "Enviar invitación",
  "Send this link": "Envíe este enlace",
  "Show everybody": "Mostrar a todos",
  "The invitation of {email} no longer works.": "La invitación de {email} ya no sirve.",
  "They get an e-mail with a link.": "Recibirá un correo con un enlace.",
  "They lose access to this workspace at once, also where they are signed in now, and their open invitations end. Their conversations stay and are assigned to nobody.":
    "Pierde de inmediato el acceso a este espacio de trabajo, también en sus sesiones abiertas, y terminan las invitaciones que envió. Sus conversaciones se conservan y quedan sin asignar.",
  "Whatever uses them stops working. Keep them if your apps depend on them.":
    "Lo que las use dejará de funcionar. Consérvelas si sus aplicaciones dependen de ellas.",
  "Who can sign in to this workspace, and what each of them may do.":
    "Quién puede entrar en este espacio de trabajo y qué puede hacer cada uno.",
  "You are an {role} now. The change is effective at once.": "Ahora es {role}. El cambio se aplica de inmediato.",
  "You get a link to send to them.": "Usted recibe un enlace para enviárselo.",
  "{from}–{to} of {total}": "{from}–{to} de {total}",
  "{name} is an {role} now. The change is effective at once.":
    "{name} es {role} ahora. El cambio se aplica de inmediato.",
  "{name} is no longer a member.": "{name} ya no es miembro.",
  "{name} is now an {role}.": "{name} ahora es {role}.",
};
