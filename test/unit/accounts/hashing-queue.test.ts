import { expect, it } from "vitest";
import { createHashingQueue } from "../../../src/accounts/hashing-queue.ts";

/** A queue of one slot that is taken until `go`; reports the order in which the others ran. */
function busyQueue(waitingMax: number) {
  const queue = createHashingQueue({ concurrency: 1, waitingMax });
  const order: string[] = [];
  let go = () => {};
  const first = queue.run({ address: "first", isKnownDevice: false }, () => new Promise<void>((done) => (go = done)));
  const add = (name: string, address: string, isKnownDevice = false) =>
    queue.run({ address, isKnownDevice }, async () => void order.push(name));
  const finish = async (others: Promise<unknown>[]) => {
    const settled = Promise.allSettled([first, ...others]);
    await tick();
    go();
    return settled;
  };
  return { add, order, finish };
}

const tick = () => new Promise((done) => setImmediate(done));

it("addresses take turns, so a hundred guesses from one delay another by one computation", async () => {
  const { add, order, finish } = busyQueue(200);
  await tick();
  const all = [...Array.from({ length: 100 }, (_, index) => add(`guess ${index}`, "attacker")), add("person", "home")];
  await finish(all);
  expect(order.indexOf("person")).toBe(1);
  expect(order).toHaveLength(101);
});

/** A queue of two slots whose work lasts until `end`. */
function twoPlaces() {
  const queue = createHashingQueue({ concurrency: 2, waitingMax: 200 });
  const started: string[] = [];
  let end = () => {};
  const ended = new Promise<void>((done) => {
    end = done;
  });
  const add = (address: string, isKnownDevice: boolean) =>
    queue.run({ address, isKnownDevice }, async () => {
      started.push(address);
      await ended;
    });
  return { add, started, end: () => end() };
}

it("one address never uses every slot, and all of its guesses are computed in the end", async () => {
  const { add, started, end } = twoPlaces();
  const all = [...Array.from({ length: 10 }, () => add("attacker", false)), add("home", false)];
  await tick();
  expect(started).toEqual(["attacker", "home"]);
  end();
  await Promise.all(all);
  expect(started).toHaveLength(11);
});

it("browsers that have signed in before may use every slot, though they share an address", async () => {
  const { add, started, end } = twoPlaces();
  const all = [add("office", true), add("office", true)];
  await tick();
  expect(started).toEqual(["office", "office"]);
  end();
  await Promise.all(all);
});

it("a browser that has signed in before goes ahead of all others", async () => {
  const { add, order, finish } = busyQueue(200);
  await tick();
  await finish([add("stranger", "a"), add("other stranger", "b"), add("known", "a", true)]);
  expect(order).toEqual(["known", "stranger", "other stranger"]);
});

it("when the queue is full, the newest waiter of the longest line is refused and not the newcomer", async () => {
  const { add, order, finish } = busyQueue(4);
  await tick();
  const all = [1, 2, 3, 4].map((index) => add(`guess ${index}`, "attacker"));
  const results = await finish([...all, add("person", "home"), add("known", "work", true)]);
  expect(order.sort()).toEqual(["guess 1", "guess 2", "known", "person"]);
  const refused = results.filter((result) => result.status === "rejected");
  expect(refused).toHaveLength(2);
  for (const { reason } of refused as PromiseRejectedResult[]) expect(reason.code).toBe("SERVICE_UNAVAILABLE");
});

it("when the queue is full of one address, its further requests are refused", async () => {
  const { add, finish } = busyQueue(2);
  await tick();
  const results = await finish([1, 2, 3].map((index) => add(`guess ${index}`, "attacker")));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled", "rejected"]);
});
