import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { type DatabaseProxy, proxyTo } from "../support/database-proxy.ts";
import { type Audience, createAudience, openLedger } from "../support/ledger.ts";
import { type ParleyProcess, startProcess } from "../support/parley-process.ts";
import { scale } from "../support/proof.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

const ROUNDS = scale(1, 5);
const CLIENTS = 100;
/** Between the database's commit and the server's hearing of it there is this much time to kill in. */
const RESPONSES_LATE_MS = 100;

let database: TestDatabase;
let proxy: DatabaseProxy;
let receiver: Receiver;
let server: ParleyProcess;
let audience: Audience;

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await proxyTo(database);
  receiver = await startReceiver();
  server = await startProcess("serve", proxy.database);
  audience = await createAudience(server.call, receiver, 1);
});
afterAll(async () => {
  await receiver?.close();
  await server?.end("SIGKILL");
  await proxy?.close();
  await database?.drop();
});

const committed = (text: string) =>
  database.query<{ uuid: string }>("select uuid from messages where body = $1", [text]);

it(`${CLIENTS} requests killed between commit and response create nothing more when they are repeated`, {
  timeout: 300_000 + ROUNDS * 20_000,
}, async ({ annotate }) => {
  const ledger = openLedger(audience, (...request) => server.call(...request));
  for (let round = 0; round < ROUNDS; round++) {
    const message = { text: `round ${round}`, headers: { "idempotency-key": `key ${round}` } };
    const sendAll = () => Promise.all(Array.from({ length: CLIENTS }, () => ledger.write(message)));

    proxy.delayResponses(RESPONSES_LATE_MS);
    const dying = sendAll();
    const isCommitted = async () => (await committed(message.text)).length > 0;
    await until("the message is committed", isCommitted, { timeoutMs: 30_000, everyMs: 1 });
    await server.end("SIGKILL");
    const responses = (await dying).filter(({ reply }) => reply !== null);
    expect(responses, "the kill came after a response").toEqual([]);
    proxy.delayResponses(0);

    server = await startProcess("serve", proxy.database);
    const rows = await committed(message.text);
    expect(rows).toHaveLength(1);
    for (const { reply } of await sendAll()) {
      expect(reply?.status, reply?.text).toBe(201);
      expect(reply?.headers.get("idempotent-replayed")).toBe("true");
      expect(reply?.body.data).toMatchObject({ uuid: rows[0]?.uuid, body: message.text });
    }
    expect(await committed(message.text)).toHaveLength(1);
  }
  const verdict = await ledger.judge(database);
  await annotate(JSON.stringify(verdict));
  expect(verdict).toEqual({ acknowledged: ROUNDS, arrivals: ROUNDS, duplicates: 0 });
});
