import type { Texts } from "../texts.ts";

export const texts: Texts = {
  Acme: "Acme",
  "Back to sign-in": "Volver al inicio de sesión",
  "Check your e-mail": "Revise su correo",
  "Choose a new password": "Elegir una nueva contraseña",
  "Choose a password. If you already have an account with this address, enter its password.":
    "Elija una contraseña. Si ya tiene una cuenta con esta dirección, escriba su contraseña.",
  "Create account": "Crear cuenta",
  "Create the owner's account. Owners invite everyone else.":
    "Cree la cuenta del propietario. Los propietarios invitan a los demás.",
  "Enter the address that you sign in with. You get an e-mail with a link to choose a new password.":
    "Escriba la dirección con la que inicia sesión. Recibirá un correo con un enlace para elegir una nueva contraseña.",
  "Forgot your password?": "¿Ha olvidado la contraseña?",
  "If {email} has an account here, an e-mail with a link is on its way. The link works once, for 30 minutes.":
    "Si {email} tiene una cuenta aquí, un correo con un enlace va en camino. El enlace sirve una vez, durante 30 minutos.",
  "It is wrong or outdated: each start of the server prints a new one. Open the newest.":
    "Es incorrecto o antiguo: cada inicio del servidor muestra uno nuevo. Abra el más reciente.",
  "It was already used, or it has expired. Request a new one.": "Ya se usó o ha caducado. Solicite uno nuevo.",
  "It was used, revoked or replaced by a newer one, or it has expired. Ask for a new link.":
    "Se usó, se revocó, se reemplazó por otra más reciente o ha caducado. Pida un enlace nuevo.",
  "Join workspace": "Unirse al espacio de trabajo",
  "Join {name}": "Unirse a {name}",
  "Locked out? Ask the people who manage {name}.": "¿No puede entrar? Pregunte a quienes administran {name}.",
  "Locked out? The operator of the server can reset your password with {code}.":
    "¿No puede entrar? El operador del servidor puede restablecer su contraseña con {code}.",
  "Lost it? Start the server again, and it prints a fresh one:":
    "¿Lo ha perdido? Reinicie el servidor y mostrará uno nuevo:",
  "Open the set-up link": "Abra el enlace de configuración",
  "Parley is set up": "Parley está configurado",
  "Request a new link": "Solicitar un enlace nuevo",
  "Save password": "Guardar contraseña",
  "Send the link": "Enviar el enlace",
  "Set up Parley": "Configurar Parley",
  "Sign in with an existing account": "Iniciar sesión con una cuenta existente",
  "Sign in with the account of this address.": "Inicie sesión con la cuenta de esta dirección.",
  "Sign in with {name}": "Iniciar sesión con {name}",
  "Signing in": "Iniciando sesión",
  "That did not work": "No ha funcionado",
  "The first account is created with a one-time link. The server printed it when it started; look for “/setup?token=”.":
    "La primera cuenta se crea con un enlace de un solo uso. El servidor lo mostró al iniciarse; busque «/setup?token=».",
  "The first account to sign in here becomes the owner. Owners invite everyone else.":
    "La primera cuenta que inicie sesión aquí será la propietaria. Los propietarios invitan a los demás.",
  "The owner's account exists, so this link is no longer needed.":
    "La cuenta del propietario ya existe, así que este enlace no hace falta.",
  "The server prints a one-time link each time it starts, until the owner exists; older links stop working. Look for “/setup?token=” in its output, or start it again.":
    "El servidor muestra un enlace de un solo uso en cada inicio hasta que exista el propietario; los anteriores dejan de funcionar. Busque «/setup?token=» en su salida o reinícielo.",
  "This invitation is no longer valid": "Esta invitación ya no es válida",
  "This link is no longer valid": "Este enlace ya no es válido",
  "This link is not valid": "Este enlace no es válido",
  "This set-up link is not valid": "Este enlace de configuración no es válido",
  "Welcome to Parley": "Le damos la bienvenida a Parley",
  "You are invited as an {role}, with {email}.": "Está invitado como {role}, con {email}.",
  "You were signed out everywhere. Sign in with your new password.":
    "Se cerraron todas sus sesiones. Inicie sesión con la nueva contraseña.",
  "You will be signed out on every device.": "Se cerrará la sesión en todos los dispositivos.",
  "Your team or company.": "Su equipo o empresa.",
};
