const TEXTS = {
  de: [
    "Keine Verbindung",
    "Parley ist von hier aus nicht erreichbar. Diese Seite lädt von selbst neu, sobald es wieder geht.",
    "Erneut versuchen",
  ],
  es: [
    "Sin conexión",
    "No se puede llegar a Parley desde aquí. Esta página se vuelve a cargar sola en cuanto sea posible.",
    "Reintentar",
  ],
  fr: [
    "Pas de connexion",
    "Parley est injoignable d’ici. Cette page se recharge d’elle-même dès que possible.",
    "Réessayer",
  ],
  "pt-BR": [
    "Sem conexão",
    "Não é possível acessar o Parley daqui. Esta página recarrega sozinha assim que der.",
    "Tentar de novo",
  ],
};

/** As `lib/language.ts` chooses it: what the user has chosen, then the first one of the browser that there is. */
function language() {
  let chosen = null;
  try {
    chosen = localStorage.getItem("parley.language");
  } catch {
    // Storage is switched off.
  }
  const known = ["en", ...Object.keys(TEXTS)];
  const tags = chosen === null ? navigator.languages : [chosen];
  return tags.flatMap((tag) => known.filter((one) => one.split("-")[0] === tag.split("-")[0]))[0];
}

const texts = TEXTS[language()];
if (texts) {
  const [title, text, button] = texts;
  document.documentElement.lang = language();
  document.title = `${title} · Parley`;
  document.querySelector("h1").textContent = title;
  document.querySelector("p").textContent = text;
  document.getElementById("again").textContent = button;
}

// The browser says that the network is back; a server that was stopped says nothing, and is asked again.
const again = () => location.reload();
addEventListener("online", again);
document.getElementById("again").addEventListener("click", again);
setInterval(() => {
  fetch("/health/live", { cache: "no-store" })
    .then((response) => {
      if (response.ok) again();
    })
    .catch(() => {});
}, 10_000);
