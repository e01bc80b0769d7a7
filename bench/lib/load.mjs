import { Pool } from "undici";

/**
 * A closed loop: `callers` requests in flight at once for `ms`. Runs in a process of its own (see bench/lib/loader.mjs),
 * so that the client does not slow down the server.
 */
export async function load({
  url,
  path,
  paths = [path],
  method = "GET",
  headers = {},
  bodies = null,
  callers = 32,
  ms = 3_000,
}) {
  const pool = new Pool(url, { connections: callers, pipelining: 1 });
  const times = [];
  let failures = 0;
  let next = 0;
  const deadline = performance.now() + ms;
  const begunAt = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      const path = paths[caller % paths.length];
      while (performance.now() < deadline) {
        const at = performance.now();
        const body = bodies ? bodies[next++ % bodies.length] : undefined;
        const response = await pool.request({ path, method, headers, body });
        await response.body.dump();
        if (response.statusCode >= 300) failures++;
        times.push(performance.now() - at);
      }
    }),
  );
  const seconds = (performance.now() - begunAt) / 1_000;
  await pool.close();
  times.sort((a, b) => a - b);
  return {
    perSecond: times.length / seconds,
    count: times.length,
    failures,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
  };
}

export const quantile = (sorted, q) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
