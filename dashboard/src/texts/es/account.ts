import type { Texts } from "../texts.ts";

export const texts: Texts = {
  "A code from an app on your phone, after the password.":
    "Un código de una aplicación de su teléfono, después de la contraseña.",
  "Add a passkey": "Añadir una llave de acceso",
  Added: "Añadida",
  "Authenticator app": "Aplicación de autenticación",
  "Authenticator app set up.": "Aplicación de autenticación configurada.",
  Confirm: "Confirmar",
  Dismiss: "Descartar",
  "Each code signs you in once when your phone or passkey is lost. Keep them where you keep passwords.":
    "Cada código permite entrar una vez si pierde el teléfono o la llave de acceso. Guárdelos donde guarda sus contraseñas.",
  "Enter your password to see and change it.": "Escriba su contraseña para verla y cambiarla.",
  "How you sign in, and where you are signed in.": "Cómo inicia sesión y dónde tiene sesiones abiertas.",
  "I have saved them": "Los he guardado",
  "If that was not you, change your password under Profile.": "Si no fue usted, cambie su contraseña en Perfil.",
  "In case you lose your phone or passkey.": "Por si pierde el teléfono o la llave de acceso.",
  "It is set up.": "Está configurada.",
  "It no longer signs you in. Delete it on your device too.":
    "Ya no sirve para iniciar sesión. Elimínela también en su dispositivo.",
  "Its codes stop working at once. Without a passkey, your password alone signs you in.":
    "Sus códigos dejan de funcionar de inmediato. Sin llave de acceso, bastará la contraseña para entrar.",
  "My laptop": "Mi portátil",
  "None yet.": "Ninguna todavía.",
  "Not set up.": "No está configurada.",
  "Or type this key:": "O escriba esta clave:",
  Passkey: "Llave de acceso",
  "Passkey added.": "Llave de acceso añadida.",
  Passkeys: "Llaves de acceso",
  "QR code for the authenticator app": "Código QR para la aplicación de autenticación",
  "recovery codes": "códigos de recuperación",
  "Recovery codes": "Códigos de recuperación",
  Remove: "Quitar",
  "Remove passkey": "Quitar la llave de acceso",
  "Remove the authenticator app?": "¿Quitar la aplicación de autenticación?",
  Replace: "Reemplazar",
  "Replace codes": "Reemplazar códigos",
  "Replace your recovery codes?": "¿Reemplazar los códigos de recuperación?",
  "Save your recovery codes": "Guarde sus códigos de recuperación",
  "Scan the picture with the app, then enter the code it shows.":
    "Escanee la imagen con la aplicación y escriba el código que muestra.",
  Sessions: "Sesiones",
  "Set up": "Configurar",
  "Set up an authenticator app": "Configurar una aplicación de autenticación",
  "Set up an authenticator app or a passkey. The other pages open as soon as it is done.":
    "Configure una aplicación de autenticación o una llave de acceso. Las demás páginas se abrirán en cuanto lo haga.",
  "Sign out what you do not recognise, then change your password.":
    "Cierre las sesiones que no reconozca y cambie después su contraseña.",
  "Sign out what you do not recognise.": "Cierre las sesiones que no reconozca.",
  "Sign out {user_agent}": "Cerrar la sesión de {user_agent}",
  "Signed out.": "Sesión cerrada.",
  "Single sign-on": "Inicio de sesión único",
  "The last one was entered {time} from the address {address}.":
    "El último se introdujo {time} desde la dirección {address}.",
  "The last one was entered {time}.": "El último se introdujo {time}.",
  "They are shown only now": "Solo se muestran ahora",
  "This browser": "Este navegador",
  "This workspace requires two-factor sign-in": "Este espacio de trabajo exige la verificación en dos pasos",
  "Where you are signed in": "Dónde tiene sesiones abiertas",
  "You get ten new codes. The codes you have now stop working.":
    "Recibirá diez códigos nuevos. Los actuales dejarán de funcionar.",
  "You sign in through single sign-on, without a password of Parley. A second factor is set up at your identity provider.":
    "Usted entra con el inicio de sesión único, sin contraseña de Parley. El segundo factor se configura en su proveedor de identidad.",
  "Your browser asks next. The name is for you: the device, or the password manager that keeps it.":
    "A continuación preguntará el navegador. El nombre es para usted: el dispositivo o el gestor de contraseñas que la guarda.",
  "Your finger, face or device PIN instead of a code, or instead of the password.":
    "Su huella, su rostro o el PIN del dispositivo en lugar de un código o de la contraseña.",
  "{n} codes are left.": ["Queda {n} código.", "Quedan {n} códigos."],
  "{n} wrong codes were entered after your correct password": [
    "Se introdujo {n} código erróneo tras su contraseña correcta",
    "Se introdujeron {n} códigos erróneos tras su contraseña correcta",
  ],
};
