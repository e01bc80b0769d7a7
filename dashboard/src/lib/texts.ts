import type { Area, Texts } from "../texts/texts.ts";
import { type Language, language } from "./language.ts";

type Values = Readonly<Record<string, string | number>>;
type Translated = Exclude<Language, "en">;

const CATALOGUES: Record<
  Translated,
  () => Promise<{ common: Texts; areas: Record<Area, () => Promise<{ texts: Texts }>> }>
> = {
  de: () => import("../texts/de/index.ts"),
  es: () => import("../texts/es/index.ts"),
  fr: () => import("../texts/fr/index.ts"),
  "pt-BR": () => import("../texts/pt-BR/index.ts"),
};

const texts: Texts = {};
const numbers = new Intl.NumberFormat(language);
const rules = new Intl.PluralRules(language);

/** The text in the language of the page, which English itself is the key of: `t("{name} has it now.", { name })`. */
export function t(english: string, values: Values = {}): string {
  const found = texts[english];
  return fill(typeof found === "string" ? found : english, values);
}

/** The form for a number, which is `{n}`: `plural(3, "{n} event", "{n} events")`. */
export function plural(n: number, one: string, other: string, values: Values = {}): string {
  const form = rules.select(n) === "one" ? 0 : 1;
  return fill((texts[other] ?? [one, other])[form] ?? other, { n, ...values });
}

/** A sentence of the server, and how the page says it. */
export const says = (english: string): { english: string; said: string } => ({ english, said: t(english) });

/** A title inside a sentence: in English it begins with a small letter there. */
export const inSentence = (title: string): string =>
  language === "en" ? title.charAt(0).toLowerCase() + title.slice(1) : title;

/** What every page needs, and with an area what its pages need besides: loaded before their code runs. */
export async function loadTexts(area?: Area): Promise<void> {
  if (language === "en") return;
  const catalogue = await CATALOGUES[language]();
  Object.assign(texts, area ? (await catalogue.areas[area]()).texts : catalogue.common);
}

/** The code of a page, after its texts. */
export const withTexts =
  <Module>(area: Area, load: () => Promise<Module>) =>
  (): Promise<Module> =>
    language === "en" ? load() : loadTexts(area).then(load);

/** Replaces names in braces by their values; numbers are formatted. */
export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === "number" ? numbers.format(value) : value;
  });
}
