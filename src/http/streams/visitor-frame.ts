import type { SequencedEvent } from "../../events/event-reader.ts";
import type { FileLinks } from "../../files/links.ts";
import {
  type VisitorConversation,
  type VisitorMessage,
  withVisitorLinks,
  withVisitorLinksOfLast,
} from "../../visitors/records.ts";

/** Links to files are signed for the address that this visitor uses. */
export function visitorFrame(cursor: string, { type, payload }: SequencedEvent, links: FileLinks): string {
  return `id: ${cursor}\nevent: ${type}\ndata: ${JSON.stringify(withLinks(type, payload, links))}\n\n`;
}

function withLinks(type: string, payload: string, links: FileLinks): unknown {
  const record = JSON.parse(payload) as unknown;
  if (type === "message") return withVisitorLinks(links, record as VisitorMessage);
  return type === "conversation" ? withVisitorLinksOfLast(links, record as VisitorConversation) : record;
}
