import { posix } from "node:path";
import { AREAS, type Area, type Texts } from "../../dashboard/src/texts/texts.ts";
import type { SourceFile } from "./source-text.ts";
import { type Node, nameOf, parse, walk } from "./texts.ts";

export const LANGUAGES = ["de", "es", "fr", "pt-BR"] as const;

export type Place = Area | "common";
export const PLACES: readonly Place[] = ["common", ...AREAS];

export const readCatalogue = async (language: string, place: Place): Promise<Texts> =>
  ((await import(`../../dashboard/src/texts/${language}/${place}.ts`)) as { texts: Texts }).texts;

/** A text as the code names it, and where its translation belongs. */
export interface Used {
  readonly text: string;
  readonly hasForms: boolean;
  readonly place: Place;
}

/** What the code passes to `t`, `rich` and `plural`; a text that two places use is common. */
export function textsInUse(files: readonly SourceFile[]): { used: Map<string, Used>; faults: string[] } {
  const used = new Map<string, Used>();
  const faults: string[] = [];
  const placeOf = placesOf(files);
  for (const file of files) {
    const place = placeOf(file.path);
    walk(parse(file), [], (node) => {
      const call = node.type === "CallExpression" ? nameOf(node.callee as Node) : "";
      if (!/^(?:t|rich|plural|says)$/.test(call) || /\/lib\/(?:rich|texts)\.ts$/.test(file.path)) return;
      const argument = (node.arguments as Node[])[call === "plural" ? 2 : 0];
      const text = argument?.value;
      if (argument?.type !== "Literal" || typeof text !== "string") {
        faults.push(`${file.path}: ${call}() takes its text as it stands in the catalogues, not a value.`);
        return;
      }
      const known = used.get(text);
      used.set(text, { text, hasForms: call === "plural", place: known && known.place !== place ? "common" : place });
    });
  }
  return { used, faults };
}

/** The folder of a page, unless code elsewhere uses the file before that folder's texts are loaded. */
function placesOf(files: readonly SourceFile[]): (path: string) => Place {
  const imports = new Map(files.map((file) => [file.path, importsOf(file)]));
  const folder = (path: string): Place => {
    const name = /^dashboard\/src\/(?:pages\/)?([^/]+)\//.exec(path)?.[1];
    return AREAS.find((area) => area === name) ?? "common";
  };
  const shared = new Set<string>();
  for (const place of PLACES) {
    const seen = new Set(files.map(({ path }) => path).filter((path) => folder(path) === place));
    for (const path of seen) for (const next of imports.get(path) ?? []) if (imports.has(next)) seen.add(next);
    for (const path of seen) if (folder(path) !== place) shared.add(path);
  }
  return (path) => (shared.has(path) ? "common" : folder(path));
}

/** Without those in `withTexts` and its like, which load the texts of the other folder first. */
function importsOf(file: SourceFile): string[] {
  const found: string[] = [];
  walk(parse(file), [], (node, parents) => {
    const source = node.source as Node | undefined;
    if (!/^Import(?:Declaration|Expression)$/.test(node.type) || typeof source?.value !== "string") return;
    const isAfterTexts = parents.some(
      (above) => above.type === "CallExpression" && /^(?:withTexts|authPage)$/.test(nameOf(above.callee as Node)),
    );
    if (!isAfterTexts && node.importKind !== "type") found.push(posix.join(posix.dirname(file.path), source.value));
  });
  return found;
}

/** What a language has not, has too much, or has with other placeholders. */
export function faultsOf(used: ReadonlyMap<string, Used>, place: Place, texts: Texts): string[] {
  const missing = [...used.values()]
    .filter((one) => one.place === place && texts[one.text] === undefined)
    .map(({ text }) => `has no ${JSON.stringify(text)}`);
  const wrong = Object.entries(texts).flatMap(([text, translation]) => {
    const one = used.get(text);
    if (one?.place !== place)
      return [`has ${JSON.stringify(text)}, which ${one ? `belongs to ${one.place}` : "nothing uses"}`];
    if (one.hasForms !== (typeof translation !== "string"))
      return [`needs ${one.hasForms ? "two forms" : "one text"} for ${JSON.stringify(text)}`];
    const forms = typeof translation === "string" ? [translation] : translation;
    // The form for one may say "a conversation", and people are spared the API's name of a field.
    const differs = forms.some((form, index) => {
      const spared = [...(index < forms.length - 1 ? ["n"] : []), ...(place === "errors" ? NAMES_OF_FIELDS : [])];
      return placeholders(form, spared) !== placeholders(text, spared);
    });
    return differs ? [`has other placeholders in ${JSON.stringify(text)}`] : [];
  });
  return [...missing, ...wrong];
}

const NAMES_OF_FIELDS = ["field", "part", "prefix", "what"];

const placeholders = (text: string, spared: readonly string[]): string =>
  [...text.matchAll(/\{(\w+)\}/g)]
    .map(([, name = ""]) => name)
    .filter((name) => !spared.includes(name))
    .sort()
    .join(" ");
