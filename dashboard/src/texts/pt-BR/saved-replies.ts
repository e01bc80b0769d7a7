import type { Texts } from "../texts.ts";

export const texts: Texts = {
  Create: "Criar",
  "Created {name}": "{name} criada",
  "Delete saved reply": "Excluir resposta salva",
  "Delete “{name}”?": "Excluir “{name}”?",
  "Deleted {name}": "{name} excluída",
  "Edit saved reply": "Editar resposta salva",
  "Insert them in the inbox with / and a word of their name, shortcut or text.":
    "Insira na caixa de entrada com / e uma palavra do nome, atalho ou texto.",
  "Messages that were written with it stay as they are.": "Mensagens escritas com ela ficam como estão.",
  "New saved reply": "Nova resposta salva",
  "No name, shortcut or text contains “{search}”.": "Nenhum nome, atalho ou texto contém “{search}”.",
  "No saved replies yet": "Nenhuma resposta salva ainda",
  "No saved reply matches": "Nenhuma resposta salva encontrada",
  "Save the answers that your team writes every day. Variables such as {{contact.name}} are filled in.":
    "Salve as respostas que sua equipe escreve todo dia. Variáveis como {{contact.name}} são preenchidas.",
  "saved reply": "resposta salva",
  "Search saved replies": "Buscar respostas",
  Shortcut: "Atalho",
  "Typed after / in the inbox.": "Digitado após / na caixa de entrada.",
  "Variables: {names}": "Variáveis: {names}",
};
