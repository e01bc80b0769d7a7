// Rows that a benchmark writes by SQL, because the API would take hours or would begin to deliver at once. Everything
// that the benchmarks know about the tables of the queue and the log is here.
import { randomUUID } from "node:crypto";
import pg from "pg";

export async function connectTo(product) {
  const sql = new pg.Client({ ...product.database, ssl: false });
  await sql.connect();
  return sql;
}

const PAYLOAD = JSON.stringify({
  id: "evt_0",
  type: "message.created",
  timestamp: "2026-07-14T10:00:00+00:00",
  data: { body: "x".repeat(500) },
});

export { PAYLOAD };

const ORDERED_PAYLOAD = PAYLOAD.replace('"data":{', '"data":{"conversation_id":%s,');

/** Events and their deliveries as the outbox writes them, in one statement: `events` for each webhook of the workspace. */
export async function queueDeliveries(sql, { events, workspaceId = 1, webhookId = null }) {
  await sql.query(
    `with event as (
       insert into events (workspace_id, uuid, type, payload) select $1, gen_random_uuid(), 'message.created', $2
       from generate_series(1, $3) returning id)
     insert into deliveries (workspace_id, webhook_id, event_id)
     select w.workspace_id, w.id, event.id from event, webhooks w
     where w.workspace_id = $1 and ($4::bigint is null or w.id = $4)`,
    [workspaceId, PAYLOAD, events, webhookId],
  );
}

/** The same for an ordered webhook: messages of this many conversations, taking turns. */
export async function queueOrdered(sql, { events, conversations, workspaceId = 1 }) {
  await sql.query(
    `with event as (
       insert into events (workspace_id, uuid, type, payload)
       select $1, gen_random_uuid(), 'message.created', format($2::text, n % $4)
       from generate_series(1, $3) n returning id, (payload::json #>> '{data,conversation_id}')::bigint as conversation_id)
     insert into deliveries (workspace_id, webhook_id, event_id, order_key)
     select w.workspace_id, w.id, event.id, hashint8extended(event.conversation_id, w.id) & ${Number.MAX_SAFE_INTEGER}
     from event, webhooks w
     where w.workspace_id = $1 and w.ordered`,
    [workspaceId, ORDERED_PAYLOAD, events, conversations],
  );
}

/** Bytes of each table with its indexes and partitions, by name. */
export async function tableSizes(sql) {
  const { rows } = await sql.query(
    `select coalesce(parent.relname, c.relname) as name, sum(pg_total_relation_size(c.oid))::float8 as bytes
     from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class parent on parent.oid = i.inhparent
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by 1`,
  );
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

/** What a message costs at least: its rows, its event's and one delivery's in a plain transaction. */
export async function writePlainly(client, { conversation, webhookId, payload, body, waitSeconds = 0 }) {
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
    values: [randomUUID(), conversation, seq, body],
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
    text: "insert into deliveries (workspace_id, webhook_id, event_id, next_attempt_at) values (1, $1, $2, now() + make_interval(secs => $3))",
    values: [webhookId, id, waitSeconds],
  });
  await client.query("commit");
}
