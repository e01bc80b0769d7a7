import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "A contact is created with the first message of a customer, or by your apps with POST /contacts.":
    "Um contato é criado com a primeira mensagem de um cliente ou por seus aplicativos com POST /contacts.",
  "A contact with conversations cannot be deleted; block them instead.":
    "Um contato com conversas não pode ser excluído; bloqueie-o em vez disso.",
  Access: "Acesso",
  Block: "Bloquear",
  "Block this contact?": "Bloquear este contato?",
  "Contact deleted.": "Contato excluído.",
  "Contact saved.": "Contato salvo.",
  "Contact unblocked.": "Contato desbloqueado.",
  "Create contact": "Criar contato",
  "Delete contact": "Excluir contato",
  "Delete the note of {name}": "Excluir a nota de {name}",
  "End sessions": "Encerrar sessões",
  "Ending the sessions closes the contact's chat in every browser. Blocking refuses their messages too.":
    "Encerrar as sessões fecha o chat do contato em todos os navegadores. Bloquear também recusa suas mensagens.",
  "Everybody who has written to you, or whom you or your apps have created.":
    "Todos que escreveram para você ou que você ou seus aplicativos criaram.",
  "For your colleagues. The contact never sees them.": "Para seus colegas. O contato nunca as vê.",
  "Free fields of your own. Your apps read and write them too.":
    "Campos livres seus. Seus aplicativos também os leem e escrevem.",
  "New note": "Nova nota",
  "No contact matches": "Nenhum contato encontrado",
  "No contact was updated in this time.": "Nenhum contato foi atualizado neste período.",
  "No contacts yet": "Nenhum contato ainda",
  "No conversations yet.": "Nenhuma conversa ainda.",
  "No name, e-mail address, phone number or external id contains “{search}” among those updated in this time.":
    "Nenhum nome, e-mail, telefone ou id externo contém “{search}” entre os atualizados neste período.",
  "No name, e-mail address, phone number or external id contains “{search}”.":
    "Nenhum nome, e-mail, telefone ou id externo contém “{search}”.",
  "Note deleted.": "Nota excluída.",
  Notes: "Notas",
  "Search contacts": "Buscar contatos",
  "The contact's chat sessions have ended.": "As sessões de chat do contato foram encerradas.",
  "Their chat sessions end and their messages are refused. You can unblock them at any time.":
    "As sessões de chat terminam e as mensagens são recusadas. Você pode desbloquear a qualquer momento.",
  "Their details, attributes and notes are deleted permanently.":
    "Seus dados, atributos e notas são excluídos definitivamente.",
  "This contact is blocked: their messages in the chat are refused, with a neutral sentence.":
    "Este contato está bloqueado: suas mensagens no chat são recusadas com uma frase neutra.",
  Unblock: "Desbloquear",
  Updated: "Atualização",
  "Updated at any time": "Atualizados a qualquer momento",
  "Updated in the last 24 hours": "Atualizados nas últimas 24 horas",
  "Updated in the last 30 days": "Atualizados nos últimos 30 dias",
  "Updated in the last 7 days": "Atualizados nos últimos 7 dias",
  "What should your colleagues know?": "O que seus colegas devem saber?",
};
