import { conversationIdSql } from "../events/catalogue.ts";

/** What a number of JavaScript holds exactly. */
const KEY_MAX = Number.MAX_SAFE_INTEGER;

/**
 * Deliveries with the same key are sent one after the other: those of one conversation to one ordered webhook. Null, which
 * blocks nothing, for every other. One number instead of two columns, so that only the index of keys can find the delivery
 * before: with the webhook in the condition, a plan made while the queue was empty walked all deliveries of the webhook.
 * Two conversations that share a key by chance would take turns, no more. `event` names a row with `type` and `payload`.
 */
export const orderKeySql = (webhook: string, event: string): string =>
  `case
            when ${webhook}.ordered
              then hashint8extended(${conversationIdSql(`${event}.type`, `${event}.payload`)}, ${webhook}.id) & ${KEY_MAX}
          end`;
