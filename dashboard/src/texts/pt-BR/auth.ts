import type { Texts } from "../texts.ts";

export const texts: Texts = {
  Acme: "Acme",
  "Back to sign-in": "Voltar ao login",
  "Check your e-mail": "Verifique seu e-mail",
  "Choose a new password": "Escolher uma nova senha",
  "Choose a password. If you already have an account with this address, enter its password.":
    "Escolha uma senha. Se você já tem uma conta com este endereço, digite a senha dela.",
  "Create account": "Criar conta",
  "Create the owner's account. Owners invite everyone else.":
    "Crie a conta do proprietário. Os proprietários convidam os demais.",
  "Enter the address that you sign in with. You get an e-mail with a link to choose a new password.":
    "Digite o endereço com que você entra. Você receberá um e-mail com um link para escolher uma nova senha.",
  "Forgot your password?": "Esqueceu a senha?",
  "If {email} has an account here, an e-mail with a link is on its way. The link works once, for 30 minutes.":
    "Se {email} tiver uma conta aqui, um e-mail com um link está a caminho. O link vale uma vez, por 30 minutos.",
  "It is wrong or outdated: each start of the server prints a new one. Open the newest.":
    "Ele está errado ou desatualizado: cada início do servidor mostra um novo. Abra o mais recente.",
  "It was already used, or it has expired. Request a new one.": "Ele já foi usado ou expirou. Solicite um novo.",
  "It was used, revoked or replaced by a newer one, or it has expired. Ask for a new link.":
    "Ele foi usado, revogado, substituído por um mais novo ou expirou. Peça um novo link.",
  "Join workspace": "Entrar no espaço de trabalho",
  "Join {name}": "Entrar em {name}",
  "Locked out? Ask the people who manage {name}.": "Sem acesso? Fale com quem administra {name}.",
  "Locked out? The operator of the server can reset your password with {code}.":
    "Sem acesso? O operador do servidor pode redefinir sua senha com {code}.",
  "Lost it? Start the server again, and it prints a fresh one:": "Perdeu? Reinicie o servidor e ele mostrará um novo:",
  "Open the set-up link": "Abra o link de configuração",
  "Parley is set up": "O Parley está configurado",
  "Request a new link": "Solicitar um novo link",
  "Save password": "Salvar senha",
  "Send the link": "Enviar o link",
  "Set up Parley": "Configurar o Parley",
  "Sign in with an existing account": "Entrar com uma conta existente",
  "Sign in with the account of this address.": "Entre com a conta deste endereço.",
  "Sign in with {name}": "Entrar com {name}",
  "Signing in": "Entrando",
  "That did not work": "Não funcionou",
  "The first account is created with a one-time link. The server printed it when it started; look for “/setup?token=”.":
    "A primeira conta é criada com um link de uso único. O servidor o mostrou ao iniciar; procure “/setup?token=”.",
  "The first account to sign in here becomes the owner. Owners invite everyone else.":
    "A primeira conta a entrar aqui se torna proprietária. Os proprietários convidam os demais.",
  "The owner's account exists, so this link is no longer needed.":
    "A conta do proprietário já existe, então este link não é mais necessário.",
  "The server prints a one-time link each time it starts, until the owner exists; older links stop working. Look for “/setup?token=” in its output, or start it again.":
    "O servidor mostra um link de uso único a cada início, até existir o proprietário; os antigos deixam de funcionar. Procure “/setup?token=” na saída ou reinicie-o.",
  "This invitation is no longer valid": "Este convite não é mais válido",
  "This link is no longer valid": "Este link não é mais válido",
  "This link is not valid": "Este link não é válido",
  "This set-up link is not valid": "Este link de configuração não é válido",
  "Welcome to Parley": "Boas-vindas ao Parley",
  "You are invited as an {role}, with {email}.": "Você foi convidado como {role}, com {email}.",
  "You were signed out everywhere. Sign in with your new password.":
    "Todas as suas sessões foram encerradas. Entre com a nova senha.",
  "You will be signed out on every device.": "Você sairá de todos os dispositivos.",
  "Your team or company.": "Sua equipe ou empresa.",
};
