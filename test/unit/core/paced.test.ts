import { expect, it } from "vitest";
import { createPaced } from "../../../src/core/paced.ts";
import { until } from "../../support/wait.ts";

it("one piece is done at once", async () => {
  const done: number[] = [];
  createPaced((piece: number) => done.push(piece))(1);
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(done).toEqual([1]);
});

it("hundreds of pieces are done in their order, a few at a time with other work in between", async () => {
  const done: number[] = [];
  const doneInTurn = new Map<number, number>();
  let turn = 0;
  const add = createPaced((piece: number) => {
    done.push(piece);
    doneInTurn.set(turn, (doneInTurn.get(turn) ?? 0) + 1);
  });
  const pieces = Array.from({ length: 300 }, (_, i) => i);
  for (const piece of pieces) add(piece);
  while (done.length < pieces.length) {
    await new Promise((resolve) => setImmediate(resolve));
    turn++;
  }
  expect(done).toEqual(pieces);
  expect(Math.max(...doneInTurn.values())).toBe(3);
});

it("a piece that arrives while others are done waits for its turn", async () => {
  const done: string[] = [];
  const add = createPaced((piece: string) => {
    done.push(piece);
    if (piece === "first") add("third");
  });
  add("first");
  add("second");
  await until("all are done", () => done.length === 3);
  expect(done).toEqual(["first", "second", "third"]);
});
