import { describe, expect, it } from "vitest";
import { createFairQueue } from "../../../src/core/fair-queue.ts";

/** Work that ends when the test says so. */
function controlled() {
  const ends: (() => void)[] = [];
  const started: string[] = [];
  return {
    started,
    work: (name: string) => () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.push(() => resolve(name)));
    },
    endOldest: async () => {
      ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));
const full = () => new Error("full");

describe("the fair queue", () => {
  it("runs no more of one key at once than it may, and all of it in the end", async () => {
    const queue = createFairQueue({ perKey: 2, waitingPerKeyMax: 10, onFull: full });
    const { started, work, endOldest } = controlled();
    const results = Promise.all(["a1", "a2", "a3", "a4"].map((name) => queue.run("a", work(name))));
    await settled();
    expect(started).toEqual(["a1", "a2"]);
    for (let i = 0; i < 4; i++) await endOldest();
    expect(await results).toEqual(["a1", "a2", "a3", "a4"]);
  });

  it("lets a key with one piece of work pass a key with many", async () => {
    const queue = createFairQueue({ concurrency: 1, perKey: 1, waitingPerKeyMax: 100, onFull: full });
    const { started, work, endOldest } = controlled();
    for (let i = 0; i < 50; i++) void queue.run("noisy", work(`noisy ${i}`));
    void queue.run("quiet", work("quiet"));
    await settled();
    await endOldest();
    await endOldest();
    expect(started.slice(0, 3)).toEqual(["noisy 0", "quiet", "noisy 1"]);
  });

  it("gives a key that is alone more than one that shares with another key", async () => {
    const queue = createFairQueue({ perKey: 3, perContendedKey: 1, waitingPerKeyMax: 100, onFull: full });
    const { started, work, endOldest } = controlled();
    for (let i = 0; i < 10; i++) void queue.run("noisy", work("noisy"));
    await settled();
    expect(started).toEqual(["noisy", "noisy", "noisy"]);
    void queue.run("quiet", work("quiet"));
    await settled();
    for (let i = 0; i < 3; i++) await endOldest();
    expect(started).toEqual(["noisy", "noisy", "noisy", "quiet", "noisy"]);
  });

  it("does not let a key at its bound keep another one from starting", async () => {
    const queue = createFairQueue({ concurrency: 4, perKey: 2, waitingPerKeyMax: 100, onFull: full });
    const { started, work } = controlled();
    for (let i = 0; i < 10; i++) void queue.run("noisy", work("noisy"));
    void queue.run("quiet", work("quiet"));
    await settled();
    expect(started).toEqual(["noisy", "noisy", "quiet"]);
  });

  it("refuses a key that has too much waiting, and no other key", async () => {
    const queue = createFairQueue({ concurrency: 1, perKey: 1, waitingPerKeyMax: 1, onFull: full });
    const { started, work, endOldest } = controlled();
    void queue.run("a", work("a1"));
    void queue.run("a", work("a2"));
    await expect(queue.run("a", work("a3"))).rejects.toThrow("full");
    void queue.run("b", work("b1"));
    for (let i = 0; i < 3; i++) await endOldest();
    expect(started).toEqual(["a1", "b1", "a2"]);
  });

  it("continues after work that failed", async () => {
    const queue = createFairQueue({ perKey: 1, waitingPerKeyMax: 1, onFull: full });
    await expect(queue.run("a", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(await queue.run("a", async () => "next")).toBe("next");
  });
});
