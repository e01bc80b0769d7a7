import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createBatchWait } from "../../../src/delivery/batch-wait.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start() {
  const state = { isComplete: false, isOver: false };
  const wait = createBatchWait({ ms: 20, isComplete: () => state.isComplete });
  const begin = () => {
    state.isOver = false;
    void wait.over().then(() => {
      state.isOver = true;
    });
  };
  const isOverAfter = async (ms: number): Promise<boolean> => {
    await vi.advanceTimersByTimeAsync(ms);
    return state.isOver;
  };
  return { state, wait, begin, isOverAfter };
}

it("a batch waits for more until its first item has waited as long as it may", async () => {
  const { wait, begin, isOverAfter } = start();
  wait.added({ isUrgent: false });
  begin();
  expect(await isOverAfter(15)).toBe(false);
  wait.added({ isUrgent: false });
  expect(await isOverAfter(6)).toBe(true);
});

it("a batch is over at once when it gets something urgent", async () => {
  const { wait, begin, isOverAfter } = start();
  wait.added({ isUrgent: false });
  begin();
  expect(await isOverAfter(5)).toBe(false);
  wait.added({ isUrgent: true });
  expect(await isOverAfter(1)).toBe(true);
});

it("a batch is over at once when an item completes it", async () => {
  const { state, wait, begin, isOverAfter } = start();
  wait.added({ isUrgent: false });
  begin();
  expect(await isOverAfter(5)).toBe(false);
  state.isComplete = true;
  wait.added({ isUrgent: false });
  expect(await isOverAfter(1)).toBe(true);
});

it("what was added while the last batch was written has waited since then", async () => {
  const { wait, begin, isOverAfter } = start();
  wait.added({ isUrgent: true });
  begin();
  expect(await isOverAfter(1)).toBe(true);
  wait.added({ isUrgent: false });
  await vi.advanceTimersByTimeAsync(18);
  begin();
  expect(await isOverAfter(1)).toBe(false);
  expect(await isOverAfter(2)).toBe(true);
});

it("a batch of which nothing is new, because writing it failed, does not wait", async () => {
  const { begin, isOverAfter } = start();
  begin();
  expect(await isOverAfter(0)).toBe(true);
});
