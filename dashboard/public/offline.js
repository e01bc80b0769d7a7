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
