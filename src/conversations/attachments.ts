import { type AttachTarget, type Holder, holdFiles, lockFiles } from "../files/attach.ts";
import type { FileLinks } from "../files/links.ts";
import type { MessageRecord } from "../resources/conversations.ts";
import type { WriteContext } from "./write-context.ts";

export type Attachment = MessageRecord["attachments"][number];

/** A file that was uploaded, by `file_id`, or one that is elsewhere, by `url`. */
export interface AttachmentInput {
  file_id?: number | string | null | undefined;
  url?: string | null | undefined;
  name?: string | null | undefined;
  content_type?: string | null | undefined;
  size_bytes?: number | null | undefined;
}

/** Of a mail: a picture inside its HTML. */
interface MailAttachmentInput extends AttachmentInput {
  isInline?: boolean;
}

type Given = readonly AttachmentInput[] | null | undefined;

const isNamed = (id: AttachmentInput["file_id"]): id is number | string => id !== undefined && id !== null;

/** Whether files have to be locked and links signed. Most messages have none and are written in one statement. */
export const holdsFiles = (given: Given): boolean => given?.some(({ file_id }) => isNamed(file_id)) ?? false;

/** Attachments that are elsewhere, as they are stored. */
export const linkedAttachments = (given: Given): Attachment[] => (given ?? []).map(linkedAttachment);

const linkedAttachment = ({ url, name, content_type, size_bytes }: AttachmentInput): Attachment => ({
  url: url ?? "",
  name: name ?? null,
  content_type: content_type ?? null,
  size_bytes: size_bytes ?? null,
});

/**
 * Attachments as they are stored and as events carry them, with the files among them locked for their holder. The link
 * of a file is the event's; a response gets a fresh one.
 */
export async function resolveAttachments(
  { tx, caller, links }: WriteContext & { links: FileLinks },
  given: Given,
  target: AttachTarget = {},
): Promise<Attachment[]> {
  if (!given || !holdsFiles(given)) return linkedAttachments(given);
  const named = given.flatMap(({ file_id }, position) => (isNamed(file_id) ? [{ position, file_id }] : []));
  const files = await lockFiles(tx, caller, named, target);
  return given.map((attachment, position) => {
    const file = files.get(position);
    if (!file) return linkedAttachment(attachment);
    const { id, name, content_type, size_bytes } = file;
    const inline = (attachment as MailAttachmentInput).isInline === true ? { inline: true } : {};
    return { file_id: id, name, content_type, size_bytes, url: links.forEvent(file), ...inline };
  });
}

/** After the message or the draft was changed. */
export const holdAttached = (
  { tx, caller }: WriteContext,
  holder: Holder,
  attachments: readonly Attachment[],
): Promise<void> => holdFiles(tx, caller.workspaceId, holder, fileIdsOf(attachments));

/** After a message was written, which holds no files yet. */
export async function holdByNewMessage(write: WriteContext, { id, attachments }: MessageRecord): Promise<void> {
  if (fileIdsOf(attachments).length > 0) await holdAttached(write, { messageId: id }, attachments);
}

const fileIdsOf = (attachments: readonly Attachment[]): number[] => attachments.flatMap(({ file_id }) => file_id ?? []);

/** The same files with links that are valid for another week, for a new event about them. */
export const withRenewedLinks = (links: FileLinks, attachments: readonly Attachment[]): Attachment[] =>
  attachments.map((attachment) =>
    attachment.file_id === undefined ? attachment : { ...attachment, url: links.renewForEvent(attachment.url) },
  );

/** For a comparison: the link of a file is different each time it is signed. */
export const withoutLinks = (attachments: readonly Attachment[]): unknown[] =>
  attachments.map((attachment) => attachment.file_id ?? attachment);

/** For a comparison: what a change of a message or a draft can change. */
export const comparable = ({
  body,
  private: isPrivate,
  attachments,
}: Pick<MessageRecord, "body" | "private" | "attachments">) => ({
  body,
  isPrivate,
  attachments: withoutLinks(attachments),
});
