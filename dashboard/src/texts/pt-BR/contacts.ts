import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "Create contact": "Criar contato",
  "E-mail": "E-mail",
  Phone: "Telefone",
  "External id": "ID externo",
  "Contact deleted.": "Contato excluído.",
  "A contact with conversations cannot be deleted; block them instead.":
    "Um contato com conversas não pode ser excluído; bloqueie-o em vez disso.",
  "Delete contact": "Excluir contato",
  "Their details, attributes and notes are deleted permanently.":
    "Seus dados, atributos e notas são excluídos definitivamente.",
};
