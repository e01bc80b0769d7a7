import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "A contact has at most {max} notes; delete some first.":
    "Um contato tem no máximo {max} notas; exclua algumas antes.",
  "A person can have at most {max} views.": "Uma pessoa pode ter no máximo {max} visualizações.",
  "A test with example data cannot be sent again; send another test.":
    "Um teste com dados de exemplo não pode ser reenviado; envie outro.",
  "A user with this e-mail address is already a member of the workspace.":
    "Alguém com este e-mail já é membro do espaço de trabalho.",
  "Addresses in the domain invalid do not exist.": "Endereços do domínio invalid não existem.",
  "An authenticator app is set up already.": "Já há um aplicativo autenticador configurado.",
  "An authenticator app is set up already. Remove it first.":
    "Já há um aplicativo autenticador configurado. Remova-o antes.",
  "An owner has invited this address. Only an owner may replace or revoke that invitation.":
    "Um proprietário convidou este endereço. Só um proprietário pode substituir ou revogar esse convite.",
  "Another contact has this external_id.": "Outro contato tem este Id externo.",
  "Another mailbox of this installation has this address.": "Outra caixa de e-mail desta instalação tem este endereço.",
  "Another mailbox of this workspace has this address.":
    "Outra caixa de e-mail deste espaço de trabalho tem este endereço.",
  "Another person began to add this passkey.": "Outra pessoa começou a adicionar esta chave de acesso.",
  "Another saved reply has this shortcut.": "Outra resposta salva tem este atalho.",
  "assignee_id must be the id or uuid of a member of the workspace, or 0 for nobody.":
    "Esta pessoa não pertence ao espaço de trabalho.",
  "body has an unknown variable {name}. Known are {known}.":
    "body contém uma variável desconhecida: {name}. As conhecidas são {known}.",
  "body must not be empty unless there are attachments.": "Sem anexos, o texto não pode ficar vazio.",
  "Confirm your password first: it was checked too long ago.":
    "Confirme antes sua senha: a verificação foi há muito tempo.",
  "contact_id must be a contact with an e-mail address, to whom the message is sent.":
    "O contato precisa de um endereço de e-mail para o qual a mensagem seja enviada.",
  "current_password is required for a new password.": "Para uma nova senha é preciso informar a atual.",
  "dkim.private_key must be a private key in PEM form: RSA with 1,024 bits or more, or Ed25519.":
    "É preciso uma chave privada em formato PEM: RSA de 1.024 bits ou mais, ou Ed25519.",
  "expires_at must be in the future.": "A data de expiração deve estar no futuro.",
  "If you have an account with this e-mail address, use its password.":
    "Se você tem uma conta com este e-mail, use a senha dela.",
  "inbound of type smtp needs an address in one of the domains of PARLEY_MAIL_DOMAINS.":
    "O receptor próprio do Parley precisa de um endereço em um dos domínios de PARLEY_MAIL_DOMAINS.",
  "It has changed since you read it. Read it again, then repeat your change.":
    "Houve uma mudança desde que você leu. Recarregue e repita sua alteração.",
  "labels must have at most {limit} items.": "Pode haver no máximo {limit} etiquetas.",
  "labels must not bring the workspace beyond {max} different labels.":
    "Um espaço de trabalho pode ter no máximo {max} etiquetas diferentes.",
  "Mail of this mailbox is still being sent. Wait until it is, or delete those messages.":
    "Ainda há e-mails desta caixa sendo enviados. Espere terminar ou exclua essas mensagens.",
  "No authenticator app is set up.": "Não há aplicativo autenticador configurado.",
  "No chat is set.": "Nenhum chat está configurado.",
  "Nobody is left to send this message to.": "Não resta ninguém a quem enviar esta mensagem.",
  "Only an owner may do this to an owner.": "Só um proprietário pode fazer isso com um proprietário.",
  "Only its author or a manager can delete a note.":
    "Só quem escreveu, um proprietário ou um administrador pode excluir uma nota.",
  "Only the person who owns this view can make it private.":
    "Só a pessoa a quem pertence esta visualização pode torná-la privada.",
  "outbound must name a mail server: the one of the installation sends only for the domains of PARLEY_MAIL_DOMAINS.":
    "Informe um servidor de e-mail para o envio: o da instalação só envia para os domínios de PARLEY_MAIL_DOMAINS.",
  "Parley is set up already. Sign in, or ask an owner for an invitation.":
    "O Parley já está configurado. Entre ou peça um convite a um proprietário.",
  "password is one of the most common passwords. Choose another one.": "É uma das senhas mais comuns. Escolha outra.",
  "password must have at least {limit} characters.": "A senha deve ter no mínimo {limit} caracteres.",
  "password must have at most {limit} characters.": "A senha deve ter no máximo {limit} caracteres.",
  "password must not consist of spaces alone.": "A senha não pode ter apenas espaços.",
  "Passwords and passkeys are not accepted here. Use single sign-on.":
    "Senhas e chaves de acesso não são aceitas aqui. Use o login único.",
  "Reading this took too long. Narrow it down with filters, or try again soon.":
    "A leitura demorou demais. Restrinja com filtros ou tente de novo em instantes.",
  "Sending api_key events again also requires the scope api-keys:manage.":
    "Para reenviar eventos api_key é preciso também a permissão api-keys:manage.",
  "Set up an authenticator app or a passkey first.":
    "Configure antes um aplicativo autenticador ou uma chave de acesso.",
  "Set up your own second factor first: otherwise you would lock yourself out.":
    "Configure antes seu próprio segundo fator; senão você ficaria sem acesso.",
  "snoozed_until must be at most one year from now.": "O momento deve estar a no máximo um ano de agora.",
  "snoozed_until must be in the future.": "O momento deve estar no futuro.",
  "Something went wrong on our side.": "Algo deu errado no servidor.",
  "Subscribing to api_key events also requires the scope api-keys:manage.":
    "Para assinar eventos api_key é preciso também a permissão api-keys:manage.",
  "That is not your current password.": "Essa não é sua senha atual.",
  "The account with your e-mail address is linked to another identity at the provider. Ask the operator to unlink it.":
    "A conta com seu e-mail está vinculada a outra identidade no provedor. Peça ao operador que a desvincule.",
  "The API key does not exist.": "Esta chave de API não existe.",
  "The API key has expired; move `expires_at` to resume it.":
    "A chave de API expirou; escolha uma data posterior para retomá-la.",
  "The API key is revoked; a revoked key cannot be changed.":
    "A chave de API foi revogada e não pode mais ser alterada.",
  "The API key is revoked; a revoked key cannot be rotated.":
    "A chave de API foi revogada e não pode mais ser renovada.",
  "The body must not be empty: it is the file.": "O arquivo está vazio.",
  "The code is wrong or was used already.": "O código está errado ou já foi usado.",
  "The code is wrong. Check the clock of your phone and enter the newest code.":
    "O código está errado. Confira o relógio do seu telefone e digite o código mais recente.",
  "The consumer does not exist.": "Este consumidor não existe.",
  "The contact does not exist.": "Este contato não existe.",
  "The contact has conversations; delete those first.": "O contato tem conversas; exclua-as antes.",
  "The conversation does not exist.": "Esta conversa não existe.",
  "The database is not available. Try again soon.": "O banco de dados não está disponível. Tente de novo em instantes.",
  "The database did not finish this in time: it is busy, or other requests change the same records. Try again.":
    "O banco de dados não terminou a tempo: está ocupado ou outras solicitações alteram os mesmos registros. Tente de novo.",
  "The delivery log does not exist.": "Esta tentativa não está no registro.",
  "The draft does not exist.": "Este rascunho não existe.",
  "The e-mail address or the password is wrong.": "O e-mail ou a senha está incorreto.",
  "The event does not exist.": "Este evento não existe.",
  "The event is past its retention and can no longer be sent.":
    "O prazo de retenção do evento passou e ele não pode mais ser enviado.",
  "The file does not exist.": "Este arquivo não existe.",
  "The file is larger than the limit of {limit}.": "O arquivo passa do limite de {limit}.",
  "The given data was invalid.": "Os dados são inválidos.",
  "The host of the url is not a valid name.": "O host da URL não é um nome válido.",
  "The identity provider cannot be reached. Try again soon.":
    "Não foi possível contatar o provedor de identidade. Tente de novo em instantes.",
  "The identity provider denied this sign-in, or it was canceled there.":
    "O provedor de identidade recusou este login, ou ele foi cancelado lá.",
  "The identity provider did not confirm an e-mail address for you.":
    "O provedor de identidade não confirmou um e-mail para você.",
  "The identity provider did not confirm this sign-in. Start again.":
    "O provedor de identidade não confirmou este login. Comece de novo.",
  "The invitation does not exist.": "Este convite não existe.",
  "The mail does not exist.": "Este e-mail não existe.",
  "The mailbox does not exist.": "Esta caixa de e-mail não existe.",
  "The mailbox is paused: resume it first.": "A caixa de e-mail está pausada: retome-a antes.",
  "The member does not exist.": "Este membro não existe.",
  "The message does not exist.": "Esta mensagem não existe.",
  "The message is a mail: what was sent or received cannot be changed.":
    "A mensagem é um e-mail: o que foi enviado ou recebido não pode ser alterado.",
  "The note does not exist.": "Esta nota não existe.",
  "The passkey could not be verified. Try again.": "Não foi possível verificar a chave de acesso. Tente de novo.",
  "The passkey does not exist.": "Esta chave de acesso não existe.",
  "The push subscription does not exist.": "Este navegador não recebe mais notificações.",
  "The role {role} lacks the scope {scope}.": "Falta à função {role} a permissão {scope}.",
  "The role {role} may not do this.": "A função {role} não permite isso.",
  "The saved reply does not exist.": "Esta resposta salva não existe.",
  "The server is stopping. Try again soon.": "O servidor está parando. Tente de novo em instantes.",
  "The session does not exist.": "Esta sessão não existe.",
  "The upload was interrupted before all bytes had arrived.": "O envio foi interrompido antes de terminar.",
  "The url is not valid.": "A URL não é válida.",
  "The url must not be longer than {max} characters.": "A URL deve ter no máximo {max} caracteres.",
  "The url must not contain a backslash.": "A URL não pode conter uma barra invertida.",
  "The url must not contain a user name or password.": "A URL não pode conter nome de usuário nem senha.",
  "The url must not contain spaces or control characters.": "A URL não pode conter espaços nem caracteres de controle.",
  "The url must not point to a private or reserved address.":
    "A URL não pode levar a um endereço privado ou reservado.",
  "The url must not use port {port}.": "A URL não pode usar a porta {port}.",
  "The url must start with http:// or https:// and a host.": "A URL deve começar com http:// ou https:// e um host.",
  "The url must start with https://.": "A URL deve começar com https://.",
  "The view does not exist.": "Esta visualização não existe.",
  "The webhook does not exist.": "Este webhook não existe.",
  "The webhook is disabled; enable it first.": "O webhook está desativado; ative-o antes.",
  "The widget does not exist.": "Este widget não existe.",
  "The workspace does not exist.": "Este espaço de trabalho não existe.",
  "There is a user with this e-mail address already.": "Já existe uma conta com este e-mail.",
  "There is one already. Read it, then repeat your change.": "Já existe um. Recarregue e repita sua alteração.",
  "This browser gets no pushes.": "Este navegador não recebe notificações push.",
  "This invitation does not exist, or it has ended. Ask for a new one.":
    "Este convite não existe ou não vale mais. Peça um novo.",
  "This invitation is for {email}. You signed in as {user}.": "Este convite é para {email}. Você entrou como {user}.",
  "This is the last owner of the workspace. Make another member an owner first.":
    "Este é o último proprietário do espaço de trabalho. Torne antes outro membro proprietário.",
  "This link was used already, or it has expired. Ask for a new one.":
    "Este link já foi usado ou expirou. Peça um novo.",
  "This passkey is not known here, or it could not be verified.":
    "Esta chave de acesso não é conhecida aqui ou não pôde ser verificada.",
  "This passkey is registered already.": "Esta chave de acesso já está registrada.",
  "This request does not come from the dashboard's own pages. If you use this address, set PARLEY_PUBLIC_URL to it.":
    "Esta requisição não vem das páginas do próprio painel. Se você usa este endereço, defina-o em PARLEY_PUBLIC_URL.",
  "This server sends no e-mail. Its operator can reset your password on the command line.":
    "Este servidor não envia e-mails. O operador pode redefinir sua senha na linha de comando.",
  "This server sends no e-mail: PARLEY_SMTP_URL is not set.":
    "Este servidor não envia e-mails: falta definir PARLEY_SMTP_URL.",
  "This set-up link is not valid. The server prints a new one when it starts.":
    "Este link de configuração não é válido. O servidor mostra um novo ao iniciar.",
  "This sign-in took too long or failed too often. Start again.":
    "Este login demorou demais ou falhou vezes demais. Comece de novo.",
  "This sign-in was completed already. Start again.": "Este login já foi concluído. Comece de novo.",
  "This workspace has reached its limit of 4 MiB of saved replies.":
    "Este espaço de trabalho atingiu o limite de 4 MiB de respostas salvas.",
  "This workspace has reached its limit of {limit} of files.":
    "Este espaço de trabalho atingiu o limite de {limit} de arquivos.",
  "This workspace has reached its limit of {max} api keys.":
    "Este espaço de trabalho atingiu o limite de {max} chaves de API.",
  "This workspace has reached its limit of {max} consumers.":
    "Este espaço de trabalho atingiu o limite de {max} consumidores.",
  "This workspace has reached its limit of {max} invitations.":
    "Este espaço de trabalho atingiu o limite de {max} convites.",
  "This workspace has reached its limit of {max} mailboxes.":
    "Este espaço de trabalho atingiu o limite de {max} caixas de e-mail.",
  "This workspace has reached its limit of {max} members.":
    "Este espaço de trabalho atingiu o limite de {max} membros.",
  "This workspace has reached its limit of {max} saved replies.":
    "Este espaço de trabalho atingiu o limite de {max} respostas salvas.",
  "This workspace has reached its limit of {max} views.":
    "Este espaço de trabalho atingiu o limite de {max} visualizações.",
  "This workspace has reached its limit of {max} webhooks.":
    "Este espaço de trabalho atingiu o limite de {max} webhooks.",
  "This workspace has reached its limit of {max} widgets.":
    "Este espaço de trabalho atingiu o limite de {max} widgets.",
  "This workspace is being moved to another cell. Reading works; try again in a few seconds to write.":
    "Este espaço de trabalho está sendo movido. A leitura funciona; tente gravar de novo em alguns segundos.",
  "Too many changes of this workspace are in progress. Try again soon.":
    "Há alterações demais em andamento neste espaço de trabalho. Tente de novo em instantes.",
  "Too many checks of this mailbox.": "Verificações demais desta caixa de e-mail.",
  "Too many failed attempts. Wait before trying again.": "Tentativas com falha demais. Espere antes de tentar de novo.",
  "Too many people are signing in. Try again soon.": "Gente demais está entrando. Tente de novo em instantes.",
  "Too many requests for a new password. Wait before trying again.":
    "Pedidos demais de nova senha. Espere antes de tentar de novo.",
  "Too many requests of this workspace are in progress. Try again soon.":
    "Há requisições demais em andamento neste espaço de trabalho. Tente de novo em instantes.",
  "Too many requests of this workspace.": "Requisições demais deste espaço de trabalho.",
  "Too many requests.": "Requisições demais.",
  "Too many test mails of this mailbox.": "E-mails de teste demais desta caixa.",
  "Too many test messages. Wait before sending another one.":
    "Mensagens de teste demais. Espere antes de enviar outra.",
  "Too many tests. Wait before sending another one.": "Testes demais. Espere antes de enviar outro.",
  "Too many uploads of this workspace are in progress.":
    "Há envios de arquivos demais em andamento neste espaço de trabalho.",
  "Too many wrong codes for this account. Wait before trying again.":
    "Códigos errados demais para esta conta. Espere antes de tentar de novo.",
  "Two-factor sign-in is required here. Set it up under Account security, then continue.":
    "Aqui é exigido o login em duas etapas. Configure-o em Segurança da conta e continue.",
  "You are not signed in, or the session has ended.": "Você não entrou ou a sessão terminou.",
  "You belong to no workspace. Ask an owner for an invitation.":
    "Você não pertence a nenhum espaço de trabalho. Peça um convite a um proprietário.",
  "You have {max} passkeys. Remove one first.": "Você tem {max} chaves de acesso. Remova uma antes.",
  "Your account has no password. It signs in through single sign-on, where its security is set up.":
    "Sua conta não tem senha. Ela entra pelo login único, onde a segurança é configurada.",
  "Your account requires a second factor. Sign in first, then open the invitation's link again.":
    "Sua conta exige um segundo fator. Entre primeiro e abra o link do convite de novo.",
  "{field} is not a known {what}.": "{field}: desconhecido.",
  "{field} is required.": "{field}: campo obrigatório.",
  "{field} must be a color such as #0f766e.": "{field}: informe uma cor como #0f766e.",
  "{field} must be an address or a CIDR.": "{field}: informe um endereço ou um intervalo CIDR.",
  "{field} must be an e-mail address.": "{field}: informe um endereço de e-mail.",
  "{field} must be an http or https URL.": "{field}: informe uma URL com http ou https.",
  "{field} must be an origin such as https://shop.example, with nothing after the host and port.":
    "{field}: informe uma origem como https://shop.example, sem nada depois do host e da porta.",
  "{field} must be at least {limit}.": "{field}: o mínimo é {limit}.",
  "{field} must be at most {limit}.": "{field}: o máximo é {limit}.",
  "{field} must be one of: {values}.": "{field}: escolha entre {values}.",
  "{field} must be the name or address of a server.": "{field}: informe o nome ou o endereço de um servidor.",
  "{field} must begin with https://; http:// is for localhost and loopback addresses only.":
    "{field}: deve começar com https://; http:// só vale para localhost e endereços de loopback.",
  "{field} must have a valid header name.": "{field}: o nome do cabeçalho não é válido.",
  "{field} must have at least {limit} characters.": "{field}: mínimo de {limit} caracteres.",
  "{field} must have at most {limit} characters.": "{field}: máximo de {limit} caracteres.",
  "{field} must have at most {limit} entries.": "{field}: máximo de {limit} entradas.",
  "{field} must have at most {limit} items.": "{field}: máximo de {limit} itens.",
  "{field} must name a recipient: nobody of this conversation has an address.":
    "Informe um destinatário: ninguém nesta conversa tem endereço.",
  "{field} must not be empty.": "{field}: não pode ficar vazio.",
  "{field} must not be larger than {max} MiB together in a mail: send a link instead.":
    "Em um e-mail, os anexos somam no máximo {max} MiB: envie um link.",
  "{field} must not be or point to a private or reserved address.":
    "{field}: não pode ser nem levar a um endereço privado ou reservado.",
  "{field} must not contain blanks.": "{field}: não pode conter espaços.",
  "{field} must not contain control characters.": "{field}: não pode conter caracteres de controle.",
  "{field} must not have more than {max} recipients together.": "Pode haver no máximo {max} destinatários no total.",
  "{part} must have a password or oauth; both are asked for again when host or user changes.":
    "Informe a senha ou OAuth; são pedidos de novo se o host ou o usuário mudar.",
  "{prefix}attributes must have at most {max} bytes as JSON.":
    "Os atributos podem ter no máximo {max} bytes como JSON.",
  "The database cannot write: {problem}.": "O banco de dados não pode gravar: {problem}.",
  "The destination responded with 410 Gone.": "O destino respondeu com 410 Gone.",
  "Every delivery has failed for five days.": "Todas as entregas falham há cinco dias.",
  "{host} refused the user name or the password (it said: {text}).":
    "{host} recusou o nome de usuário ou a senha (a resposta: {text}).",
  "The certificate of {host} is not valid for this name ({code}).":
    "O certificado de {host} não é válido para este nome ({code}).",
  "{host} refuses connections on port {port}.": "{host} recusa conexões na porta {port}.",
  "{host} closed the connection.": "{host} fechou a conexão.",
  "{host} closed the connection before it greeted.": "{host} fechou a conexão antes da saudação.",
  "{host} does not respond on port {port}.": "{host} não responde na porta {port}.",
  "{host} does not greet on port {port}. Is this the port for its security?":
    "{host} não envia a saudação na porta {port}. É a porta certa para essa segurança?",
  "{host} did not complete STARTTLS.": "{host} não concluiu o STARTTLS.",
  "{host} stopped responding.": "{host} parou de responder.",
  "There is no route to {host}.": "Não há rota até {host}.",
  "{host} does not speak TLS on port {port}.": "{host} não usa TLS na porta {port}.",
  "The connection to {host} was closed.": "A conexão com {host} foi fechada.",
  "The mailbox was deleted.": "A caixa de e-mail foi excluída.",
  "No mail server is set: the mailbox has no outbound, and PARLEY_SMTP_URL is not set.":
    "Não há servidor de e-mail: a caixa de e-mail não tem saída e PARLEY_SMTP_URL não está definido.",
  "The address is not in a domain of PARLEY_MAIL_DOMAINS: the mailbox needs an outbound of its own.":
    "O endereço não está em um domínio de PARLEY_MAIL_DOMAINS: a caixa de e-mail precisa de uma saída própria.",
  "connection refused": "conexão recusada",
  "connection reset while connecting": "conexão interrompida ao conectar",
  "connection closed by the receiver during the TLS handshake": "o receptor fechou a conexão durante a negociação TLS",
  "no route to the host": "não há rota até o host",
  "the host did not respond to the connection request": "o host não respondeu ao pedido de conexão",
  "the host name does not resolve": "o nome do host não resolve",
  "the name server did not respond": "o servidor de nomes não respondeu",
  "the destination is a private or reserved address": "o destino é um endereço privado ou reservado",
  "the TLS handshake took too long": "a negociação TLS demorou demais",
  "TLS certificate has expired": "o certificado TLS expirou",
  "TLS certificate is not valid yet": "o certificado TLS ainda não é válido",
  "TLS certificate is self-signed": "o certificado TLS é autoassinado",
  "TLS certificate chain ends in an unknown authority":
    "a cadeia de certificados TLS termina em uma autoridade desconhecida",
  "TLS certificate chain is incomplete or its authority is unknown":
    "a cadeia de certificados TLS está incompleta ou a autoridade é desconhecida",
  "TLS certificate is for another host name": "o certificado TLS é de outro nome de host",
  "TLS handshake failed: the port does not speak TLS": "a negociação TLS falhou: a porta não usa TLS",
};
