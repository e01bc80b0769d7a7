import type { Language } from "../../shared/language.ts";
import { texts as english } from "./en.ts";

export type Catalogue = Record<keyof typeof english, string>;

type Loaded = Promise<{ texts: Catalogue }>;

/** One file per language, of which a visitor loads one. English is part of the frame: it is what the others fall back to. */
const CATALOGUES: Record<Language, () => Loaded> = {
  en: async () => ({ texts: english }),
  de: () => import("./de.ts"),
  es: () => import("./es.ts"),
  fr: () => import("./fr.ts"),
  "pt-BR": () => import("./pt-BR.ts"),
  it: () => import("./it.ts"),
  nl: () => import("./nl.ts"),
  pl: () => import("./pl.ts"),
  tr: () => import("./tr.ts"),
  ar: () => import("./ar.ts"),
  ja: () => import("./ja.ts"),
  "zh-CN": () => import("./zh-CN.ts"),
};

/** A file that does not load leaves the chat in English, not without words. */
export const loadTexts = (language: Language): Promise<Catalogue> =>
  CATALOGUES[language]().then(
    ({ texts }) => texts,
    () => english,
  );

/** Fills in `{name}`. */
export const fill = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
