import { expect, it } from "vitest";
import { parseFilter } from "../../../src/events/payload-filter.ts";

const REFUSED: [filter: unknown, problem: string][] = [
  ["text", "filter must be an object."],
  [[], "filter must be an object."],
  [{ data: { priority: { $gtt: 1 } } }, "filter.data.priority.$gtt is not an operator. Did you mean $gt?"],
  [{ data: { $id: 1 } }, "filter.data.$id is not an operator. Did you mean $in?"],
  [{ $eq: 1 }, "filter.$eq needs a member to compare."],
  [{ data: { seq: { $gt: true } } }, "filter.data.seq.$gt must be a string or number."],
  [{ data: { seq: { $eq: [1] } } }, "filter.data.seq.$eq must be a string, number, boolean or null."],
  [{ data: { seq: { $startsWith: 1 } } }, "filter.data.seq.$startsWith must be a string."],
  [{ data: { seq: { $exists: "no" } } }, "filter.data.seq.$exists must be true or false."],
  [
    { data: { seq: { $in: "a" } } },
    "filter.data.seq.$in must be an array of one or more strings, numbers, booleans or nulls.",
  ],
  [{ data: { seq: [] } }, "filter.data.seq must be an array of one or more strings, numbers, booleans or nulls."],
  [{ data: { seq: [{}] } }, "filter.data.seq must be an array of one or more strings, numbers, booleans or nulls."],
  [{ data: { seq: { $gt: 1, name: "a" } } }, "filter.data.seq.name cannot stand next to an operator."],
  [{ $or: {} }, "filter.$or must be an array of filters."],
  [{ $and: [] }, "filter.$and must be an array of filters."],
  [{ $or: [{}, 1] }, "filter.$or[1] must be a filter."],
  [{ $not: 1 }, "filter.$not must be a filter."],
  [{ data: "a".repeat(4_096) }, "filter must not be larger than 4096 bytes as JSON."],
];

it.each(REFUSED)("the filter %j is refused with a sentence that names the place", (filter, problem) => {
  expect(parseFilter(filter)).toEqual({ ok: false, problems: [problem] });
});

it("a filter may have 8 levels of objects and not 9", () => {
  const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });
  expect(parseFilter(nested(8)).ok).toBe(true);
  expect(parseFilter(nested(9))).toEqual({
    ok: false,
    problems: ["filter.a.a.a.a.a.a.a.a is more than 8 levels of objects deep."],
  });
});

it("a filter may have 50 leaves and operators together and not 51", () => {
  const wide = (leaves: number) =>
    Object.fromEntries(Array.from({ length: leaves }, (_, index) => [`m${index}`, index]));
  expect(parseFilter({ data: wide(50) }).ok).toBe(true);
  expect(parseFilter({ $not: wide(49) }).ok).toBe(true);
  expect(parseFilter({ $not: wide(50) }).ok).toBe(false);
  expect(parseFilter({ data: wide(51) }).ok).toBe(false);
});
