import { describe, expect, it } from "vitest";
import type { Texts } from "../../dashboard/src/texts/texts.ts";
import { faultsOf, LANGUAGES, PLACES, readCatalogue, textsInUse } from "./catalogues.ts";
import { readTree, type SourceFile } from "./source-text.ts";
import { dashboardFiles, untranslated } from "./texts.ts";

const files = dashboardFiles();
const at = (text: string) => ({ path: "dashboard/src/pages/x.tsx", text });

describe("the texts of the dashboard", () => {
  it("pass through t, rich or plural, so that they can be translated", () => {
    const faults = files
      .flatMap(untranslated)
      .map(({ path, line, text }) => `${path}:${line} shows ${JSON.stringify(text)} in English to everyone: t("…")`);
    expect(faults).toEqual([]);
  });

  it("are found in elements, attributes, objects, templates and calls", () => {
    for (const text of [
      "const a = <p>Saved</p>;",
      "const a = <p>of</p>;",
      'const a = <input aria-label="Your name" />;',
      'const a = <Field label="Name" />;',
      'const a = <p title={on ? "Pause" : t("Resume")} />;',
      'const a = { label: "Latest message first" };',
      'toast("Name changed.");',
      "toast(`Deleted $\u007bname}`);",
      'const a = on ? "Sent and resolved" : "";',
      'const a = <p>{on && " · note"}</p>;',
      'const a = <Tile name="Open now" />;',
      "toast(`$\u007bname} deleted.`);",
      'const a = { day: "24 hours" };',
      'const a = [t("Name"), "E-mail"];',
    ])
      expect(untranslated(at(text)), text).toHaveLength(1);
    for (const text of [
      'const a = <p className="Wide one">{t("Saved")}</p>;',
      'import a from "Some module";',
      'if (event.key === "Enter") document.querySelector("Main a");',
      'type A = "Some text";',
      'throw new Error("A programming error.");',
      "const a = `/conversations/$\u007bid}/messages`;",
    ])
      expect(untranslated(at(text)), text).toEqual([]);
  });

  it("are complete in each language, each in the file of its page or in the common one", async () => {
    const { used, faults } = textsInUse(files);
    expect(faults).toEqual([]);
    for (const language of LANGUAGES)
      for (const place of PLACES) {
        const texts = await readCatalogue(language, place);
        expect(faultsOf(used, place, texts).map((fault) => `texts/${language}/${place}.ts ${fault}`)).toEqual([]);
      }
  });

  it("have the same emoji in each language, each with words to find it by", async () => {
    for (const language of LANGUAGES)
      for (const [english, translated] of Object.entries(await readCatalogue(language, "inbox")))
        if (/^\p{Extended_Pictographic}.*\|/u.test(english))
          expect(emojiOf(String(translated))).toEqual(emojiOf(english));
  });

  it("have each language in the worker and on the page without a connection, which load no catalogue", () => {
    for (const { path, text } of readTree("dashboard/public", (name) => /(?:service-worker|offline)\.js$/.test(name)))
      for (const language of LANGUAGES) expect(text, path).toMatch(new RegExp(`^  "?${language}"?: [[{]$`, "m"));
  });

  it("are refused in a catalogue that lacks one, has one too many, or differs in forms or placeholders", () => {
    const { used } = textsInUse([at('t("Hello {name}", { name }); plural(n, "{n} day", "{n} days");')]);
    const whole = { "Hello {name}": "Hallo {name}", "{n} days": ["ein Tag", "{n} Tage"] } as const;
    expect(faultsOf(used, "common", whole)).toEqual([]);
    expect(faultsOf(used, "common", { "Hello {name}": "Hallo {name}" })).toHaveLength(1);
    expect(faultsOf(used, "common", { ...whole, Bye: "Tschüss" })).toHaveLength(1);
    expect(faultsOf(used, "common", { ...whole, "Hello {name}": "Hallo {wer}" })).toHaveLength(1);
    expect(faultsOf(used, "common", { ...whole, "{n} days": "{n} Tage" })).toHaveLength(1);
    expect(faultsOf(used, "common", { ...whole, "{n} days": ["ein Tag", "Tage"] })).toHaveLength(1);
    expect(faultsOf(used, "inbox", whole)).toHaveLength(2);
  });
});

describe("the texts of messages to users", () => {
  const messages = readTree("src", (path) => /^src\/alerts\/[\w-]+-texts?\.ts$/.test(path));

  it("pass through t, so that they can be translated", () => {
    const faults = messages
      .flatMap(untranslated)
      .map(({ path, line, text }) => `${path}:${line} says ${text} in English`);
    expect(faults).toEqual([]);
  });

  it("are complete in each language", async () => {
    const { used, faults } = textsInUse(messages);
    expect(faults).toEqual([]);
    const alerts = readTree("src", (path) => /^src\/alerts\/[\w-]*alerts\.ts$/.test(path));
    const all = textsInUse([...messages, ...alerts]);
    expect([all.faults, all.used.size > used.size]).toEqual([[], true]);
    for (const language of LANGUAGES) {
      const name = language.toLowerCase();
      const { texts } = (await import(`../../src/alerts/texts/${name}.ts`)) as { texts: Texts };
      expect(faultsOf(all.used, "common", texts).map((fault) => `src/alerts/texts/${name}.ts ${fault}`)).toEqual([]);
    }
  });

  it("are written nowhere else", () => {
    const others = readTree("src", (path) => path.endsWith(".ts") && !/^src\/alerts\/[\w-]+-texts?\.ts$/.test(path));
    const faults = others.filter(({ text }) => /\b(?:enqueue|mailer\.send)\(/.test(text)).flatMap(untranslatedMessages);
    expect(faults).toEqual([]);
    expect(untranslatedMessages(at("queue({ subject: `Hello $\u007bname}` });"))).toHaveLength(1);
    expect(untranslatedMessages(at("const content = { text: `Hello you` };"))).toHaveLength(1);
  });
});

/** Literals that become the subject or the text of a message. */
const untranslatedMessages = ({ path, text }: SourceFile): string[] =>
  [...text.matchAll(/\b(?:subject|text): ["`].*/g)].map(([found]) => `${path} writes ${found}`);

/** Of `🙂 slight smile|😀 grin`; an entry without words is none. */
const emojiOf = (row: string): string[] => row.split("|").flatMap((entry) => /^(\S+) \S/.exec(entry)?.[1] ?? []);
