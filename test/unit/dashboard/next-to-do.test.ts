import { expect, it } from "vitest";
import { nextToDo } from "../../../dashboard/src/pages/inbox/list/next-to-do.ts";

it("after a conversation is done the next one below opens, then the nearest above, then none", () => {
  expect(nextToDo([1, 2, 3], 1, new Set([1]))).toBe(2);
  expect(nextToDo([1, 2, 3], 1, new Set([1, 2]))).toBe(3);
  expect(nextToDo([1, 2, 3], 3, new Set([2, 3]))).toBe(1);
  expect(nextToDo([1, 2, 3], 3, new Set([1, 2, 3]))).toBeNull();
  expect(nextToDo([1, 2, 3], 9, new Set([9, 1]))).toBe(2);
  expect(nextToDo([], 9, new Set([9]))).toBeNull();
});
