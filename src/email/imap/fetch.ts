import type { ImapFlow } from "imapflow";
import { SMALL_BYTES_MAX } from "../parse/parser.ts";
import { readingMail } from "./pace.ts";
import type { Precedence } from "./precedence.ts";
import type { Turn } from "./turns.ts";

export interface Fetched {
  raw: Buffer;
  /** False: there is more of it on the server. */
  isWhole: boolean;
}

/** The connection that a mail is read over. */
export interface Source {
  client: ImapFlow;
  /** The server ignores which part of a mail it is asked for. */
  sendsWhole: boolean;
  newMail: Precedence;
}

/** A small mail as a whole, of a large one the beginning. Null: it has disappeared since it was listed. */
export function fetchStart({ client, sendsWhole }: Source, uid: number, turn: Turn): Promise<Fetched | null> {
  const read = () =>
    sendsWhole
      ? fetchUndivided(client, uid, SMALL_BYTES_MAX)
      : fetchPiece(client, uid, { start: 0, maxLength: SMALL_BYTES_MAX });
  return turn.fetch(read);
}

/** In pieces: between two of them, the connection serves those who read small mails. */
export async function fetchWhole(
  { client, sendsWhole, newMail }: Source,
  uid: number,
  turn: Turn,
  bytesMax: number,
): Promise<Fetched | null> {
  if (sendsWhole) return turn.fetch(() => fetchUndivided(client, uid, bytesMax));
  const pieces: Buffer[] = [];
  let isWhole = false;
  for (let start = 0; !isWhole && start < bytesMax; ) {
    const maxLength = Math.min(SMALL_BYTES_MAX, bytesMax - start);
    await newMail.passed();
    const piece = await turn.fetch(() => fetchPiece(client, uid, { start, maxLength }));
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

/** Of a mail that is larger, its headers. */
async function fetchUndivided(client: ImapFlow, uid: number, bytesMax: number): Promise<Fetched | null> {
  const listed = await client.fetchOne(String(uid), { uid: true, size: true }, { uid: true });
  if (!listed) return null;
  const isWhole = (listed.size ?? 0) <= bytesMax;
  const wanted = isWhole ? { source: true } : { headers: true };
  const mail = await readingMail(client, isWhole ? bytesMax : SMALL_BYTES_MAX, () =>
    client.fetchOne(String(uid), { uid: true, ...wanted }, { uid: true }),
  );
  const raw = mail && (isWhole ? mail.source : mail.headers);
  return raw ? { raw, isWhole } : null;
}
