import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "A contact has at most {max} notes; delete some first.":
    "Un contacto tiene como máximo {max} notas; elimine antes algunas.",
  "A person can have at most {max} views.": "Una persona puede tener como máximo {max} vistas.",
  "A test with example data cannot be sent again; send another test.":
    "Una prueba con datos de ejemplo no se puede volver a enviar; envíe otra.",
  "A user with this e-mail address is already a member of the workspace.":
    "Alguien con este correo ya es miembro del espacio de trabajo.",
  "Addresses in the domain invalid do not exist.": "Las direcciones del dominio invalid no existen.",
  "An authenticator app is set up already.": "Ya hay una aplicación de autenticación configurada.",
  "An authenticator app is set up already. Remove it first.":
    "Ya hay una aplicación de autenticación configurada. Quítela primero.",
  "An owner has invited this address. Only an owner may replace or revoke that invitation.":
    "Un propietario ha invitado a esta dirección. Solo un propietario puede sustituir o revocar esa invitación.",
  "Another contact has this external_id.": "Otro contacto tiene este Id externo.",
  "Another mailbox of this installation has this address.": "Otro buzón de esta instalación tiene esta dirección.",
  "Another mailbox of this workspace has this address.": "Otro buzón de este espacio de trabajo tiene esta dirección.",
  "Another person began to add this passkey.": "Otra persona empezó a añadir esta llave de acceso.",
  "Another saved reply has this shortcut.": "Otra respuesta guardada tiene este atajo.",
  "assignee_id must be the id or uuid of a member of the workspace, or 0 for nobody.":
    "Esta persona no pertenece al espacio de trabajo.",
  "body has an unknown variable {name}. Known are {known}.":
    "body contiene una variable desconocida: {name}. Las conocidas son {known}.",
  "body must not be empty unless there are attachments.": "Sin adjuntos, el texto no puede estar vacío.",
  "Confirm your password first: it was checked too long ago.":
    "Confirme antes su contraseña: se comprobó hace demasiado tiempo.",
  "contact_id must be a contact with an e-mail address, to whom the message is sent.":
    "El contacto necesita una dirección de correo a la que se envíe el mensaje.",
  "current_password is required for a new password.": "Para una contraseña nueva hace falta la actual.",
  "dkim.private_key must be a private key in PEM form: RSA with 1,024 bits or more, or Ed25519.":
    "Hace falta una clave privada en formato PEM: RSA de 1024 bits o más, o Ed25519.",
  "expires_at must be in the future.": "La fecha de caducidad debe estar en el futuro.",
  "If you have an account with this e-mail address, use its password.":
    "Si tiene una cuenta con este correo, use su contraseña.",
  "inbound of type smtp needs an address in one of the domains of PARLEY_MAIL_DOMAINS.":
    "El receptor propio de Parley necesita una dirección en uno de los dominios de PARLEY_MAIL_DOMAINS.",
  "It has changed since you read it. Read it again, then repeat your change.":
    "Ha cambiado desde que lo leyó. Vuelva a cargarlo y repita el cambio.",
  "labels must have at most {limit} items.": "Puede haber como máximo {limit} etiquetas.",
  "labels must not bring the workspace beyond {max} different labels.":
    "Un espacio de trabajo puede tener como máximo {max} etiquetas distintas.",
  "Mail of this mailbox is still being sent. Wait until it is, or delete those messages.":
    "Aún se está enviando correo de este buzón. Espere a que termine o elimine esos mensajes.",
  "No authenticator app is set up.": "No hay ninguna aplicación de autenticación configurada.",
  "No chat is set.": "No hay ningún chat configurado.",
  "Nobody is left to send this message to.": "No queda nadie a quien enviar este mensaje.",
  "Only an owner may do this to an owner.": "Solo un propietario puede hacer esto con un propietario.",
  "Only its author or a manager can delete a note.":
    "Solo quien la escribió, un propietario o un administrador puede eliminar una nota.",
  "Only the person who owns this view can make it private.":
    "Solo la persona a la que pertenece esta vista puede hacerla privada.",
  "outbound must name a mail server: the one of the installation sends only for the domains of PARLEY_MAIL_DOMAINS.":
    "Indique un servidor de correo para enviar: el de la instalación solo envía para los dominios de PARLEY_MAIL_DOMAINS.",
  "Parley is set up already. Sign in, or ask an owner for an invitation.":
    "Parley ya está configurado. Inicie sesión o pida una invitación a un propietario.",
  "password is one of the most common passwords. Choose another one.":
    "Es una de las contraseñas más comunes. Elija otra.",
  "password must have at least {limit} characters.": "La contraseña debe tener al menos {limit} caracteres.",
  "password must have at most {limit} characters.": "La contraseña debe tener como máximo {limit} caracteres.",
  "password must not consist of spaces alone.": "La contraseña no puede constar solo de espacios.",
  "Passwords and passkeys are not accepted here. Use single sign-on.":
    "Aquí no se aceptan contraseñas ni llaves de acceso. Use el inicio de sesión único.",
  "Reading this took too long. Narrow it down with filters, or try again soon.":
    "La lectura tardó demasiado. Acótela con filtros o vuelva a intentarlo en un momento.",
  "Sending api_key events again also requires the scope api-keys:manage.":
    "Para volver a enviar eventos api_key hace falta además el permiso api-keys:manage.",
  "Set up an authenticator app or a passkey first.":
    "Configure antes una aplicación de autenticación o una llave de acceso.",
  "Set up your own second factor first: otherwise you would lock yourself out.":
    "Configure antes su propio segundo factor; de lo contrario se quedaría fuera.",
  "snoozed_until must be at most one year from now.": "El momento debe estar dentro de un año como máximo.",
  "snoozed_until must be in the future.": "El momento debe estar en el futuro.",
  "Something went wrong on our side.": "Algo ha fallado en el servidor.",
  "Subscribing to api_key events also requires the scope api-keys:manage.":
    "Para suscribirse a eventos api_key hace falta además el permiso api-keys:manage.",
  "That is not your current password.": "Esa no es su contraseña actual.",
  "The account with your e-mail address is linked to another identity at the provider. Ask the operator to unlink it.":
    "La cuenta con su correo está vinculada a otra identidad en el proveedor. Pida al operador que la desvincule.",
  "The API key does not exist.": "Esta clave de API no existe.",
  "The API key has expired; move `expires_at` to resume it.":
    "La clave de API ha caducado; elija una fecha posterior para reanudarla.",
  "The API key is revoked; a revoked key cannot be changed.": "La clave de API está revocada y ya no se puede cambiar.",
  "The API key is revoked; a revoked key cannot be rotated.": "La clave de API está revocada y ya no se puede rotar.",
  "The body must not be empty: it is the file.": "El archivo está vacío.",
  "The code is wrong or was used already.": "El código es incorrecto o ya se usó.",
  "The code is wrong. Check the clock of your phone and enter the newest code.":
    "El código es incorrecto. Compruebe el reloj de su teléfono e introduzca el código más reciente.",
  "The consumer does not exist.": "Este consumidor no existe.",
  "The contact does not exist.": "Este contacto no existe.",
  "The contact has conversations; delete those first.": "El contacto tiene conversaciones; elimínelas antes.",
  "The conversation does not exist.": "Esta conversación no existe.",
  "The database is not available. Try again soon.":
    "La base de datos no está disponible. Vuelva a intentarlo en un momento.",
  "The database did not finish this in time: it is busy, or other requests change the same records. Try again.":
    "La base de datos no ha terminado a tiempo: está ocupada u otras solicitudes modifican los mismos registros. Vuelva a intentarlo.",
  "The delivery log does not exist.": "Este intento no está en el registro.",
  "The draft does not exist.": "Este borrador no existe.",
  "The e-mail address or the password is wrong.": "El correo o la contraseña no son correctos.",
  "The event does not exist.": "Este evento no existe.",
  "The event is past its retention and can no longer be sent.":
    "El plazo de conservación del evento ha pasado y ya no se puede enviar.",
  "The file does not exist.": "Este archivo no existe.",
  "The file is larger than the limit of {limit}.": "El archivo supera el límite de {limit}.",
  "The given data was invalid.": "Los datos no son válidos.",
  "The host of the url is not a valid name.": "El host de la URL no es un nombre válido.",
  "The identity provider cannot be reached. Try again soon.":
    "No se puede contactar con el proveedor de identidad. Vuelva a intentarlo en un momento.",
  "The identity provider denied this sign-in, or it was canceled there.":
    "El proveedor de identidad rechazó este inicio de sesión, o se canceló allí.",
  "The identity provider did not confirm an e-mail address for you.":
    "El proveedor de identidad no confirmó ningún correo para usted.",
  "The identity provider did not confirm this sign-in. Start again.":
    "El proveedor de identidad no confirmó este inicio de sesión. Empiece de nuevo.",
  "The invitation does not exist.": "Esta invitación no existe.",
  "The mail does not exist.": "Este correo no existe.",
  "The mailbox does not exist.": "Este buzón no existe.",
  "The mailbox is paused: resume it first.": "El buzón está en pausa: reanúdelo primero.",
  "The member does not exist.": "Este miembro no existe.",
  "The message does not exist.": "Este mensaje no existe.",
  "The message is a mail: what was sent or received cannot be changed.":
    "El mensaje es un correo: lo enviado o recibido no se puede cambiar.",
  "The note does not exist.": "Esta nota no existe.",
  "The passkey could not be verified. Try again.": "No se pudo verificar la llave de acceso. Vuelva a intentarlo.",
  "The passkey does not exist.": "Esta llave de acceso no existe.",
  "The push subscription does not exist.": "Este navegador ya no recibe notificaciones.",
  "The role {role} lacks the scope {scope}.": "Al rol {role} le falta el permiso {scope}.",
  "The role {role} may not do this.": "El rol {role} no permite hacer esto.",
  "The saved reply does not exist.": "Esta respuesta guardada no existe.",
  "The server is stopping. Try again soon.": "El servidor se está deteniendo. Vuelva a intentarlo en un momento.",
  "The session does not exist.": "Esta sesión no existe.",
  "The upload was interrupted before all bytes had arrived.": "La subida se interrumpió antes de llegar entera.",
  "The url is not valid.": "La URL no es válida.",
  "The url must not be longer than {max} characters.": "La URL debe tener como máximo {max} caracteres.",
  "The url must not contain a backslash.": "La URL no puede contener una barra invertida.",
  "The url must not contain a user name or password.": "La URL no puede contener usuario ni contraseña.",
  "The url must not contain spaces or control characters.":
    "La URL no puede contener espacios ni caracteres de control.",
  "The url must not point to a private or reserved address.":
    "La URL no puede llevar a una dirección privada o reservada.",
  "The url must not use port {port}.": "La URL no puede usar el puerto {port}.",
  "The url must start with http:// or https:// and a host.": "La URL debe empezar por http:// o https:// y un host.",
  "The url must start with https://.": "La URL debe empezar por https://.",
  "The view does not exist.": "Esta vista no existe.",
  "The webhook does not exist.": "Este webhook no existe.",
  "The webhook is disabled; enable it first.": "El webhook está desactivado; actívelo primero.",
  "The widget does not exist.": "Este widget no existe.",
  "The workspace does not exist.": "Este espacio de trabajo no existe.",
  "There is a user with this e-mail address already.": "Ya hay una cuenta con este correo.",
  "There is one already. Read it, then repeat your change.": "Ya hay uno. Vuelva a cargar y repita el cambio.",
  "This browser gets no pushes.": "Este navegador no recibe notificaciones push.",
  "This invitation does not exist, or it has ended. Ask for a new one.":
    "Esta invitación no existe o ya no es válida. Pida una nueva.",
  "This invitation is for {email}. You signed in as {user}.":
    "Esta invitación es para {email}. Ha iniciado sesión como {user}.",
  "This is the last owner of the workspace. Make another member an owner first.":
    "Es el último propietario del espacio de trabajo. Convierta antes a otro miembro en propietario.",
  "This link was used already, or it has expired. Ask for a new one.":
    "Este enlace ya se usó o ha caducado. Pida uno nuevo.",
  "This passkey is not known here, or it could not be verified.":
    "Esta llave de acceso no se conoce aquí o no se pudo verificar.",
  "This passkey is registered already.": "Esta llave de acceso ya está registrada.",
  "This request does not come from the dashboard's own pages. If you use this address, set PARLEY_PUBLIC_URL to it.":
    "Esta solicitud no viene de las páginas propias del panel. Si usa esta dirección, póngala en PARLEY_PUBLIC_URL.",
  "This server sends no e-mail. Its operator can reset your password on the command line.":
    "Este servidor no envía correos. Su operador puede restablecer su contraseña en la línea de comandos.",
  "This server sends no e-mail: PARLEY_SMTP_URL is not set.": "Este servidor no envía correos: falta PARLEY_SMTP_URL.",
  "This set-up link is not valid. The server prints a new one when it starts.":
    "Este enlace de configuración no es válido. El servidor muestra uno nuevo al arrancar.",
  "This sign-in took too long or failed too often. Start again.":
    "Este inicio de sesión tardó demasiado o falló demasiadas veces. Empiece de nuevo.",
  "This sign-in was completed already. Start again.": "Este inicio de sesión ya se completó. Empiece de nuevo.",
  "This workspace has reached its limit of 4 MiB of saved replies.":
    "Este espacio de trabajo ha alcanzado su límite de 4 MiB de respuestas guardadas.",
  "This workspace has reached its limit of {limit} of files.":
    "Este espacio de trabajo ha alcanzado su límite de {limit} de archivos.",
  "This workspace has reached its limit of {max} api keys.":
    "Este espacio de trabajo ha alcanzado su límite de {max} claves de API.",
  "This workspace has reached its limit of {max} consumers.":
    "Este espacio de trabajo ha alcanzado su límite de {max} consumidores.",
  "This workspace has reached its limit of {max} invitations.":
    "Este espacio de trabajo ha alcanzado su límite de {max} invitaciones.",
  "This workspace has reached its limit of {max} mailboxes.":
    "Este espacio de trabajo ha alcanzado su límite de {max} buzones.",
  "This workspace has reached its limit of {max} members.":
    "Este espacio de trabajo ha alcanzado su límite de {max} miembros.",
  "This workspace has reached its limit of {max} saved replies.":
    "Este espacio de trabajo ha alcanzado su límite de {max} respuestas guardadas.",
  "This workspace has reached its limit of {max} views.":
    "Este espacio de trabajo ha alcanzado su límite de {max} vistas.",
  "This workspace has reached its limit of {max} webhooks.":
    "Este espacio de trabajo ha alcanzado su límite de {max} webhooks.",
  "This workspace has reached its limit of {max} widgets.":
    "Este espacio de trabajo ha alcanzado su límite de {max} widgets.",
  "This workspace is being moved to another cell. Reading works; try again in a few seconds to write.":
    "Este espacio de trabajo se está trasladando. Se puede leer; vuelva a intentar escribir en unos segundos.",
  "Too many changes of this workspace are in progress. Try again soon.":
    "Hay demasiados cambios en curso en este espacio de trabajo. Vuelva a intentarlo en un momento.",
  "Too many checks of this mailbox.": "Demasiadas comprobaciones de este buzón.",
  "Too many failed attempts. Wait before trying again.":
    "Demasiados intentos fallidos. Espere antes de volver a intentarlo.",
  "Too many people are signing in. Try again soon.":
    "Demasiadas personas están iniciando sesión. Vuelva a intentarlo en un momento.",
  "Too many requests for a new password. Wait before trying again.":
    "Demasiadas solicitudes de contraseña nueva. Espere antes de volver a intentarlo.",
  "Too many requests of this workspace are in progress. Try again soon.":
    "Hay demasiadas solicitudes en curso en este espacio de trabajo. Vuelva a intentarlo en un momento.",
  "Too many requests of this workspace.": "Demasiadas solicitudes de este espacio de trabajo.",
  "Too many requests.": "Demasiadas solicitudes.",
  "Too many test mails of this mailbox.": "Demasiados correos de prueba de este buzón.",
  "Too many test messages. Wait before sending another one.":
    "Demasiados mensajes de prueba. Espere antes de enviar otro.",
  "Too many tests. Wait before sending another one.": "Demasiadas pruebas. Espere antes de enviar otra.",
  "Too many uploads of this workspace are in progress.": "Hay demasiadas subidas en curso en este espacio de trabajo.",
  "Too many wrong codes for this account. Wait before trying again.":
    "Demasiados códigos incorrectos para esta cuenta. Espere antes de volver a intentarlo.",
  "Two-factor sign-in is required here. Set it up under Account security, then continue.":
    "Aquí se exige la verificación en dos pasos. Configúrela en Seguridad de la cuenta y continúe.",
  "You are not signed in, or the session has ended.": "No ha iniciado sesión o la sesión ha terminado.",
  "You belong to no workspace. Ask an owner for an invitation.":
    "No pertenece a ningún espacio de trabajo. Pida una invitación a un propietario.",
  "You have {max} passkeys. Remove one first.": "Tiene {max} llaves de acceso. Quite antes una.",
  "Your account has no password. It signs in through single sign-on, where its security is set up.":
    "Su cuenta no tiene contraseña. Entra por el inicio de sesión único, donde se configura su seguridad.",
  "Your account requires a second factor. Sign in first, then open the invitation's link again.":
    "Su cuenta exige un segundo factor. Inicie sesión primero y vuelva a abrir el enlace de la invitación.",
  "{field} is not a known {what}.": "{field}: no se conoce.",
  "{field} is required.": "{field}: es obligatorio.",
  "{field} must be a color such as #0f766e.": "{field}: debe ser un color como #0f766e.",
  "{field} must be an address or a CIDR.": "{field}: debe ser una dirección o un rango CIDR.",
  "{field} must be an e-mail address.": "{field}: debe ser una dirección de correo.",
  "{field} must be an http or https URL.": "{field}: debe ser una URL con http o https.",
  "{field} must be an origin such as https://shop.example, with nothing after the host and port.":
    "{field}: debe ser un origen como https://shop.example, sin nada después del host y el puerto.",
  "{field} must be at least {limit}.": "{field}: el mínimo es {limit}.",
  "{field} must be at most {limit}.": "{field}: el máximo es {limit}.",
  "{field} must be one of: {values}.": "{field}: debe ser uno de estos valores: {values}.",
  "{field} must be the name or address of a server.": "{field}: debe ser el nombre o la dirección de un servidor.",
  "{field} must begin with https://; http:// is for localhost and loopback addresses only.":
    "{field}: debe empezar por https://; http:// solo vale para localhost y direcciones de loopback.",
  "{field} must have a valid header name.": "{field}: el nombre de la cabecera no es válido.",
  "{field} must have at least {limit} characters.": "{field}: mínimo {limit} caracteres.",
  "{field} must have at most {limit} characters.": "{field}: máximo {limit} caracteres.",
  "{field} must have at most {limit} entries.": "{field}: máximo {limit} entradas.",
  "{field} must have at most {limit} items.": "{field}: máximo {limit} elementos.",
  "{field} must name a recipient: nobody of this conversation has an address.":
    "Indique un destinatario: nadie en esta conversación tiene dirección.",
  "{field} must not be empty.": "{field}: no puede estar vacío.",
  "{field} must not be larger than {max} MiB together in a mail: send a link instead.":
    "En un correo, los adjuntos pueden sumar como máximo {max} MiB: envíe un enlace.",
  "{field} must not be or point to a private or reserved address.":
    "{field}: no puede ser ni llevar a una dirección privada o reservada.",
  "{field} must not contain blanks.": "{field}: no puede contener espacios.",
  "{field} must not contain control characters.": "{field}: no puede contener caracteres de control.",
  "{field} must not have more than {max} recipients together.": "En total puede haber como máximo {max} destinatarios.",
  "{part} must have a password or oauth; both are asked for again when host or user changes.":
    "Indique la contraseña u OAuth; se vuelven a pedir si cambian el host o el usuario.",
  "{prefix}attributes must have at most {max} bytes as JSON.":
    "Los atributos pueden tener como máximo {max} bytes como JSON.",
  "The database cannot write: {problem}.": "La base de datos no puede escribir: {problem}.",
  "The destination responded with 410 Gone.": "El destino respondió con 410 Gone.",
  "Every delivery has failed for five days.": "Todas las entregas llevan cinco días fallando.",
  "{host} refused the user name or the password (it said: {text}).":
    "{host} rechazó el nombre de usuario o la contraseña (respondió: {text}).",
  "The certificate of {host} is not valid for this name ({code}).":
    "El certificado de {host} no es válido para este nombre ({code}).",
  "{host} refuses connections on port {port}.": "{host} rechaza las conexiones en el puerto {port}.",
  "{host} closed the connection.": "{host} cerró la conexión.",
  "{host} closed the connection before it greeted.": "{host} cerró la conexión antes de saludar.",
  "{host} does not respond on port {port}.": "{host} no responde en el puerto {port}.",
  "{host} does not greet on port {port}. Is this the port for its security?":
    "{host} no saluda en el puerto {port}. ¿Es el puerto adecuado para su seguridad?",
  "{host} did not complete STARTTLS.": "{host} no completó STARTTLS.",
  "{host} stopped responding.": "{host} dejó de responder.",
  "There is no route to {host}.": "No hay ruta hasta {host}.",
  "{host} does not speak TLS on port {port}.": "{host} no usa TLS en el puerto {port}.",
  "The connection to {host} was closed.": "Se cerró la conexión con {host}.",
  "The mailbox was deleted.": "El buzón se eliminó.",
  "No mail server is set: the mailbox has no outbound, and PARLEY_SMTP_URL is not set.":
    "No hay servidor de correo: el buzón no tiene salida y PARLEY_SMTP_URL no está definido.",
  "The address is not in a domain of PARLEY_MAIL_DOMAINS: the mailbox needs an outbound of its own.":
    "La dirección no está en un dominio de PARLEY_MAIL_DOMAINS: el buzón necesita una salida propia.",
  "connection refused": "conexión rechazada",
  "connection reset while connecting": "conexión interrumpida al conectar",
  "connection closed by the receiver during the TLS handshake":
    "el receptor cerró la conexión durante la negociación TLS",
  "no route to the host": "no hay ruta hasta el host",
  "the host did not respond to the connection request": "el host no respondió a la solicitud de conexión",
  "the host name does not resolve": "el nombre del host no se resuelve",
  "the name server did not respond": "el servidor de nombres no respondió",
  "the destination is a private or reserved address": "el destino es una dirección privada o reservada",
  "the TLS handshake took too long": "la negociación TLS tardó demasiado",
  "TLS certificate has expired": "el certificado TLS ha caducado",
  "TLS certificate is not valid yet": "el certificado TLS todavía no es válido",
  "TLS certificate is self-signed": "el certificado TLS está autofirmado",
  "TLS certificate chain ends in an unknown authority":
    "la cadena de certificados TLS termina en una autoridad desconocida",
  "TLS certificate chain is incomplete or its authority is unknown":
    "la cadena de certificados TLS está incompleta o su autoridad es desconocida",
  "TLS certificate is for another host name": "el certificado TLS es de otro nombre de host",
  "TLS handshake failed: the port does not speak TLS": "la negociación TLS falló: el puerto no usa TLS",
};
