import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "(done)": "(feito)",
  "A chat is one line on your page. A mailbox turns the mail of an address into conversations.":
    "Um chat é uma linha na sua página. Uma caixa de e-mail transforma o e-mail de um endereço em conversas.",
  "API requests": "Requisições de API",
  Backlog: "Atraso",
  "By outcome. Response time: median {half}, 95% within {most}.":
    "Por resultado. Tempo de resposta: mediana {half}, 95% em até {most}.",
  "Connect a chat or a mailbox": "Conecte um chat ou uma caixa de e-mail",
  "Create a webhook": "Criar um webhook",
  "Create a widget": "Criar um widget",
  "Events to your webhooks, by outcome.": "Eventos para seus webhooks, por resultado.",
  "Everyone who replies to customers needs an account. An invitation is a link, sent by e-mail or copied.":
    "Todos que respondem a clientes precisam de uma conta. Um convite é um link, enviado por e-mail ou copiado.",
  "First steps": "Primeiros passos",
  "First steps hidden.": "Primeiros passos ocultos.",
  "From contacts, and public replies to them.": "De contatos e respostas públicas a eles.",
  "Invite a colleague": "Convide um colega",
  "Key expires": "Chave expira",
  "Key never used": "Chave nunca usada",
  "Last events": "Últimos eventos",
  "Needs attention": "Precisa de atenção",
  "No backups": "Sem backups",
  "No first response yet": "Nenhuma primeira resposta ainda",
  "None completed yet": "Nenhum concluído ainda",
  "None for more than an hour": "Nenhuma há mais de uma hora",
  "Nothing has happened yet.": "Nada aconteceu ainda.",
  "Nothing right now.": "Nada no momento.",
  "Of all keys, by outcome.": "De todas as chaves, por resultado.",
  "of {n} requests": ["de {n} requisição", "de {n} requisições"],
  "Old secret works": "Segredo antigo ativo",
  "oldest due {time}": "a mais antiga, {time}",
  "Open the conversation, write, and send. The customer gets it where they wrote.":
    "Abra a conversa, escreva e envie. O cliente recebe onde escreveu.",
  "Open the inbox": "Abrir a caixa de entrada",
  "Receive the first message": "Receba a primeira mensagem",
  Received: "Recebidas",
  "Recover…": "Recuperar…",
  Replies: "Respostas",
  "Reply in the inbox": "Responder na caixa de entrada",
  "running it for years": "operação por anos",
  "Send events to your first webhook": "Envie eventos ao seu primeiro webhook",
  "Send the first reply": "Envie a primeira resposta",
  "since {time}": "desde {time}",
  "The database of this server is not backed up on a schedule. Set {code}, and see {link}.":
    "O banco de dados deste servidor não tem backup periódico. Defina {code} e veja {link}.",
  "Under 1 second": "Menos de 1 segundo",
  "Write to yourself as a customer would: in the chat on your page, by mail, or through the API.":
    "Escreva para si como um cliente: no chat da sua página, por e-mail ou pela API.",
  "Your own software learns of every message at once. A test is enough to see one arrive.":
    "Seu software fica sabendo de cada mensagem na hora. Um teste basta para ver uma chegar.",
  "{count} contacts have waited for a reply for more than an hour": [
    "{count} contato aguarda resposta há mais de uma hora",
    "{count} contatos aguardam resposta há mais de uma hora",
  ],
  "{delivered} of {ended}": "{delivered} de {ended}",
  "{done} of {n} done. Each is checked by what has happened.":
    "{done} de {n} feitos. Cada um é verificado pelo que aconteceu.",
  "{long} for more than an hour": "{long} há mais de uma hora",
  "{n} deliveries should have been attempted by now": [
    "{n} entrega já deveria ter sido tentada",
    "{n} entregas já deveriam ter sido tentadas",
  ],
  "{n} messages received": ["{n} mensagem recebida", "{n} mensagens recebidas"],
  "Open now": "Abertas agora",
  "Waiting for a reply": "Aguardando resposta",
  "Median first response": "Primeira resposta (mediana)",
  "Events delivered": "Eventos entregues",
  "API errors": "Erros de API",
};
