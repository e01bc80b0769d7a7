// The baseline of bench/ingest: the rows of a message, its event and one delivery in one plain transaction, without HTTP,
// validation, keys or limits. Gets the time and the number of callers by message; replies with the rate.
import pg from "pg";
import { writePlainly } from "../lib/rows.mjs";

const BODY = "x".repeat(200);

const { database, conversations, webhookId, payload } = JSON.parse(process.argv[2]);
const pool = new pg.Pool({ ...database, max: 12, ssl: false });

process.on("message", async ({ ms, callers, spread = conversations.length }) => {
  const deadline = performance.now() + ms;
  let count = 0;
  const begunAt = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      const conversation = conversations[caller % spread];
      while (performance.now() < deadline) {
        const client = await pool.connect();
        await writePlainly(client, { conversation, webhookId, payload, body: BODY });
        client.release();
        count++;
      }
    }),
  );
  process.send({ perSecond: (count / (performance.now() - begunAt)) * 1_000 });
});
