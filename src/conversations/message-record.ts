import { timestampSql } from "../db/timestamp-sql.ts";
import type { MessageRecord } from "../resources/conversations.ts";

/**
 * A message as the API shows it and events carry it, as JSON in text. The database writes it, in this one place: the
 * number and the time of a new message are known there first, and its event is stored in the same statement.
 */
export const messageJson = (m: string): string => `format(
      '{"id":%s,"uuid":"%s","conversation_id":%s,"seq":%s,"direction":"%s","sender":%s,"private":%s,"body":%s,'
        '"attachments":%s%s,"mentions":%s,"email":%s,"quoted":%s,"delivery":%s,"created_at":"%s","updated_at":"%s"}',
      ${m}.id, ${m}.uuid, ${m}.conversation_id, ${m}.seq, ${m}.direction, ${senderJson(m)},
      case when ${m}.private then 'true' else 'false' end, to_json(${m}.body), ${m}.attachments,
      coalesce(',"draft":' || ${m}.draft::text, ''), coalesce(to_json(${m}.mentions)::text, '[]'),
      coalesce(${m}.email::text, 'null'), coalesce(to_json(${m}.quoted)::text, 'null'),
      coalesce(${m}.delivery::text, 'null'),
      ${timestampSql(`${m}.created_at`)}, ${timestampSql(`${m}.updated_at`)})`;

/** Who wrote the message, as JSON in text. */
export const senderJson = (m: string): string => `format('{"type":"%s","id":%s,"name":%s}', ${m}.sender_type,
        coalesce(${m}.sender_id::text, 'null'), coalesce(to_json(${m}.sender_name)::text, 'null'))`;

/** What every reader of messages `m` selects. */
export const MESSAGE_COLUMNS = `${messageJson("m")} as record`;

export interface MessageRow {
  record: string;
}

export const toMessage = ({ record }: MessageRow): MessageRecord => JSON.parse(record) as MessageRecord;
