import fc from "fast-check";
import { expect, it } from "vitest";
import { contrastRatio, parseColor, readableOn, textOn } from "../../../widget/src/shared/contrast.ts";

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);
const ratio = (one: string, other: string): number =>
  contrastRatio(parseColor(one) ?? [0, 0, 0], parseColor(other) ?? [0, 0, 0]);

it("the contrast ratio is that of WCAG", () => {
  expect(ratio("#ffffff", "#000000")).toBe(21);
  expect(ratio("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});

it("text on the widget's colour has a ratio of at least 4.5, whatever the colour", () => {
  fc.assert(fc.property(color, (one) => ratio(one, textOn(one)) >= 4.5));
});

it("the widget's colour as text is readable on both surfaces, and unchanged where it already was", () => {
  fc.assert(
    fc.property(color, fc.constantFrom("#ffffff", "#17191c"), (one, surface) => {
      const shown = readableOn(one, surface);
      return ratio(shown, surface) >= 4.5 && (ratio(one, surface) < 4.5 || shown === one);
    }),
  );
});

it("something that is not a colour leaves the text readable", () => {
  expect(textOn("red")).toBe("#ffffff");
  expect(ratio(readableOn("url(x)", "#ffffff"), "#ffffff")).toBe(21);
});
