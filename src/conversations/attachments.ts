import type { MessageRecord } from "../resources/conversations.ts";

export interface AttachmentInput {
  url: string;
  name?: string | null | undefined;
  content_type?: string | null | undefined;
  size_bytes?: number | null | undefined;
}

export const attachmentsOf = (given: readonly AttachmentInput[]): MessageRecord["attachments"] =>
  given.map(({ url, name, content_type, size_bytes }) => ({
    url,
    name: name ?? null,
    content_type: content_type ?? null,
    size_bytes: size_bytes ?? null,
  }));
