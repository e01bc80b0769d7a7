/** The languages of the dashboard, by the name that each has for itself. English is in the code. */
export const LANGUAGES = {
  en: "English",
  de: "Deutsch",
  es: "Español",
  fr: "Français",
  "pt-BR": "Português (Brasil)",
} as const;

export type Language = keyof typeof LANGUAGES;

const NAME = "parley.language";

/** What a browser has; tests run without one. */
const browser = globalThis as {
  navigator?: { languages?: readonly string[] };
  localStorage?: {
    getItem(name: string): string | null;
    setItem(name: string, value: string): void;
    removeItem(name: string): void;
  };
  location?: { reload(): void };
};

const isLanguage = (tag: string | null | undefined): tag is Language => !!tag && Object.hasOwn(LANGUAGES, tag);

/** The first language of the browser that there is: of `pt-PT`, `pt-BR`. */
function ofBrowser(): Language {
  for (const tag of browser.navigator?.languages ?? []) {
    const found = Object.keys(LANGUAGES).find((known) => known.split("-")[0] === tag.split("-")[0]);
    if (isLanguage(found)) return found;
  }
  return "en";
}

function chosen(): string | null {
  try {
    return browser.localStorage?.getItem(NAME) ?? null;
  } catch {
    // Storage is switched off.
    return null;
  }
}

function wanted(): Language {
  const tag = chosen();
  return isLanguage(tag) ? tag : ofBrowser();
}

/** Of this page, until it is loaded again. */
export const language: Language = wanted();

/** Takes what the user has chosen, null for the browser's language. The page is loaded again if it is in another one. */
export function followLanguage(choice: string | null, beforeReload?: () => void): void {
  if (choice === chosen()) return;
  try {
    if (isLanguage(choice)) browser.localStorage?.setItem(NAME, choice);
    else browser.localStorage?.removeItem(NAME);
  } catch {
    // Storage is switched off: the browser's language holds.
    return;
  }
  if (wanted() === language) return;
  beforeReload?.();
  browser.location?.reload();
}
