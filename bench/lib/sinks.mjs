import { freePort, start, stop, waitForHttp } from "./processes.mjs";

/** A receiver (bench/lib/sink.mjs) in a process of its own, and what it says of the arrivals. */
export async function startSink(host = "127.0.0.1") {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = start("bench/lib/sink.mjs", [String(port), host]);
  await waitForHttp(url);
  const ask = async (path) => (await fetch(url + path)).json();
  return {
    port,
    url,
    stop: () => stop(child),
    stats: () => ask("/stats"),
    /** From sending to arrival, in milliseconds, of every request that said when it was sent; sorted. */
    times: async () => timesOf((await ask("/arrivals")).arrivals),
    /** The same of those that were sent in the first `firstMs`, and of all. */
    async timesFrom(firstMs) {
      const { arrivals } = await ask("/arrivals");
      const begunAt = arrivals.reduce((first, { sentAt }) => Math.min(first, sentAt), Number.POSITIVE_INFINITY);
      return { all: timesOf(arrivals), first: timesOf(arrivals.filter(({ sentAt }) => sentAt < begunAt + firstMs)) };
    },
    async reset() {
      await (await fetch(`${url}/reset`, { method: "POST" })).text();
    },
    /** Waits until this many have arrived; what the sink said then. */
    async arrived(count, timeoutMs, pollMs = 50) {
      const deadline = performance.now() + timeoutMs;
      for (;;) {
        const found = await ask("/stats");
        if (found.count >= count) return found;
        if (performance.now() > deadline) throw new Error(`only ${found.count} of ${count} arrived`);
        if (pollMs > 0) await new Promise((resolve) => setTimeout(resolve, pollMs));
      }
    },
  };
}

const timesOf = (arrivals) => arrivals.map(({ ms }) => ms).sort((a, b) => a - b);
