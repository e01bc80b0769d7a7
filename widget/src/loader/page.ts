import type { Theme } from "../shared/protocol.ts";

/** Where the chat covers the page: a narrow window, or a low one (a wide one at 200 % zoom). */
export const COVERING = "(max-width: 480px), (max-height: 540px)";

/** The page's theme, where it names exactly one; null: the system's. */
export function pageTheme(): Theme | null {
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  return scheme === "dark" || scheme === "light" ? scheme : null;
}

/** Without query and fragment, which may hold what is nobody's business. */
export const pageAddress = (): string => location.origin + location.pathname;

export function wantedLanguages(script: HTMLScriptElement): string[] {
  return [script.dataset.language ?? "", document.documentElement.lang, ...navigator.languages].filter(Boolean);
}
