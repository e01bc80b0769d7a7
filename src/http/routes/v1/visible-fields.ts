import { withoutLinks } from "../../../conversations/attachments.ts";
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
import type { ViewRecord } from "../../../resources/view.ts";
import type { RouteResponse, Viewer } from "../../pipeline/route.ts";

/**
 * What a caller may see of a record. Without the read scope of a resource a caller gets, from writes and from embedded
 * objects, only `id`, `uuid` and what the request itself wrote.
 */

/**
 * A conversation with its embedded objects as this caller may see them. The response that is shown to a repeat may be
 * reduced already.
 */
export function visibleConversation<C extends ConversationRecord>(viewer: Viewer, conversation: C): C {
  const { contact, assignee, last_message } = conversation as Partial<ConversationRecord>;
  const hidesContact = contact && !viewer.scopes.has("contacts:read");
  // Members are read with the scope of conversations.
  const hidesAssignee = assignee && !viewer.scopes.has("conversations:read");
  return {
    ...conversation,
    ...(hidesContact ? { contact: { id: contact.id, uuid: contact.uuid } } : {}),
    ...(hidesAssignee ? { assignee: { id: assignee.id, uuid: assignee.uuid } } : {}),
    ...(last_message && !viewer.scopes.has("messages:read") ? { last_message: null } : {}),
  };
}

export function conversationResponse(
  viewer: Viewer,
  { message, ...conversation }: OpenedConversation,
  body: Record<string, unknown>,
): RouteResponse<OpenedConversation> {
  const written = body.message as Record<string, unknown> | undefined;
  const seen = message && messageResponse(viewer, message, written ?? {});
  const visible = visibleConversation(viewer, conversation);
  // The resources that a body names by `contact_id` and `assignee_id` are shown as objects.
  const named = { contact: body.contact_id, assignee: body.assignee_id };
  const given = Object.fromEntries(Object.entries({ ...named, ...body }).filter(([, value]) => value !== undefined));
  const response = writeResponse(visible, given, { isReadable: viewer.scopes.has("conversations:read") });
  if (!seen) return response;
  return { data: { ...response.data, message: seen.data }, ...(response.reduced || seen.reduced ? REDUCED : {}) };
}

export const contactResponse = (
  viewer: Viewer,
  contact: ContactRecord,
  body: object = {},
): RouteResponse<ContactRecord> => writeResponse(contact, body, { isReadable: viewer.scopes.has("contacts:read") });

export const messageResponse = (
  viewer: Viewer,
  message: MessageRecord,
  body: object = {},
): RouteResponse<MessageRecord> => writeResponse(message, body, { isReadable: viewer.scopes.has("messages:read") });

export const draftResponse = (viewer: Viewer, draft: DraftRecord, body: object = {}): RouteResponse<DraftRecord> =>
  writeResponse(draft, body, { isReadable: viewer.scopes.has("drafts:read") });

export const savedReplyResponse = (
  viewer: Viewer,
  reply: SavedReplyRecord,
  body: object = {},
): RouteResponse<SavedReplyRecord> => writeResponse(reply, body, { isReadable: viewer.scopes.has("messages:read") });

export const viewResponse = (viewer: Viewer, view: ViewRecord, body: object = {}): RouteResponse<ViewRecord> =>
  writeResponse(view, body, { isReadable: viewer.scopes.has("conversations:read") });

type WithFiles = Pick<MessageRecord, "attachments"> & Partial<Pick<MessageRecord, "email">>;

/** What the version of a message or draft is computed from: the link of a file is different each time it is signed. */
export const versionedFields = <T extends WithFiles>(record: T): object => ({
  ...record,
  attachments: withoutLinks(record.attachments),
  ...(record.email ? { email: { ...record.email, raw_url: "" } } : {}),
});

/** Links to files are stored as events carry them; a response gets fresh ones. */
export function withFreshLinks<T extends WithFiles>(links: FileLinks, record: T): T {
  const { attachments, email } = record;
  if (!email && attachments.every(({ file_id }) => file_id === undefined)) return record;
  return {
    ...record,
    attachments: attachments.map((attachment) =>
      attachment.file_id === undefined ? attachment : { ...attachment, url: links.renewForResponse(attachment.url) },
    ),
    ...(email ? { email: { ...email, raw_url: links.renewForResponse(email.raw_url) } } : {}),
  };
}

export const fileResponse = (viewer: Viewer, file: FileRecord): RouteResponse<FileRecord> =>
  writeResponse(file, {}, { isReadable: viewer.scopes.has("messages:read") });

const REDUCED = { reduced: true } as const;

function writeResponse<T extends { id: number; uuid: string }>(
  record: T,
  body: object,
  { isReadable }: { isReadable: boolean },
): RouteResponse<T> {
  if (isReadable) return { data: record };
  const visible = ["id", "uuid", ...Object.keys(body)];
  const entries = Object.entries(record).filter(([name]) => visible.includes(name));
  return { data: Object.fromEntries(entries) as T, ...REDUCED };
}
