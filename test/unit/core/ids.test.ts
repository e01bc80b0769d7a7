import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newUuid, parseRef } from "../../../src/core/ids.ts";

describe("parseRef", () => {
  it("reads positive integers up to 2^53 - 1 and uuids in any case", () => {
    expect(parseRef("1")).toEqual({ id: 1 });
    expect(parseRef("9007199254740991")).toEqual({ id: Number.MAX_SAFE_INTEGER });
    const uuid = newUuid();
    expect(parseRef(uuid.toUpperCase())).toEqual({ uuid });
  });

  it.each([
    "",
    "0",
    "-1",
    "+1",
    "01",
    "1.0",
    "1e3",
    " 1",
    "1 ",
    "0x1",
    "9007199254740992",
    "1".repeat(400),
    "text",
    "１",
  ])("takes %j for no id", (text) => expect(parseRef(text)).toBeNull());

  it("returns nothing but what the text says", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const ref = parseRef(text);
        if (ref) expect(String(ref.id ?? ref.uuid)).toBe(text.toLowerCase());
      }),
    );
  });
});

it("a later uuid sorts after an earlier one", () => {
  const made = Array.from({ length: 1_000 }, newUuid);
  expect([...made].sort()).toEqual(made);
  expect(new Set(made).size).toBe(1_000);
});
