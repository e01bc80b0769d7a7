import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createBatchWait } from "../../../src/delivery/pump/batch-wait.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start() {
  const wait = createBatchWait(20);
  let isOver = false;
  const startWaiting = () => {
    isOver = false;
    void wait.over().then(() => {
      isOver = true;
    });
  };
  const isOverAfter = async (ms: number): Promise<boolean> => {
    await vi.advanceTimersByTimeAsync(ms);
    return isOver;
  };
  return { wait, startWaiting, isOverAfter };
}

it("a batch waits for more until its first item has waited as long as it may", async () => {
  const { wait, startWaiting, isOverAfter } = start();
  wait.begin();
  startWaiting();
  expect(await isOverAfter(15)).toBe(false);
  wait.begin();
  expect(await isOverAfter(6)).toBe(true);
});

it("a batch that is ended while it waits is written at once", async () => {
  const { wait, startWaiting, isOverAfter } = start();
  wait.begin();
  startWaiting();
  expect(await isOverAfter(5)).toBe(false);
  wait.end();
  expect(await isOverAfter(1)).toBe(true);
});

it("a batch that was ended before it waits is written at once, and the next one is not", async () => {
  const { wait, startWaiting, isOverAfter } = start();
  wait.begin();
  wait.end();
  startWaiting();
  expect(await isOverAfter(1)).toBe(true);
  wait.begin();
  startWaiting();
  expect(await isOverAfter(15)).toBe(false);
  expect(await isOverAfter(6)).toBe(true);
});

it("what was added while the last batch was written has waited since then", async () => {
  const { wait, startWaiting, isOverAfter } = start();
  wait.begin();
  await vi.advanceTimersByTimeAsync(18);
  startWaiting();
  expect(await isOverAfter(1)).toBe(false);
  expect(await isOverAfter(2)).toBe(true);
});

it("a batch without anything new does not wait", async () => {
  const { startWaiting, isOverAfter } = start();
  startWaiting();
  expect(await isOverAfter(0)).toBe(true);
});
