// Contacts, conversations, messages, events and audit entries by SQL, for bench/lists.mjs. (Delivery logs: bench/growth.mjs.)

import { createHash } from "node:crypto";

const WORDS = ["invoice", "refund", "delivery", "login", "password", "broken", "machine", "thanks", "hello", "order"];
const BATCH = 100_000;

/** Fills a workspace. A tenth of the conversations are not resolved, and half of these wait; one conversation holds a hundredth of the messages. */
export async function fillWorkspace(sql, workspaceId, { contacts, conversations, messages }) {
  await inBatches(contacts, (from, to) =>
    sql.query(
      `insert into contacts (workspace_id, uuid, external_id, name, email, phone, created_at)
       select $1::bigint, gen_random_uuid(), 'ext-' || $1::bigint || '-' || n, 'Person ' || n, 'person' || n || '@example' || n % 50 || '.com',
         '+49' || n, now() - make_interval(secs => ($4::int - n))
       from generate_series($2::int, $3::int) n`,
      [workspaceId, from, to, contacts],
    ),
  );
  const { rows } = await sql.query("select min(id) as first from contacts where workspace_id = $1", [workspaceId]);
  const first = Number(rows[0].first);
  await inBatches(conversations, (from, to) =>
    sql.query(
      `insert into conversations (workspace_id, uuid, contact_id, subject, status, channel, labels, priority, last_seq,
         waiting_since, last_message_at, created_at, updated_at)
       select $1::bigint, gen_random_uuid(), $2::bigint + n % $3::int, 'About ' || ($6::text[])[1 + n % 10] || ' ' || n,
         case when n % 10 > 0 then 'resolved' when n % 30 = 0 then 'pending' else 'open' end,
         case when n % 5 = 0 then 'email' else 'api' end,
         case when n % 7 = 0 then array['billing'] when n % 1000 = 0 then array['rare'] else '{}' end,
         case when n % 100 = 0 then 'urgent' end, 0, case when n % 20 = 0 then t.at end, t.at, t.at, t.at
       from generate_series($4::int, $5::int) n, lateral (select now() - make_interval(secs => $7::int - n) as at) t`,
      [workspaceId, first, contacts, from, to, WORDS, conversations],
    ),
  );
  const spread = await sql.query("select min(id) as first from conversations where workspace_id = $1", [workspaceId]);
  const firstConversation = Number(spread.rows[0].first);
  const thread = Math.floor(messages / 100);
  await inBatches(messages, (from, to) =>
    sql.query(
      `insert into messages (workspace_id, uuid, conversation_id, seq, direction, sender_type, body, created_at, updated_at)
       select $1::bigint, gen_random_uuid(),
         case when n <= $5::int then $2::bigint else $2::bigint + 1 + n % ($6::int - 1) end,
         case when n <= $5::int then n else 1 + n / ($6::int - 1) end,
         case when n % 2 = 0 then 'in' else 'out' end, case when n % 2 = 0 then 'contact' else 'api_key' end,
         'the ' || ($7::text[])[1 + n % 10] || ' ' || ($7::text[])[1 + (n / 10) % 10] || ' number ' || n, t.at, t.at
       from generate_series($3::int, $4::int) n, lateral (select now() - make_interval(secs => $8::int - n) as at) t`,
      [workspaceId, firstConversation, from, to, thread, conversations, WORDS, messages],
    ),
  );
  await sql.query("update conversations set last_seq = $3 where workspace_id = $1 and id = $2", [
    workspaceId,
    firstConversation,
    thread,
  ]);
  await fillHistory(sql, workspaceId, conversations);
  return { threadId: firstConversation };
}

/** A member with a session, whom one in fifty messages mentions. */
export async function addPerson(sql, workspaceId, token) {
  const { rows } = await sql.query(
    `with person as (
       insert into users (uuid, email, name)
       values (gen_random_uuid(), 'person@workspace' || $1::bigint || '.example', 'Person')
       returning id
     ), member as (
       insert into memberships (workspace_id, user_id, role)
       select $1, id, 'agent'
       from person
     )
     insert into sessions (digest, user_id, method, expires_at)
     select $2, id, 'password', now() + interval '1 day'
     from person
     returning user_id`,
    [workspaceId, createHash("sha256").update(token).digest()],
  );
  await sql.query(
    `insert into message_mentions (workspace_id, user_id, message_id, conversation_id, seq)
     select workspace_id, $2, id, conversation_id, seq
     from messages
     where workspace_id = $1
       and id % 50 = 0`,
    [workspaceId, rows[0].user_id],
  );
}

/** An event with its position and an audit entry for each conversation; one in a thousand of a rare type. */
async function fillHistory(sql, workspaceId, count) {
  await inBatches(count, (from, to) =>
    sql.query(
      `with written as (
         insert into events (workspace_id, uuid, type, payload, created_at)
         select $1::bigint, made.uuid, made.type,
           format('{"id":"evt_%s","type":"%s","timestamp":"2026-07-14T10:00:00Z","data":{"id":%s},"actor":%s}',
             replace(made.uuid::text, '-', ''), made.type, n, '{"type":"system","id":null,"name":null}'),
           now() - make_interval(secs => $4::int - n)
         from generate_series($2::int, $3::int) n,
           lateral (
             select gen_random_uuid() as uuid,
               case when n % 1000 = 0 then 'contact.deleted' else 'message.created' end as type
           ) made
         returning workspace_id, id, type)
       insert into event_positions (workspace_id, position, event_id, type)
       select workspace_id, nextval('event_position_seq'), id, type
       from written
       order by id`,
      [workspaceId, from, to, count],
    ),
  );
  await inBatches(count, (from, to) =>
    sql.query(
      `insert into audit_logs (workspace_id, uuid, actor_type, actor_id, actor_name, action, resource_type, resource_id,
         ip, request_id, changes, created_at)
       select $1::bigint, gen_random_uuid(), 'api_key', 1 + n % 5, 'key', case when n % 1000 = 0 then 'api_key.revoked' else
         'webhook.updated' end, 'webhook', n, '127.0.0.1', 'req', '{}', now() - make_interval(secs => $4::int - n)
       from generate_series($2::int, $3::int) n`,
      [workspaceId, from, to, count],
    ),
  );
}

async function inBatches(total, write) {
  for (let from = 1; from <= total; from += BATCH) await write(from, Math.min(total, from + BATCH - 1));
}

const FILLED = ["contacts", "conversations", "messages", "events", "event_positions", "audit_logs"];

/** Writes rows without the indexes of their tables and creates these afterwards, which takes less time. */
export async function withIndexesAfterwards(sql, write) {
  const { rows: indexes } = await sql.query(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i
     where i.indrelid = any($1::regclass[]) and not i.indisunique`,
    [FILLED],
  );
  for (const { name } of indexes) await sql.query(`drop index ${name}`);
  const result = await write();
  await sql.query("set maintenance_work_mem = '512MB'");
  for (const { definition } of indexes) await sql.query(definition);
  return result;
}
