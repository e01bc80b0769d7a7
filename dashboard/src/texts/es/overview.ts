import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "(done)": "(hecho)",
  "A chat is one line on your page. A mailbox turns the mail of an address into conversations.":
    "Un chat es una línea en su página. Un buzón convierte el correo de una dirección en conversaciones.",
  "API requests": "Solicitudes de API",
  Backlog: "Retraso",
  "By outcome. Response time: median {half}, 95% within {most}.":
    "Por resultado. Tiempo de respuesta: mediana {half}, 95 % en {most}.",
  "Connect a chat or a mailbox": "Conecte un chat o un buzón",
  "Create a webhook": "Crear un webhook",
  "Create a widget": "Crear un widget",
  "Events to your webhooks, by outcome.": "Eventos a sus webhooks, por resultado.",
  "Everyone who replies to customers needs an account. An invitation is a link, sent by e-mail or copied.":
    "Todo el que responda a clientes necesita una cuenta. Una invitación es un enlace, enviado por correo o copiado.",
  "First steps": "Primeros pasos",
  "First steps hidden.": "Primeros pasos ocultos.",
  "From contacts, and public replies to them.": "De los contactos y las respuestas públicas a ellos.",
  "Invite a colleague": "Invite a un compañero",
  "Key expires": "La clave caduca",
  "Key never used": "Clave sin usar",
  "Last events": "Últimos eventos",
  "Needs attention": "Requiere atención",
  "No backups": "Sin copias de seguridad",
  "No first response yet": "Aún sin primera respuesta",
  "None completed yet": "Ninguno completado todavía",
  "None for more than an hour": "Ninguna más de una hora",
  "Nothing has happened yet.": "Aún no ha ocurrido nada.",
  "Nothing right now.": "Nada por ahora.",
  "Of all keys, by outcome.": "De todas las claves, por resultado.",
  "of {n} requests": ["de {n} solicitud", "de {n} solicitudes"],
  "Old secret works": "Secreto anterior activo",
  "oldest due {time}": "la más antigua, {time}",
  "Open the conversation, write, and send. The customer gets it where they wrote.":
    "Abra la conversación, escriba y envíe. El cliente la recibe donde escribió.",
  "Open the inbox": "Abrir la bandeja de entrada",
  "Receive the first message": "Reciba el primer mensaje",
  Received: "Recibidos",
  "Recover…": "Recuperar…",
  Replies: "Respuestas",
  "Reply in the inbox": "Responder en la bandeja",
  "running it for years": "funcionamiento durante años",
  "Send events to your first webhook": "Envíe eventos a su primer webhook",
  "Send the first reply": "Envíe la primera respuesta",
  "since {time}": "desde {time}",
  "The database of this server is not backed up on a schedule. Set {code}, and see {link}.":
    "La base de datos de este servidor no tiene copias periódicas. Defina {code} y consulte {link}.",
  "Under 1 second": "Menos de 1 segundo",
  "Write to yourself as a customer would: in the chat on your page, by mail, or through the API.":
    "Escríbase como lo haría un cliente: en el chat de su página, por correo o por la API.",
  "Your own software learns of every message at once. A test is enough to see one arrive.":
    "Su propio software se entera de cada mensaje al instante. Basta una prueba para ver llegar uno.",
  "{count} contacts have waited for a reply for more than an hour": [
    "{count} contacto lleva más de una hora esperando respuesta",
    "{count} contactos llevan más de una hora esperando respuesta",
  ],
  "{delivered} of {ended}": "{delivered} de {ended}",
  "{done} of {n} done. Each is checked by what has happened.":
    "{done} de {n} hechos. Cada uno se comprueba con lo ocurrido.",
  "{long} for more than an hour": "{long} más de una hora",
  "{n} deliveries should have been attempted by now": [
    "{n} entrega debería haberse intentado ya",
    "{n} entregas deberían haberse intentado ya",
  ],
  "{n} messages received": ["{n} mensaje recibido", "{n} mensajes recibidos"],
  "Open now": "Abiertas ahora",
  "Waiting for a reply": "Esperan respuesta",
  "Median first response": "Primera respuesta (mediana)",
  "Events delivered": "Eventos entregados",
  "API errors": "Errores de API",
};
