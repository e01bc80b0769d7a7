import { expect, it } from "vitest";
import { createDueQuestions } from "../../../src/db/due.ts";

it("conditions that are asked together go in one statement, and those not asked are left out", async () => {
  const asked: boolean[][] = [];
  const isDue = createDueQuestions(async (_, [flags]) => {
    asked.push(flags as boolean[]);
    return [{ due: (flags as boolean[]).map((flag, index) => flag && index === 1) }];
  });
  expect(await Promise.all([isDue("a"), isDue("b"), isDue("a")])).toEqual([false, true, false]);
  expect(await isDue("b")).toBe(true);
  expect(await Promise.all([isDue("c"), isDue("a")])).toEqual([false, false]);
  expect(asked).toEqual([
    [true, true],
    [false, true],
    [true, false, true],
  ]);
});

it("a statement that fails fails for all that asked, and the next one asks again", async () => {
  let isDown = true;
  const isDue = createDueQuestions(async (_, [flags]) => {
    if (isDown) throw new Error("the database is unavailable");
    return [{ due: flags as boolean[] }];
  });
  const both = await Promise.allSettled([isDue("a"), isDue("b")]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  isDown = false;
  expect(await isDue("a")).toBe(true);
});
