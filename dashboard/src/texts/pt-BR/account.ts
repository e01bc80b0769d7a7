import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "A code from an app on your phone, after the password.":
    "Um código de um aplicativo no seu telefone, depois da senha.",
  "Add a passkey": "Adicionar chave de acesso",
  Added: "Adicionada",
  "Authenticator app": "Aplicativo autenticador",
  "Authenticator app set up.": "Aplicativo autenticador configurado.",
  Confirm: "Confirmar",
  Dismiss: "Dispensar",
  "Each code signs you in once when your phone or passkey is lost. Keep them where you keep passwords.":
    "Cada código permite entrar uma vez se você perder o telefone ou a chave de acesso. Guarde-os onde guarda suas senhas.",
  "Enter your password to see and change it.": "Digite sua senha para vê-la e alterá-la.",
  "How you sign in, and where you are signed in.": "Como você entra e onde está conectado.",
  "I have saved them": "Já salvei",
  "If that was not you, change your password under Profile.": "Se não foi você, altere sua senha em Perfil.",
  "In case you lose your phone or passkey.": "Caso você perca o telefone ou a chave de acesso.",
  "It is set up.": "Está configurado.",
  "It no longer signs you in. Delete it on your device too.":
    "Ela não serve mais para entrar. Exclua-a também no seu dispositivo.",
  "Its codes stop working at once. Without a passkey, your password alone signs you in.":
    "Os códigos deixam de funcionar imediatamente. Sem chave de acesso, só a senha basta para entrar.",
  "My laptop": "Meu notebook",
  "None yet.": "Nenhuma ainda.",
  "Not set up.": "Não configurado.",
  "Or type this key:": "Ou digite esta chave:",
  Passkey: "Chave de acesso",
  "Passkey added.": "Chave de acesso adicionada.",
  Passkeys: "Chaves de acesso",
  "QR code for the authenticator app": "QR code para o aplicativo autenticador",
  "recovery codes": "códigos de recuperação",
  "Recovery codes": "Códigos de recuperação",
  Remove: "Remover",
  "Remove passkey": "Remover chave de acesso",
  "Remove the authenticator app?": "Remover o aplicativo autenticador?",
  Replace: "Substituir",
  "Replace codes": "Substituir códigos",
  "Replace your recovery codes?": "Substituir seus códigos de recuperação?",
  "Save your recovery codes": "Salve seus códigos de recuperação",
  "Scan the picture with the app, then enter the code it shows.":
    "Escaneie a imagem com o aplicativo e digite o código mostrado.",
  Sessions: "Sessões",
  "Set up": "Configurar",
  "Set up an authenticator app": "Configurar um aplicativo autenticador",
  "Set up an authenticator app or a passkey. The other pages open as soon as it is done.":
    "Configure um aplicativo autenticador ou uma chave de acesso. As outras páginas abrem assim que terminar.",
  "Sign out what you do not recognise, then change your password.":
    "Encerre o que você não reconhece e depois altere sua senha.",
  "Sign out what you do not recognise.": "Encerre o que você não reconhece.",
  "Sign out {user_agent}": "Encerrar a sessão de {user_agent}",
  "Signed out.": "Sessão encerrada.",
  "Single sign-on": "Login único",
  "The last one was entered {time} from the address {address}.": "O último foi digitado {time} do endereço {address}.",
  "The last one was entered {time}.": "O último foi digitado {time}.",
  "They are shown only now": "Eles só são mostrados agora",
  "This browser": "Este navegador",
  "This workspace requires two-factor sign-in": "Este espaço de trabalho exige a verificação em duas etapas",
  "Where you are signed in": "Onde você está conectado",
  "You get ten new codes. The codes you have now stop working.":
    "Você recebe dez códigos novos. Os atuais deixam de funcionar.",
  "You sign in through single sign-on, without a password of Parley. A second factor is set up at your identity provider.":
    "Você entra pelo login único, sem senha do Parley. O segundo fator é configurado no seu provedor de identidade.",
  "Your browser asks next. The name is for you: the device, or the password manager that keeps it.":
    "Em seguida, o navegador perguntará. O nome é para você: o dispositivo ou o gerenciador de senhas que a guarda.",
  "Your finger, face or device PIN instead of a code, or instead of the password.":
    "Sua digital, seu rosto ou o PIN do dispositivo em vez de um código ou da senha.",
  "{n} codes are left.": ["Resta {n} código.", "Restam {n} códigos."],
  "{n} wrong codes were entered after your correct password": [
    "{n} código errado foi digitado após sua senha correta",
    "{n} códigos errados foram digitados após sua senha correta",
  ],
};
