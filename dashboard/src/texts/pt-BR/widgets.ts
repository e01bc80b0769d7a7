import type { Texts } from "../texts.ts";

export const texts: Texts = {
  " (own texts)": " (textos próprios)",
  "A chat for the pages of your own site. Visitors write there, you reply in the inbox.":
    "Um chat para as páginas do seu site. Visitantes escrevem lá, você responde na caixa de entrada.",
  "A content security policy needs {origin} (or the script's nonce) and {origin2}, nothing else.":
    "Uma política de segurança de conteúdo precisa de {origin} (ou do nonce do script) e {origin2}, nada mais.",
  "A message needs an identity token of your server.":
    "Uma mensagem precisa de um token de identidade do seu servidor.",
  "An inactive widget has no preview.": "Um widget inativo não tem prévia.",
  "Both secrets are accepted until then.": "Até lá, os dois segredos são aceitos.",
  "Bottom left": "Inferior esquerdo",
  "Bottom right": "Inferior direito",
  "Built-in text": "Texto padrão",
  Color: "Cor",
  "Create one, copy one line into your page, and talk to your visitors. Nothing is stored about a visitor before they write.":
    "Crie um, copie uma linha na sua página e converse com seus visitantes. Nada é guardado sobre um visitante antes de ele escrever.",
  "Create widget": "Criar widget",
  "Delete widget": "Excluir widget",
  "For your team; visitors do not see it.": "Para sua equipe; visitantes não o veem.",
  Greeting: "Saudação",
  "Hint in the text box": "Dica na caixa de texto",
  "identity secret": "segredo de identidade",
  "identity token in {name}": "token de identidade em {name}",
  Inactive: "Inativo",
  "It works: the latest conversation began {time} on {origin}, which is no longer among the pages.":
    "Funciona: a última conversa começou {time} em {origin}, que não está mais entre as páginas.",
  "It works: the latest conversation began {time} on {origin}.":
    "Funciona: a última conversa começou {time} em {origin}.",
  "It works: the latest conversation began {time}.": "Funciona: a última conversa começou {time}.",
  "Its address without query and fragment, and the browser.": "O endereço sem query e fragmento, e o navegador.",
  "Its page was not recorded, as the settings say.": "A página não foi registrada, conforme as configurações.",
  Look: "Aparência",
  "More about widgets": "Mais sobre widgets",
  "Name of the button": "Nome do botão",
  "No message yet. Nothing is recorded before a visitor writes, so open your page and send the first one yourself.":
    "Nenhuma mensagem ainda. Nada é registrado antes de um visitante escrever; abra sua página e envie a primeira.",
  "No widgets yet": "Nenhum widget ainda",
  "Not asked": "Não perguntado",
  "One line before the end of the body, on every page that should have the chat.":
    "Uma linha antes do fim do body, em cada página que deva ter o chat.",
  "Only signed-in visitors may write": "Só visitantes conectados podem escrever",
  "Optional, after the first message": "Opcional, após a primeira mensagem",
  "Otherwise pages show nothing, and messages are refused.":
    "Caso contrário, as páginas não mostram nada e as mensagens são recusadas.",
  "Pages no longer show it, and its visitors can neither read nor write. Its conversations stay.":
    "As páginas não o mostram mais, e os visitantes não podem ler nem escrever. As conversas ficam.",
  "Pick a color": "Escolher uma cor",
  "Preview of the chat": "Prévia do chat",
  "Put it in place on your server.": "Instale-o no seu servidor.",
  "Put it into your page": "Instale na sua página",
  "Replies by e-mail": "Respostas por e-mail",
  "Required, before the first message is sent": "Obrigatório, antes de enviar a primeira mensagem",
  "Rotate the identity secret": "Renovar o segredo de identidade",
  Shop: "Loja",
  "Show the page of the first message": "Mostrar a página da primeira mensagem",
  "Signed-in visitors": "Visitantes conectados",
  snippet: "trecho",
  "Text on it is black or white, whichever is easier to read.":
    "O texto sobre ela é preto ou branco, o que for mais legível.",
  Texts: "Textos",
  "The new identity secret": "O novo segredo de identidade",
  "The origins of the pages that may show the chat, one per line, exactly as in the address bar: https://shop.example. For a page on your own computer: http://localhost:3000.":
    "As origens das páginas que podem mostrar o chat, uma por linha, exatamente como na barra de endereço: https://shop.example. Para uma página no seu computador: http://localhost:3000.",
  Title: "Título",
  "To stop it for a while, make it inactive instead.": "Para pará-lo por um tempo, deixe-o inativo.",
  "Tokens of the old secret are refused now. For a secret that leaked.":
    "Tokens do segredo antigo são recusados agora. Para um segredo que vazou.",
  Visitors: "Visitantes",
  "Visitors see the language of the snippet, of the page or of their browser.":
    "Visitantes veem o idioma do trecho, da página ou do navegador.",
  "What a visitor with an e-mail address has not seen after some minutes is sent there from this mailbox.":
    "O que um visitante com endereço de e-mail não viu depois de alguns minutos é enviado para lá por esta caixa.",
  "When do tokens of the old secret stop being accepted?": "Quando os tokens do segredo antigo deixam de ser aceitos?",
  "Where a text is empty, the built-in one of that language is used.":
    "Onde um texto está vazio, usa-se o padrão daquele idioma.",
  widget: "widget",
  "Widget created.": "Widget criado.",
  "Widget saved.": "Widget salvo.",
  "Your server signs who the visitor is, for at most an hour. The token goes into the snippet as data-token, or to Parley('identify', token).":
    "Seu servidor assina quem é o visitante, por no máximo uma hora. O token vai no trecho como data-token ou em Parley('identify', token).",
};
