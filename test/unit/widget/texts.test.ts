import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { texts as english } from "../../../widget/src/frame/texts/en.ts";
import { LANGUAGES } from "../../../widget/src/shared/language.ts";
import { LAUNCHER_TEXTS } from "../../../widget/src/shared/launcher-texts.ts";

const folder = new URL("../../../widget/src/frame/texts/", import.meta.url);
const load = async (language: string): Promise<Record<string, string>> =>
  ((await import(new URL(`${language}.ts`, folder).href)) as { texts: Record<string, string> }).texts;

const placeholders = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

it("every language of the widget has a catalogue, and there is no other", () => {
  const files = readdirSync(folder).filter((name) => name !== "catalogue.ts");
  expect(files.sort()).toEqual(LANGUAGES.map((language) => `${language}.ts`).sort());
});

it.each(LANGUAGES)("every text of the widget is translated into %s, with its placeholders", async (language) => {
  const texts = await load(language);
  expect(Object.keys(texts).sort()).toEqual(Object.keys(english).sort());
  for (const [name, text] of Object.entries(texts)) {
    expect(text.trim(), name).not.toBe("");
    expect(placeholders(text), name).toEqual(placeholders(english[name as keyof typeof english]));
  }
  expect(LAUNCHER_TEXTS[language]).toHaveLength(3);
});

/** Words that a language shares with English, such as "Message" in French. */
const SAME_MAX = 6;

it.each(LANGUAGES.filter((language) => language !== "en"))(
  "the texts in %s are not the English ones",
  async (language) => {
    const texts = await load(language);
    const same = Object.entries(english).filter(([name, text]) => texts[name] === text);
    expect(same.length, same.join()).toBeLessThanOrEqual(SAME_MAX);
  },
);

it("what the contract names has exactly these names in English", () => {
  expect(english).toMatchObject({ message: "Message", send: "Send", attach: "Attach a file", close: "Close" });
  expect(LAUNCHER_TEXTS.en).toEqual(["Open chat", "Close chat", "Chat"]);
});
