// The baseline of bench/ingest: the rows of a message, its event and one delivery in one plain transaction, without HTTP,
// validation, keys or limits. Gets the time and the number of callers by message; replies with the rate.
import { randomUUID } from "node:crypto";
import pg from "pg";

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
        await client.query("begin");
        const {
          rows: [{ seq }],
        } = await client.query({
          name: "seq",
          text: "update conversations set last_seq = last_seq + 1, last_message_at = now(), updated_at = now() where workspace_id = 1 and id = $1 returning last_seq as seq",
          values: [conversation],
        });
        await client.query({
          name: "message",
          text: "insert into messages (workspace_id, uuid, conversation_id, seq, direction, sender_type, body) values (1, $1, $2, $3, 'out', 'api_key', $4) returning *",
          values: [randomUUID(), conversation, seq, "x".repeat(200)],
        });
        const {
          rows: [{ id }],
        } = await client.query({
          name: "event",
          text: "insert into events (workspace_id, uuid, type, payload) values (1, $1, 'message.created', $2) returning id",
          values: [randomUUID(), payload],
        });
        await client.query({
          name: "unsequenced",
          text: "insert into events_unsequenced (workspace_id, event_id, type) values (1, $1, 'message.created')",
          values: [id],
        });
        await client.query({
          name: "delivery",
          text: "insert into deliveries (workspace_id, webhook_id, event_id) values (1, $1, $2)",
          values: [webhookId, id],
        });
        await client.query("commit");
        client.release();
        count++;
      }
    }),
  );
  process.send({ perSecond: (count / (performance.now() - begunAt)) * 1_000 });
});
