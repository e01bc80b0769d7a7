import { expect, it } from "vitest";
import { END_OF_NEWEST, endingOf } from "../../../src/demo/endings.ts";

const endings = (newest: number) => Array.from({ length: newest + 10 }, (_, position) => endingOf(position, newest));

it("a small demo has exactly the listed endings, and older conversations are resolved", () => {
  const small = endings(END_OF_NEWEST.length);
  expect(small.slice(0, END_OF_NEWEST.length)).toEqual(END_OF_NEWEST);
  expect(new Set(small.slice(END_OF_NEWEST.length))).toEqual(new Set(["resolved"]));
});

it("a large demo has a busy last day: conversations of every state, most of them resolved", () => {
  const newest = 225;
  const large = endings(newest).slice(0, newest);
  const resolved = large.filter((ending) => ending === "resolved").length;
  expect(resolved / newest).toBeGreaterThan(0.5);
  expect(large.filter((ending) => ending === "waiting").length).toBeGreaterThan(20);
  expect(new Set(large)).toEqual(new Set(["waiting", "replied", "pending", "snoozed", "resolved"]));
});
