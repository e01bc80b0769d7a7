import { useSyncExternalStore } from "react";

export type Theme = "system" | "light" | "dark";

const NAME = "parley.theme";
const listeners = new Set<() => void>();

function read(): Theme {
  const theme = document.documentElement.dataset.theme;
  return theme === "light" || theme === "dark" ? theme : "system";
}

export function setTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, theme);
  } catch {
    // Storage is switched off: it holds until the page is left.
  }
  for (const listener of listeners) listener();
}

export const useTheme = (): Theme =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, read);
