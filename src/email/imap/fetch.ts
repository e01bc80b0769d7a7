import type { ImapFlow } from "imapflow";
import { SMALL_BYTES_MAX } from "../parse/parser.ts";
import { readingMail } from "./pace.ts";

export interface Fetched {
  raw: Buffer;
  /** False: there is more of it on the server. */
  isWhole: boolean;
}

/** A small mail as a whole, of a large one the beginning. Null: it has disappeared since it was listed. */
export const fetchStart = (client: ImapFlow, uid: number): Promise<Fetched | null> =>
  fetchPiece(client, uid, { start: 0, maxLength: SMALL_BYTES_MAX });

/** In pieces: between two of them, the connection serves those who read small mails. */
export async function fetchWhole(client: ImapFlow, uid: number, bytesMax: number): Promise<Fetched | null> {
  const pieces: Buffer[] = [];
  let isWhole = false;
  for (let start = 0; !isWhole && start < bytesMax; ) {
    const maxLength = Math.min(SMALL_BYTES_MAX, bytesMax - start);
    const piece = await fetchPiece(client, uid, { start, maxLength });
    if (!piece) return null;
    pieces.push(piece.raw);
    start += piece.raw.length;
    isWhole = piece.isWhole;
  }
  return { raw: Buffer.concat(pieces), isWhole };
}

interface Range {
  start: number;
  maxLength: number;
}

async function fetchPiece(client: ImapFlow, uid: number, source: Range): Promise<Fetched | null> {
  const mail = await readingMail(client, source.maxLength, () =>
    client.fetchOne(String(uid), { uid: true, size: true, source }, { uid: true }),
  );
  if (!mail || (!mail.source && source.start === 0)) return null;
  const { source: raw = Buffer.alloc(0), size } = mail;
  // The size alone decides nothing: some servers estimate it.
  return { raw, isWhole: raw.length < source.maxLength || source.start + raw.length === size };
}
