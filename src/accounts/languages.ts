import { type Queryable, sql } from "../db/database.ts";
import { normaliseEmail } from "./email.ts";

/** Of the dashboard and of mails to its users. */
export const LANGUAGES = ["en", "de", "es", "fr", "pt-BR"] as const;
export type Language = (typeof LANGUAGES)[number];

const TAGS_MAX = 20;

const readStatement = sql(
  "user_language",
  "select coalesce(language, browser_language) as language from users where email = $1",
);

/** The one a user chose, otherwise that of the browser they used last; null: neither is known. */
export async function readLanguage(db: Queryable, email: string): Promise<Language | null> {
  const [row] = await db.query<{ language: Language | null }>(readStatement, [normaliseEmail(email)]);
  return row?.language ?? null;
}

/** The first language of `Accept-Language` (RFC 9110) that there is: of `pt-PT`, `pt-BR`. */
export function languageOfBrowser(header: string | undefined): Language | null {
  const wanted = (header ?? "")
    .split(",", TAGS_MAX)
    .map((entry) => {
      const [tag = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
      return { tag, quality: quality === undefined ? 1 : Number(quality) || 0 };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  for (const { tag } of wanted) {
    const found = LANGUAGES.find((known) => known.split("-")[0] === tag.split("-")[0]);
    if (found) return found;
  }
  return null;
}
