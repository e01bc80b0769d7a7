/** Tratamiento: usted. Las palabras son las del panel. */
export const texts: Readonly<Record<string, string>> = {
  "A colleague": "Un compañero",
  "A new device signed in to your Parley account": "Un dispositivo nuevo ha iniciado sesión en su cuenta de Parley",
  "A scheduled backup was written again": "Se ha vuelto a escribir una copia de seguridad programada",
  "A test from Parley": "Una prueba de Parley",
  'API key "{name}" expires within 7 days': "La clave de API «{name}» caduca en menos de 7 días",
  'API key "{name}" expires within a day': "La clave de API «{name}» caduca en menos de un día",
  "Address: {ip}": "Dirección: {ip}",
  "After five days of nothing but failures a webhook is disabled. Correct its URL or the receiver.":
    "Tras cinco días en los que todo falla, un webhook se desactiva. Corrija su URL o el receptor.",
  "Browser: {browser}": "Navegador: {browser}",
  'Consumer "{name}" has caught up': "El consumidor «{name}» se ha puesto al día",
  'Consumer "{name}" is behind': "El consumidor «{name}» va con retraso",
  "Deliveries that are due have not been attempted. Check that a server or worker is running and keeps up; a receiver that responds slowly delays its own deliveries.":
    "Hay entregas pendientes que no se han intentado. Compruebe que un servidor o un worker esté en marcha y dé abasto; un receptor lento retrasa solo sus propias entregas.",
  "Deliveries that failed in the meantime are sent with their next retries.":
    "Las entregas que fallaron entretanto se envían con sus próximos reintentos.",
  "Events are not sent there any more. Once the receiver works, enable the webhook and use Recover to send what was missed.":
    "Ya no se envían eventos allí. Cuando el receptor funcione, active el webhook y use «Recuperar» para enviar lo que faltó.",
  "Events wait to be read and acknowledged. Look at the program that reads them. What is older than the retention period is deleted, read or not.":
    "Hay eventos que esperan a ser leídos y confirmados. Revise el programa que los lee. Lo que supera el periodo de conservación se borra, leído o no.",
  "Every delivery has failed for five days.": "Todas las entregas llevan cinco días fallando.",
  "If it was not you, set a new password at once: {url}":
    "Si no ha sido usted, establezca enseguida una nueva contraseña: {url}",
  "If it was not you, you can ignore this e-mail: your password stays as it is.":
    "Si no ha sido usted, puede ignorar este correo: su contraseña no cambia.",
  "If it was you, nothing needs to be done. If not, set a new password at once: {url}":
    "Si ha sido usted, no hay nada que hacer. Si no, establezca enseguida una nueva contraseña: {url}",
  "If it was you, nothing needs to be done. If not, your password is known to another person: set a new one at once: {url}":
    "Si ha sido usted, no hay nada que hacer. Si no, otra persona conoce su contraseña: establezca enseguida una nueva: {url}",
  "If you did not expect this, you can ignore this e-mail.": "Si no esperaba esto, puede ignorar este correo.",
  "Look at the log of the server for the reason: a full disk, or a directory that cannot be written to.":
    "El motivo está en el registro del servidor: un disco lleno o un directorio en el que no se puede escribir.",
  'Mailbox "{name}" has been failing for 15 minutes': "El buzón «{name}» lleva 15 minutos fallando",
  'Mailbox "{name}" works again': "El buzón «{name}» vuelve a funcionar",
  "No mail is lost: what arrives waits on the mail server, and replies wait here. Check the mailbox in the settings, which says at which step it fails.":
    "No se pierde ningún correo: lo que llega espera en el servidor de correo y las respuestas esperan aquí. Compruebe el buzón en los ajustes, que indican en qué paso falla.",
  "Nothing is lost: failed deliveries are retried as often as the webhook is set to, and Recover sends what was missed. Look at the log of the webhook, and correct its URL or the receiver.":
    "No se pierde nada: las entregas fallidas se reintentan tantas veces como indica el webhook, y «Recuperar» envía lo que faltó. Mire el registro del webhook y corrija su URL o el receptor.",
  "Nothing needs to be done.": "No hay nada que hacer.",
  "Requests with an expired key are refused. Rotate the key or extend it if it is still in use.":
    "Las solicitudes con una clave caducada se rechazan. Rote la clave o amplíe su plazo si todavía se usa.",
  "Set a new password for Parley": "Establezca una nueva contraseña para Parley",
  "Someone at the address {ip} asked to set a new password for your account.":
    "Alguien desde la dirección {ip} ha pedido una nueva contraseña para su cuenta.",
  "Someone signed in to your account with a browser that has not been used for it before.":
    "Alguien ha iniciado sesión en su cuenta con un navegador que no se había usado antes para ella.",
  "The backlog is cleared.": "El retraso se ha recuperado.",
  "The destination responded with 410 Gone.": "El destino respondió con 410 Gone.",
  "The password of your account was changed with a link from an e-mail, from the address {ip} at {at}. You were signed out everywhere.":
    "La contraseña de su cuenta se cambió con un enlace de un correo: {at}, desde la dirección {ip}. Se ha cerrado su sesión en todas partes.",
  "The scheduled backup is overdue": "La copia de seguridad programada está atrasada",
  "This is a test. Alerts of this workspace will reach you here.":
    "Esto es una prueba. Las alertas de este espacio de trabajo le llegarán aquí.",
  "Time: {at}": "Hora: {at}",
  "To choose one, open this link. It works once, for {minutes} minutes:":
    "Para elegirla, abra este enlace. Sirve una sola vez, durante {minutes} minutos:",
  "To join, open this link. It works once, until {time}:":
    "Para unirse, abra este enlace. Sirve una sola vez, hasta el {time}:",
  'Webhook "{name}" has been failing for 24 hours': "El webhook «{name}» lleva 24 horas fallando",
  'Webhook "{name}" has been failing for an hour': "El webhook «{name}» lleva una hora fallando",
  'Webhook "{name}" is delivering again': "El webhook «{name}» vuelve a entregar",
  'Webhook "{name}" was disabled': "El webhook «{name}» se ha desactivado",
  "Webhook deliveries are late": "Las entregas de webhooks se retrasan",
  "Webhook deliveries are on time again": "Las entregas de webhooks vuelven a ser puntuales",
  "What has waited is fetched and sent.": "Lo que esperaba se recoge y se envía.",
  "Wrong codes were entered for your Parley account": "Se han introducido códigos incorrectos para su cuenta de Parley",
  "You get this e-mail because you had not been in the dashboard for ten minutes. Turn it off under Profile > Notifications.":
    "Recibe este correo porque llevaba diez minutos sin entrar en el panel. Puede desactivarlo en Perfil > Notificaciones.",
  "Your correct password and then {count} wrong codes in a row were entered, the last one from the address {ip} at {at}. Further codes now have to wait, longer each time. A passkey still signs in at once.":
    "Se introdujo su contraseña correcta y después {count} códigos incorrectos seguidos, el último desde la dirección {ip}: {at}. Los códigos siguientes tienen que esperar, cada vez más. Una llave de acceso sigue iniciando sesión de inmediato.",
  "Your password for Parley was changed": "Su contraseña de Parley ha cambiado",
  "and {n} more": "y {n} más",
  "its oldest event is of {time}": "su evento más antiguo es de {time}",
  "on {time}": "el {time}",
  "since {time}": "desde {time}",
  "the newest was written at {time}": "la más reciente es de {time}",
  "their directory cannot be read ({reason})": "no se puede leer su directorio ({reason})",
  "there is none yet": "todavía no hay ninguna",
  '{inviter} invited you to the workspace "{workspace}" on Parley, as an admin.':
    "{inviter} le ha invitado al espacio de trabajo «{workspace}» en Parley como administrador.",
  '{inviter} invited you to the workspace "{workspace}" on Parley, as an agent.':
    "{inviter} le ha invitado al espacio de trabajo «{workspace}» en Parley como agente.",
  '{inviter} invited you to the workspace "{workspace}" on Parley, as an owner.':
    "{inviter} le ha invitado al espacio de trabajo «{workspace}» en Parley como propietario.",
  "{inviter} invited you to {workspace}": "{inviter} le ha invitado a {workspace}",
  "{name} mentioned you": "{name} le ha mencionado",
  "{name} mentioned you in a note of conversation {conversation}.":
    "{name} le ha mencionado en una nota de la conversación {conversation}.",
  "{n} API keys expire within 7 days": "{n} claves de API caducan en menos de 7 días",
  "{n} API keys expire within a day": "{n} claves de API caducan en menos de un día",
  "{n} consumers are behind": "{n} consumidores van con retraso",
  "{n} consumers have caught up": "{n} consumidores se han puesto al día",
  "{n} mailboxes have been failing for 15 minutes": "{n} buzones llevan 15 minutos fallando",
  "{n} mailboxes work again": "{n} buzones vuelven a funcionar",
  "{n} webhooks are delivering again": "{n} webhooks vuelven a entregar",
  "{n} webhooks have been failing for 24 hours": "{n} webhooks llevan 24 horas fallando",
  "{n} webhooks have been failing for an hour": "{n} webhooks llevan una hora fallando",
  "{n} webhooks were disabled": "{n} webhooks se han desactivado",
};
