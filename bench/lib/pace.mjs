import { Pool } from "undici";
import { machineMs, stampedBody } from "./clock.mjs";

const IN_FLIGHT_MAX = 10_000;

/**
 * An open loop: `perSecond` messages are written for `ms`, each at its time whether or not the earlier ones have a response.
 * `targets` (a conversation's path and its key) take turns. A message carries the time when it was due, so that waiting
 * because of another process counts.
 */
export async function pace({ url, targets, perSecond, ms }) {
  const pool = new Pool(url, { connections: 64, pipelining: 1 });
  const inFlight = new Set();
  let failures = 0;
  const begunAt = machineMs();
  const count = Math.floor((perSecond * ms) / 1_000);
  for (let sent = 0; sent < count; ) {
    const due = Math.min(count, Math.ceil(((machineMs() - begunAt) * perSecond) / 1_000));
    for (; sent < due; sent++) {
      const writing = write(pool, targets[sent % targets.length], begunAt + (sent * 1_000) / perSecond)
        .catch(() => failures++)
        .finally(() => inFlight.delete(writing));
      inFlight.add(writing);
    }
    if (inFlight.size > IN_FLIGHT_MAX)
      throw new Error(`${inFlight.size} messages wait for a response: the pace is too fast`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(inFlight);
  await pool.close();
  return { count, failures };
}

async function write(pool, { path, key }, dueAt) {
  const { statusCode, body } = await pool.request({
    path,
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ body: stampedBody(dueAt) }),
  });
  await body.dump();
  if (statusCode !== 201) throw new Error(`the response was ${statusCode}`);
}
