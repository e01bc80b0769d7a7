import { describe, expect, it } from "vitest";
import { emailProblems, isOwnSpelling, normaliseEmail } from "../../../src/accounts/email.ts";

describe("an e-mail address", () => {
  it.each([
    ["Ada@Example.COM", "ada@example.com"],
    ["  ada@example.com ", "ada@example.com"],
    ["a\u200bda@exam\u00adple.com", "ada@example.com"],
    ["\u202eada@example.com", "ada@example.com"],
    ["ＡＤＡ@ｅｘａｍｐｌｅ.com", "ada@example.com"],
    ["\u212aelvin@example.com", "kelvin@example.com"],
    ["zoe\u0301@example.com", "zoé@example.com"],
  ])("written %j is the person %j", (typed, stored) => {
    expect(normaliseEmail(typed)).toBe(stored);
  });

  it("with a dotted capital I is one person in every spelling, and not the one with a plain i", () => {
    const spellings = ["İda@example.com", "i\u0307da@example.com", "I\u0307DA@EXAMPLE.COM"];
    expect(new Set(spellings.map(normaliseEmail)).size).toBe(1);
    expect(normaliseEmail(spellings[0] ?? "")).not.toBe("ida@example.com");
  });

  it("does not change when it is normalised again", () => {
    for (const text of ["İ@x", "ẞ@x.de", "ﬁ@x", "Å@x", "ϓ@x", "Ⅷ@x", "ᾼ@x"])
      expect(normaliseEmail(normaliseEmail(text))).toBe(normaliseEmail(text));
  });

  it.each(["ada", "ada@", "@example.com", "a b@example.com", "\u200b@example.com", `${"x".repeat(250)}@x.de`])(
    "is refused when it reads %j",
    (text) => {
      expect(emailProblems(text)).toEqual(["email must be an e-mail address."]);
    },
  );

  it.each(["ada@example.com", "Ada@EXAMPLE.com", "zo\u00e9@example.com"])("is its own spelling as %j", (text) => {
    expect(isOwnSpelling(text)).toBe(true);
  });

  it.each([
    "\uff41da@example.com",
    "a\u200bda@example.com",
    "\u212aelvin@example.com",
    "zoe\u0301@example.com",
    "\u017fue@example.com",
    " ada@example.com",
  ])("is another spelling than its normalised one as %j", (text) => {
    expect(isOwnSpelling(text)).toBe(false);
  });
});
