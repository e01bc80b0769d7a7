// Before the first paint, so that a chosen theme never flashes the other one. Its own file: the page's policy allows no inline script.
try {
  const theme = localStorage.getItem("parley.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is switched off: the system's theme holds.
}
