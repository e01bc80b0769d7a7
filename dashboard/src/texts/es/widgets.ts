import type { Texts } from "../texts.ts";

export const texts: Texts = {
  " (own texts)": " (textos propios)",
  "A chat for the pages of your own site. Visitors write there, you reply in the inbox.":
    "Un chat para las páginas de su propio sitio. Los visitantes escriben allí, usted responde en la bandeja de entrada.",
  "A content security policy needs {origin} (or the script's nonce) and {origin2}, nothing else.":
    "Una política de seguridad de contenido necesita {origin} (o el nonce del script) y {origin2}, nada más.",
  "A message needs an identity token of your server.": "Un mensaje necesita un token de identidad de su servidor.",
  "An inactive widget has no preview.": "Un widget inactivo no tiene vista previa.",
  "Both secrets are accepted until then.": "Hasta entonces se aceptan ambos secretos.",
  "Bottom left": "Abajo a la izquierda",
  "Bottom right": "Abajo a la derecha",
  "Built-in text": "Texto incorporado",
  Color: "Color",
  "Create one, copy one line into your page, and talk to your visitors. Nothing is stored about a visitor before they write.":
    "Cree uno, copie una línea en su página y hable con sus visitantes. No se guarda nada de un visitante antes de que escriba.",
  "Create widget": "Crear widget",
  "Delete widget": "Eliminar widget",
  "For your team; visitors do not see it.": "Para su equipo; los visitantes no lo ven.",
  Greeting: "Saludo",
  "Hint in the text box": "Indicación en el cuadro de texto",
  "identity secret": "secreto de identidad",
  "identity token in {name}": "token de identidad en {name}",
  Inactive: "Inactivo",
  "It works: the latest conversation began {time} on {origin}, which is no longer among the pages.":
    "Funciona: la última conversación empezó {time} en {origin}, que ya no está entre las páginas.",
  "It works: the latest conversation began {time} on {origin}.":
    "Funciona: la última conversación empezó {time} en {origin}.",
  "It works: the latest conversation began {time}.": "Funciona: la última conversación empezó {time}.",
  "Its address without query and fragment, and the browser.": "Su dirección sin consulta ni fragmento, y el navegador.",
  "Its page was not recorded, as the settings say.": "Su página no se registró, según los ajustes.",
  Look: "Aspecto",
  "More about widgets": "Más sobre los widgets",
  "Name of the button": "Nombre del botón",
  "No message yet. Nothing is recorded before a visitor writes, so open your page and send the first one yourself.":
    "Aún no hay mensajes. No se registra nada antes de que un visitante escriba, así que abra su página y envíe usted el primero.",
  "No widgets yet": "Aún no hay widgets",
  "Not asked": "No se pregunta",
  "One line before the end of the body, on every page that should have the chat.":
    "Una línea antes del final del body, en cada página que deba tener el chat.",
  "Only signed-in visitors may write": "Solo pueden escribir visitantes identificados",
  "Optional, after the first message": "Opcional, tras el primer mensaje",
  "Otherwise pages show nothing, and messages are refused.":
    "Si no, las páginas no muestran nada y los mensajes se rechazan.",
  "Pages no longer show it, and its visitors can neither read nor write. Its conversations stay.":
    "Las páginas dejan de mostrarlo y sus visitantes no pueden leer ni escribir. Sus conversaciones se conservan.",
  "Pick a color": "Elegir un color",
  "Preview of the chat": "Vista previa del chat",
  "Put it in place on your server.": "Póngalo en su servidor.",
  "Put it into your page": "Insértelo en su página",
  "Replies by e-mail": "Respuestas por correo",
  "Required, before the first message is sent": "Obligatorio, antes de enviar el primer mensaje",
  "Rotate the identity secret": "Rotar el secreto de identidad",
  Shop: "Tienda",
  "Show the page of the first message": "Mostrar la página del primer mensaje",
  "Signed-in visitors": "Visitantes identificados",
  snippet: "fragmento",
  "Text on it is black or white, whichever is easier to read.":
    "El texto encima es negro o blanco, según se lea mejor.",
  Texts: "Textos",
  "The new identity secret": "El nuevo secreto de identidad",
  "The origins of the pages that may show the chat, one per line, exactly as in the address bar: https://shop.example. For a page on your own computer: http://localhost:3000.":
    "Los orígenes de las páginas que pueden mostrar el chat, uno por línea, tal como en la barra de direcciones: https://shop.example. Para una página en su propio equipo: http://localhost:3000.",
  Title: "Título",
  "To stop it for a while, make it inactive instead.": "Para detenerlo un tiempo, desactívelo.",
  "Tokens of the old secret are refused now. For a secret that leaked.":
    "Los tokens del secreto anterior se rechazan ya. Para un secreto filtrado.",
  Visitors: "Visitantes",
  "Visitors see the language of the snippet, of the page or of their browser.":
    "Los visitantes ven el idioma del fragmento, de la página o de su navegador.",
  "What a visitor with an e-mail address has not seen after some minutes is sent there from this mailbox.":
    "Lo que un visitante con dirección de correo no haya visto pasados unos minutos se envía allí desde este buzón.",
  "When do tokens of the old secret stop being accepted?":
    "¿Cuándo dejan de aceptarse los tokens del secreto anterior?",
  "Where a text is empty, the built-in one of that language is used.":
    "Donde un texto está vacío, se usa el incorporado de ese idioma.",
  widget: "widget",
  "Widget created.": "Widget creado.",
  "Widget saved.": "Widget guardado.",
  "Your server signs who the visitor is, for at most an hour. The token goes into the snippet as data-token, or to Parley('identify', token).":
    "Su servidor firma quién es el visitante, como máximo por una hora. El token va en el fragmento como data-token o en Parley('identify', token).",
};
