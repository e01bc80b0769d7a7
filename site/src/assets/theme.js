// Before the first paint, so that nothing flashes.
try {
  const chosen = localStorage.getItem("parley-docs-theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
} catch {
  // Storage may be switched off; the system's preference holds then.
}
