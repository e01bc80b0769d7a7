import type { Language } from "../accounts/languages.ts";
import { oneLine } from "../mail/mailer.ts";
import { texts as de } from "./texts/de.ts";
import { texts as es } from "./texts/es.ts";
import { texts as fr } from "./texts/fr.ts";
import { texts as ptBr } from "./texts/pt-br.ts";

/** What people read. Plain text, for e-mail and chat alike. */
export interface Text {
  subject: string;
  text: string;
}

/** Says in the language of its reader what stands in the code in English: `t("{name} mentioned you", { name })`. */
export type Translate = (english: string, values?: Readonly<Record<string, string | number | Date>>) => string;

/** Marks a text that is translated where it is shown. */
export const says = (english: string): string => english;

const CATALOGUES: Record<Language, Readonly<Record<string, string>>> = { en: {}, de, es, fr, "pt-BR": ptBr };

export const textsIn = (language: Language): Translate => {
  const catalogue = CATALOGUES[language];
  const times = new Intl.DateTimeFormat(language, TIME);
  return (english, values = {}) =>
    (catalogue[english] ?? english).replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = values[name] ?? whole;
      return value instanceof Date ? times.format(value) : String(value);
    });
};

/** `Jul 14, 2026, 10:00 UTC`. */
const TIME: Intl.DateTimeFormatOptions = {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: "UTC",
  timeZoneName: "short",
};

const NAME_CHARS_MAX = 100;

/** A name that a user chose, on one line and short, so that it cannot look like a sentence of the message. */
export function shortName(name: string): string {
  const line = oneLine(name);
  return line.length <= NAME_CHARS_MAX ? line : `${line.slice(0, NAME_CHARS_MAX - 1)}…`;
}

export const paragraphs = (...parts: string[]): string => `${parts.filter((part) => part !== "").join("\n\n")}\n`;
