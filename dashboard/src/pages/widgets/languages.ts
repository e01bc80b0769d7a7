import { LANGUAGES as BUILT_IN } from "../../../../widget/src/shared/language.ts";
import { language } from "../../lib/language.ts";

/** The languages that the widget brings texts for. */
export const LANGUAGES: readonly string[] = BUILT_IN;

/** The one of those that the dashboard is in: a team begins with the texts that it can read. */
export const OWN_LANGUAGE = LANGUAGES.find((tag) => tag === language || tag === language.split("-")[0]) ?? "en";

const names = new Intl.DisplayNames(language, { type: "language" });

/** A tag that the browser does not know is shown as it is. */
export function languageName(tag: string): string {
  try {
    return names.of(tag) ?? tag;
  } catch {
    return tag;
  }
}
