import type { Caller } from "../../../core/caller.ts";
import type { FileLinks } from "../../../files/links.ts";
import type {
  ContactRecord,
  ConversationRecord,
  DraftRecord,
  MessageRecord,
  OpenedConversation,
  SavedReplyRecord,
} from "../../../resources/conversations.ts";
import type { FileRecord } from "../../../resources/file.ts";
import type { RouteResponse } from "../../pipeline/route.ts";

/**
 * What a caller may see of a record. Without the read scope of a resource a caller gets, from writes and from embedded
 * objects, only `id`, `uuid` and what the request itself wrote.
 */

/** A conversation as this caller may see it, for a caller who may read conversations. */
export function visibleConversation<C extends ConversationRecord>(caller: Caller, conversation: C): C {
  const { id, uuid } = conversation.contact;
  return {
    ...conversation,
    ...(caller.scopes.has("contacts:read") ? {} : { contact: { id, uuid } }),
    ...(caller.scopes.has("messages:read") ? {} : { last_message: null }),
  };
}

export function conversationResponse(
  caller: Caller,
  { message, ...conversation }: OpenedConversation,
  body: Record<string, unknown>,
): RouteResponse<OpenedConversation> {
  const written = body.message as Record<string, unknown> | undefined;
  const seen = message && messageResponse(caller, message, written ?? {});
  const visible = visibleConversation(caller, conversation);
  // The resources that a body names by `contact_id` and `assignee_id` are shown as objects.
  const named = { contact: body.contact_id, assignee: body.assignee_id };
  const given = Object.fromEntries(Object.entries({ ...named, ...body }).filter(([, value]) => value !== undefined));
  const response = writeResponse(caller.scopes.has("conversations:read"), visible, given);
  if (!seen) return response;
  return { data: { ...response.data, message: seen.data }, ...(response.reduced || seen.reduced ? REDUCED : {}) };
}

export const contactResponse = (
  caller: Caller,
  contact: ContactRecord,
  body: object = {},
): RouteResponse<ContactRecord> => writeResponse(caller.scopes.has("contacts:read"), contact, body);

export const messageResponse = (
  caller: Caller,
  message: MessageRecord,
  body: object = {},
): RouteResponse<MessageRecord> => writeResponse(caller.scopes.has("messages:read"), message, body);

export const draftResponse = (caller: Caller, draft: DraftRecord, body: object = {}): RouteResponse<DraftRecord> =>
  writeResponse(caller.scopes.has("drafts:read"), draft, body);

export const savedReplyResponse = (
  caller: Caller,
  reply: SavedReplyRecord,
  body: object = {},
): RouteResponse<SavedReplyRecord> => writeResponse(caller.scopes.has("messages:read"), reply, body);

/** Links to files are stored as events carry them; a response gets fresh ones. */
export const withFreshLinks = <T extends Pick<MessageRecord, "attachments">>(links: FileLinks, record: T): T =>
  record.attachments.some(({ file_id }) => file_id !== undefined)
    ? {
        ...record,
        attachments: record.attachments.map((attachment) =>
          attachment.file_id === undefined ? attachment : { ...attachment, url: links.renewed(attachment.url) },
        ),
      }
    : record;

export const fileResponse = (caller: Caller, file: FileRecord): RouteResponse<FileRecord> =>
  writeResponse(caller.scopes.has("messages:read"), file, {});

const REDUCED = { reduced: true } as const;

function writeResponse<T extends { id: number; uuid: string }>(
  mayRead: boolean,
  record: T,
  body: object,
): RouteResponse<T> {
  if (mayRead) return { data: record };
  const visible = ["id", "uuid", ...Object.keys(body)];
  const entries = Object.entries(record).filter(([name]) => visible.includes(name));
  return { data: Object.fromEntries(entries) as T, ...REDUCED };
}
