/** The languages that Parley brings texts for. */
export const LANGUAGES = ["en", "de", "es", "fr", "pt-BR", "it", "nl", "pl", "tr", "ar", "ja", "zh-CN"] as const;

export type Language = (typeof LANGUAGES)[number];

const RIGHT_TO_LEFT = /^(?:ar|fa|he|ur|ps|sd|ug|yi|dv|ckb)\b/i;

export interface ChosenLanguage {
  /** The tag whose texts are used first: one of ours, or one that the widget's own texts bring. */
  tag: string;
  /** Whose built-in texts fill the gaps. */
  builtIn: Language;
  dir: "ltr" | "rtl";
}

/**
 * The first wanted language that exists, among the built-in ones and those of the widget's own texts: `de-AT` finds `de-AT`,
 * then `de`; `pt` and `pt-PT` find `pt-BR`.
 */
export function chooseLanguage(wanted: readonly string[], ownTags: readonly string[]): ChosenLanguage {
  for (const tag of wanted) {
    const own = closest(tag, ownTags);
    const builtIn = closest(tag, LANGUAGES) as Language | undefined;
    // The nearer one decides: own texts for `pt` do not replace the built-in ones for the wanted `pt-BR`, they come first.
    if (own || builtIn) return describe(own ?? (builtIn as string), builtIn ?? "en");
  }
  return describe("en", "en");
}

function describe(tag: string, builtIn: Language): ChosenLanguage {
  return { tag, builtIn, dir: RIGHT_TO_LEFT.test(tag) ? "rtl" : "ltr" };
}

function closest(wanted: string, available: readonly string[]): string | undefined {
  const normal = (tag: string) => tag.trim().replaceAll("_", "-").toLowerCase();
  const tag = normal(wanted);
  if (tag === "") return undefined;
  const primary = tag.split("-")[0];
  return (
    available.find((one) => normal(one) === tag) ??
    available.find((one) => normal(one) === primary) ??
    available.find((one) => normal(one).split("-")[0] === primary)
  );
}

/** A text of the widget's own in this language; undefined: the built-in one is used. */
export function ownText<Texts extends object>(
  texts: Record<string, Texts>,
  { tag, builtIn }: ChosenLanguage,
  name: keyof Texts,
): Texts[keyof Texts] | undefined {
  const found = texts[tag]?.[name] || undefined;
  // English is the last resort, and there the widget's own English comes before the built-in one.
  return found ?? (builtIn === "en" && tag !== "en" ? texts.en?.[name] || undefined : undefined);
}
