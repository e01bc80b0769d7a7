import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "Also revoke the {n} API keys they created": [
    "Revogar também a chave de API que a pessoa criou",
    "Revogar também as {n} chaves de API que a pessoa criou",
  ],
  "An e-mail with this link is on its way to {email}. The link lets them join, once.":
    "Um e-mail com este link está a caminho de {email}. O link permite entrar uma vez.",
  "Change role": "Alterar função",
  "Create link": "Criar link",
  "invitation link": "link do convite",
  "Invitation sent": "Convite enviado",
  Invitations: "Convites",
  Invite: "Convidar",
  "Invite a member": "Convidar um membro",
  "Invited by": "Convidado por",
  "It is shown only once and expires {time}. Lost it? Invite the same address again: the new link replaces this one.":
    "É mostrado só uma vez e expira {time}. Perdeu? Convide o mesmo endereço de novo: o novo link substitui este.",
  "It lets {email} join, once. Parley has sent no e-mail: send it yourself.":
    "Permite que {email} entre uma vez. O Parley não enviou e-mail: envie você mesmo.",
  Joined: "Entrada",
  "Make {name} an {role}?": "Tornar {name} {role}?",
  "Neither a name nor an e-mail address contains “{search}”.": "Nenhum nome ou e-mail contém “{search}”.",
  "No member matches": "Nenhum membro encontrado",
  "Not accepted yet. Each link was shown when the invitation was created.":
    "Ainda não aceitos. Cada link foi mostrado na criação do convite.",
  Person: "Pessoa",
  "Remove member": "Remover membro",
  "Revoke the invitation of {email}": "Revogar o convite de {email}",
  Role: "Função",
  "Role of {name}": "Função de {name}",
  "Search by name or e-mail": "Buscar por nome ou e-mail",
  "Send invitation": "Enviar convite",
  "Send this link": "Envie este link",
  "Show everybody": "Mostrar todos",
  "The invitation of {email} no longer works.": "O convite de {email} não vale mais.",
  "They get an e-mail with a link.": "A pessoa recebe um e-mail com um link.",
  "They lose access to this workspace at once, also where they are signed in now, and their open invitations end. Their conversations stay and are assigned to nobody.":
    "A pessoa perde o acesso a este espaço de trabalho imediatamente, também onde está conectada, e seus convites em aberto terminam. As conversas ficam e não são mais atribuídas a ninguém.",
  "Whatever uses them stops working. Keep them if your apps depend on them.":
    "O que as usa para de funcionar. Mantenha-as se seus aplicativos dependem delas.",
  "Who can sign in to this workspace, and what each of them may do.":
    "Quem pode entrar neste espaço de trabalho e o que cada um pode fazer.",
  "You are an {role} now. The change is effective at once.": "Você é {role} agora. A mudança vale imediatamente.",
  "You get a link to send to them.": "Você recebe um link para enviar.",
  "{from}–{to} of {total}": "{from}–{to} de {total}",
  "{name} is an {role} now. The change is effective at once.": "{name} é {role} agora. A mudança vale imediatamente.",
  "{name} is no longer a member.": "{name} não é mais membro.",
  "{name} is now an {role}.": "{name} agora é {role}.",
};
