import { expect, it } from "vitest";
import { createTimeSlicer } from "../../../src/core/time-slicer.ts";

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

it("what arrives hundreds at a time is done a few pieces per turn of the loop, in order, to the end", async () => {
  const queue = Array.from({ length: 40 }, (_, n) => n);
  const done: number[] = [];
  const work = createTimeSlicer(
    () => queue.shift(),
    (n) => void done.push(n),
  );
  work();
  work();
  expect(done).toEqual([]);
  await nextTurn();
  expect(done.length).toBeGreaterThan(0);
  expect(done.length).toBeLessThan(40);
  while (queue.length > 0) await nextTurn();
  expect(done).toEqual(Array.from({ length: 40 }, (_, n) => n));
});

it("what is added after everything was done is done as well", async () => {
  const queue = [1];
  const done: number[] = [];
  const work = createTimeSlicer(
    () => queue.shift(),
    (n) => void done.push(n),
  );
  work();
  await nextTurn();
  await nextTurn();
  queue.push(2);
  work();
  await nextTurn();
  expect(done).toEqual([1, 2]);
});
