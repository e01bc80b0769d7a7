import { ownKeyId } from "../core/actor.ts";
import type { Caller } from "../core/caller.ts";
import { newUuid } from "../core/ids.ts";
import type { Tx } from "../db/database.ts";
import { LOCK_WAIT, type LockWait, lockTimeoutOf } from "../db/lock-wait.ts";
import { timestampSql } from "../db/timestamp-sql.ts";
import { newEventUuid } from "../events/event-traces.ts";
import type { ChangeStatement, Outbox } from "../events/outbox.ts";
import type { ContactRecord } from "../resources/conversations.ts";
import { textOf } from "./fields.ts";

/** Null and absent are the same; an empty string clears the field. */
export interface ContactInput {
  external_id?: string | null | undefined;
  name?: string | null | undefined;
  email?: string | null | undefined;
  phone?: string | null | undefined;
  /** What a visitor typed. No request of the API sets it. */
  unverified_email?: string | null | undefined;
  attributes?: Record<string, unknown> | null | undefined;
}

/** One contact to be written, as the statement reads it. */
export type NewContact = ReturnType<typeof newContact>;

const text = (column: string): string => `coalesce(to_json(${column})::text, 'null')`;

/** A contact as the API shows it and events carry it, as JSON in text. */
const contactJson = (k: string): string => `format(
      '{"id":%s,"uuid":"%s","external_id":%s,"name":%s,"email":%s,"phone":%s,"unverified_email":%s,'
        '"blocked":%s,"attributes":%s,"created_at":"%s","updated_at":"%s"}',
      ${k}.id, ${k}.uuid, ${["external_id", "name", "email", "phone"].map((column) => text(`${k}.${column}`)).join(", ")},
      ${text(`${k}.unverified_email`)}, case when ${k}.blocked then 'true' else 'false' end, ${k}.attributes, ${timestampSql(`${k}.created_at`)}, ${timestampSql(`${k}.updated_at`)})`;

// All contacts of a batch, and a single one as a batch of one. They are inserted in the order of their external ids, so
// that two batches never wait for each other. A batch waits a tenth of a second for a transaction that is about to create
// the same external id, and then fails as a whole: its contacts are written one by one.
const INSERT: ChangeStatement = {
  name: "contact_insert",
  text: ({ storeEvents, queued }) => `with ${LOCK_WAIT},

     input as (
       select item.*
       from lock_wait, json_to_recordset(:contacts::json) as item (
         position integer, workspace_id bigint, uuid uuid, external_id text, name text, email text, phone text,
         unverified_email text, attributes jsonb, event_uuid uuid, api_key_id bigint, actor text)),

     stored as (
       insert into contacts (workspace_id, uuid, external_id, name, email, phone, unverified_email, attributes)
       select workspace_id, uuid, external_id, name, email, phone, unverified_email, attributes
       from input
       order by workspace_id, external_id, position
       on conflict (workspace_id, external_id) do nothing
       returning *),

     source as (
       select k.workspace_id, i.position, i.event_uuid, i.api_key_id, i.actor,
         ${contactJson("k")} as data
       from stored k
       join input i on i.workspace_id = k.workspace_id and i.uuid = k.uuid),

     ${storeEvents}

     select source.position, source.data as record,
       ${queued}
     from source`,
};

export function newContact({ workspaceId, actor }: Caller, input: ContactInput) {
  const { type, id, name } = actor;
  return {
    workspace_id: workspaceId,
    uuid: newUuid(),
    external_id: textOf(input.external_id) ?? null,
    name: textOf(input.name) ?? null,
    email: textOf(input.email) ?? null,
    phone: textOf(input.phone) ?? null,
    unverified_email: textOf(input.unverified_email) ?? null,
    attributes: input.attributes ?? {},
    event_uuid: newEventUuid(),
    api_key_id: ownKeyId(actor),
    actor: JSON.stringify({ type, id, name }),
  };
}

/** Writes contacts with their events, in one statement. Null in the position of one whose `external_id` is taken. */
export async function insertContacts(
  tx: Tx,
  outbox: Outbox,
  contacts: readonly NewContact[],
  { lockWait = "long" }: { lockWait?: LockWait } = {},
): Promise<(ContactRecord | null)[]> {
  const positioned = contacts.map((contact, position) => ({ position, ...contact }));
  const rows = await outbox.appendChanges<{ position: number; record: string }>(tx, INSERT, {
    values: { contacts: JSON.stringify(positioned), lockTimeout: lockTimeoutOf(lockWait) },
    type: "contact.created",
    eventUuids: contacts.map(({ event_uuid }) => event_uuid),
    claimsIn: null,
  });
  const written: (ContactRecord | null)[] = contacts.map(() => null);
  for (const { position, record } of rows) written[position] = JSON.parse(record) as ContactRecord;
  return written;
}
