import { describe, expect, it } from "vitest";
import { chooseLanguage, ownText } from "../../../widget/src/shared/language.ts";

describe("the language of the widget", () => {
  it.each([
    [["de"], "de"],
    [["de-AT", "fr"], "de"],
    [["pt"], "pt-BR"],
    [["pt-PT"], "pt-BR"],
    [["zh-Hans-CN"], "zh-CN"],
    [["EN_us"], "en"],
    [["sv", "nl"], "nl"],
    [["sv"], "en"],
    [[""], "en"],
    [[], "en"],
  ])("for %j is %s", (wanted, expected) => {
    expect(chooseLanguage(wanted, []).builtIn).toBe(expected);
  });

  it("is one that only the widget's own texts have, with English for the rest", () => {
    expect(chooseLanguage(["sv-SE", "de"], ["sv"])).toEqual({ tag: "sv", builtIn: "en", dir: "ltr" });
  });

  it("is written from right to left where it is Arabic or Hebrew", () => {
    expect(chooseLanguage(["ar-EG"], []).dir).toBe("rtl");
    expect(chooseLanguage(["he"], ["he"]).dir).toBe("rtl");
    expect(chooseLanguage(["de"], []).dir).toBe("ltr");
  });
});

describe("a text of the widget's own", () => {
  const texts = { en: { title: "Ask us", greeting: "Hi" }, sv: { title: "Fråga oss" }, de: { greeting: "" } };
  const text = (wanted: string, name: "title" | "greeting") =>
    ownText<{ title?: string; greeting?: string }>(texts, chooseLanguage([wanted], Object.keys(texts)), name);

  it("is used in its language, else the built-in text of that language, then English", () => {
    expect(text("sv", "title")).toBe("Fråga oss");
    expect(text("sv", "greeting")).toBe("Hi");
    expect(text("de", "title")).toBeUndefined();
    expect(text("de", "greeting")).toBeUndefined();
    expect(text("en", "title")).toBe("Ask us");
  });
});
