import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { heldBy, type ParleyProcess, startProcess } from "../support/parley-process.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

const LIMIT = 10;
const MESSAGES = 200;
const CONVERSATIONS = 5;
const NODES = 3;

let database: TestDatabase;
let receiver: Receiver;
let nodes: ParleyProcess[] = [];
beforeAll(async () => {
  [database, receiver] = await Promise.all([createTestDatabase(), startReceiver()]);
  for (let node = 0; node < NODES; node++) nodes.push(await startProcess("serve", database));
}, 300_000);
afterAll(async () => {
  for (const node of nodes) await node.end("SIGKILL");
  await receiver?.close();
  await database?.drop();
});

/** The most arrivals within any such time. */
function most(times: readonly number[], ms: number): number {
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + ms).length));
}

it("a rate limit holds over three nodes, ordered or not, and a kill -9 of one of them loses nothing", {
  timeout: 240_000,
}, async () => {
  const [first, second] = nodes as [ParleyProcess, ParleyProcess];
  const paths = ["/plain", "/ordered"];
  for (const path of paths) {
    const body = { name: path, url: receiver.url(path), events: ["message.created"], rate_limit: LIMIT };
    const reply = await first.call("POST", "/webhooks", { body: { ...body, ordered: path === "/ordered" } });
    expect(reply.status, reply.text).toBe(201);
  }
  const conversations: number[] = [];
  for (let n = 0; n < CONVERSATIONS; n++)
    conversations.push((await first.call("POST", "/conversations", { body: {} })).body.data.id);
  // One after the other in each conversation, at all nodes by turns.
  await Promise.all(
    conversations.map(async (id) => {
      for (let n = 0; n < MESSAGES / CONVERSATIONS; n++) {
        const node = nodes[n % NODES] as ParleyProcess;
        const reply = await node.call("POST", `/conversations/${id}/messages`, { body: { body: `m${n}` } });
        expect(reply.status, reply.text).toBe(201);
      }
    }),
  );
  await until("some are sent", () => receiver.at("/plain").length > MESSAGES / 5, { timeoutMs: 60_000 });
  const workerId = await second.workerId();
  await second.end("SIGKILL");
  const inFlight = new Set(await heldBy(database, workerId));
  nodes = nodes.filter((node) => node !== second);
  await until("nothing is left", async () => (await database.query("select 1 from deliveries")).length === 0, {
    timeoutMs: 180_000,
  });

  for (const path of paths) {
    const arrivals = receiver.at(path);
    const times = arrivals.map(({ at }) => at).sort((one, other) => one - other);
    expect(new Set(arrivals.map(({ event }) => event.id)).size, path).toBe(MESSAGES);
    expect(times.length - MESSAGES, "only what was in flight is repeated").toBeLessThanOrEqual(inFlight.size);
    // What is measured is when they arrive: a machine that pauses delivers what waited at once.
    expect(most(times, 10_000), path).toBeLessThanOrEqual(11 * LIMIT);
    expect(most(times, 1_000), path).toBeLessThanOrEqual(2 * LIMIT);
  }
  for (const id of conversations) {
    const seqs = receiver
      .at("/ordered")
      .filter(({ event }) => event.data.conversation_id === id)
      .map(({ event }) => event.data.seq);
    expect(seqs.filter((seq, index) => seqs.indexOf(seq) === index)).toEqual([...new Set(seqs)].sort((a, b) => a - b));
  }
});
