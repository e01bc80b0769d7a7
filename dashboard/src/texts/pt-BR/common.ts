import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "Your role in {workspace} is {role}. An owner or admin can change it under {place}.":
    "Sua função em {workspace} é {role}. Um proprietário ou administrador pode alterá-la em {place}.",
  "The conversation could not be read. Try again.": "Não foi possível ler a conversa. Tente novamente.",
  "New contact": "Novo contato",
  "New conversation": "Nova conversa",
  Delete: "Excluir",
  Name: "Nome",
  "Delete {name}?": "Excluir {name}?",
  Edit: "Editar",
};
