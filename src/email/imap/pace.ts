import type { Transform } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { ImapFlow } from "imapflow";
import { createFairQueue } from "../../core/fair-queue.ts";

/** The numbers of `LISTED_AT_ONCE` mails. A response is parsed at once, and everything else waits: 30 ms at most. */
export const LINE_BYTES_MAX = 24_576;
/** What is parsed before other work of this process has its turn: some milliseconds. */
const PIECE_BYTES = 4_096;
/** For each millisecond of parsing, this many are left to everything else. */
const MS_FOR_OTHERS = 3;
/** Shorter pauses are added up: a timer takes a millisecond at least. */
const PAUSE_MS_MIN = 4;
/** A turn also takes long where the machine stood still, and a pause of three times as long would help nobody. */
const PAUSE_MS_MAX = 100;
/** What a server may send in response to one command, besides the mail that was asked for. */
export const TEXT_BYTES_MAX = 524_288;
/** A piece that is not parsed by then waits for something else, and holds up nobody. */
const TURN_MS_MAX = 250;

/** Over all connections of this process, which have one event loop. */
const turns = createFairQueue({ concurrency: 1, perKey: 1 });
let owedMs = 0;

/** Bytes of the mails that a client has asked for: of two at most, a new one and an older or larger one. */
const mailBytes = new WeakMap<ImapFlow, number>();

/** Allows a mail of this size in the response. */
export async function readingMail<T>(client: ImapFlow, bytes: number, read: () => Promise<T>): Promise<T> {
  const add = (count: number) => mailBytes.set(client, (mailBytes.get(client) ?? 0) + count);
  add(bytes);
  try {
    return await read();
  } finally {
    add(-bytes);
  }
}

/** Disconnects a server that sends more than it was asked for. */
export function refuseMore(client: ImapFlow, message: string): void {
  const { streamer } = client as unknown as Internals;
  streamer.destroy(Object.assign(new Error(message), { code: "ResponseTooLarge" }));
}

interface Response {
  payload: Buffer;
  trailingAfterLine: boolean;
}

/** What imapflow has and does not declare: all that a server sends passes through its parser. */
interface Internals {
  streamer: Transform & { literalWaiting: number };
  exec: (...args: unknown[]) => unknown;
}

/**
 * A server may send what it likes, as fast as it likes, and its text takes a hundred times as long to parse as the bytes of a
 * mail. So text is parsed a piece at a time, workspaces take turns, and most of the time is left to others; a server that
 * responds to a command with more than it was asked for is disconnected.
 */
export function paceInput(client: ImapFlow, workspaceId: number): void {
  const internals = client as unknown as Internals;
  const { streamer } = internals;
  const left = { text: TEXT_BYTES_MAX, mail: 0 };
  const exec = internals.exec.bind(client);
  // At the latest command: one that is queued behind another only adds to what both may respond with.
  internals.exec = (...args) => {
    left.text = TEXT_BYTES_MAX;
    left.mail = mailBytes.get(client) ?? 0;
    return exec(...args);
  };
  const refuse = () => refuseMore(client, "Too much text.");

  const transform = streamer._transform.bind(streamer);
  const parse = (piece: Buffer) => new Promise<void>((resolve) => transform(piece, "utf8", () => resolve()));
  streamer._transform = (chunk: Buffer, _encoding, next) => void parseAll(chunk).then(() => next());

  let isLastPiece = true;
  const push = streamer.push.bind(streamer);
  streamer.push = (response: Response | null) => {
    // Of lines with literals between them, each of which is short enough.
    if (response && response.payload.length > LINE_BYTES_MAX) refuse();
    // Before TLS begins, imapflow refuses a server that has said more already.
    if (response && !isLastPiece) response.trailingAfterLine = true;
    return push(response);
  };

  async function parseAll(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length && !streamer.destroyed; ) {
      const ofMail = Math.min(streamer.literalWaiting, left.mail);
      const piece = chunk.subarray(at, at + (ofMail || PIECE_BYTES));
      at += piece.length;
      isLastPiece = at === chunk.length;
      left[ofMail > 0 ? "mail" : "text"] -= piece.length;
      if (left.text < 0) refuse();
      else if (ofMail > 0) await parse(piece);
      else await inTurn(workspaceId, () => parse(piece));
    }
  }
}

async function inTurn(workspaceId: number, parse: () => Promise<void>): Promise<void> {
  const leave = await turns.enter(workspaceId);
  const begunAt = performance.now();
  const parsed = parse();
  await Promise.race([parsed, sleep(TURN_MS_MAX, undefined, { ref: false })]);
  owedMs += (performance.now() - begunAt) * MS_FOR_OTHERS;
  if (owedMs >= PAUSE_MS_MIN) {
    const pauseMs = Math.min(owedMs, PAUSE_MS_MAX);
    owedMs = 0;
    await sleep(pauseMs);
  }
  leave();
  await parsed;
}
