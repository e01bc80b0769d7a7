import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { isWithin } from "../auth/allowed-ips.ts";
import type { Principal, Verifier } from "../auth/verifier.ts";
import { unavailable } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import type { Database } from "../db/database.ts";
import type { EventType } from "../events/catalogue.ts";
import { encodeCursor } from "../events/event-cursor.ts";
import { headOf, type PlacedEvent, readEvents } from "../events/event-reader.ts";
import type { EventTail } from "../events/event-tail.ts";
import type { Sequencer } from "../events/sequencer.ts";
import { bearerOf } from "./access.ts";
import { type Context, STREAMED } from "./route.ts";

export interface EventStreams {
  /** Takes over the socket of the request and sends events until somebody ends it. */
  open(context: Context, options: StreamOptions): Promise<typeof STREAMED>;
  /** Says goodbye to every reader and waits until they are gone. */
  close(): Promise<void>;
}

export interface StreamOptions {
  /** The place after which to begin; null: now. */
  after: number | null;
  /** What the reader asked for, of what its key may see. */
  typesFor: (principal: Principal) => readonly EventType[] | null;
}

export interface EventStreamsOptions {
  db: Database;
  logger: Logger;
  sequencer: Sequencer;
  tail: EventTail;
  verifier: Pick<Verifier, "verify">;
}

const HEARTBEAT_MS = 15_000;
const TICK_MS = 500;
const STREAMS_MAX = 5_000;
/** What may wait for one reader in this process, beyond what its connection holds by itself. */
const WAITING_BYTES_MAX = 1_048_576;
const WAITING_MS_MAX = 30_000;
/** How long a reader that is cut off, or told goodbye, has to take the last words. */
const FAREWELL_MS_MAX = 5_000;
const CATCH_UP_PAGE = 100;
const HELD_MAX = 1_000;

interface Stream {
  raw: ServerResponse;
  workspaceId: number;
  secret: string;
  ip: string;
  types: ReadonlySet<EventType> | null;
  typesFor: StreamOptions["typesFor"];
  /** Up to here the reader has been served, or spared by its filter. */
  position: number;
  /** What the tail told while the past was still being read; null once that is done. */
  held: PlacedEvent[] | null;
  heldOverflowed: boolean;
  lastWriteAt: number;
  waitingSince: number | null;
  ended: boolean;
  stop: () => void;
}

/**
 * Server-sent events. A stream is first entered in the tail, which holds back for it what happens from then on, and only
 * then reads the past: whatever is in both is sent once, by its position, and nothing falls in between.
 */
export function createEventStreams({ db, logger, sequencer, tail, verifier }: EventStreamsOptions): EventStreams {
  const streams = new Set<Stream>();
  let closed = false;
  let checking = false;
  const ticker = setInterval(tick, TICK_MS).unref();

  async function open(context: Context, { after, typesFor }: StreamOptions): Promise<typeof STREAMED> {
    const { principal, request, reply } = context;
    const { raw } = reply;
    if (closed || streams.size >= STREAMS_MAX) throw unavailable("This server can hold no more streams. Try again soon.");
    const stream: Stream = {
      raw,
      workspaceId: principal.workspaceId,
      secret: bearerOf(request.headers.authorization) ?? "",
      ip: request.ip,
      types: toSet(typesFor(principal)),
      typesFor,
      position: after ?? 0,
      held: [],
      heldOverflowed: false,
      lastWriteAt: performance.now(),
      waitingSince: null,
      ended: false,
      stop: () => {},
    };
    streams.add(stream);
    raw.once("close", () => leave(stream));
    try {
      stream.stop = await tail.watch(stream.workspaceId, (event) => hear(stream, event));
      if (raw.destroyed) leave(stream);
      await sequencer.catchUp();
      if (after === null) stream.position = await headOf(db, stream.workspaceId);
    } catch (error) {
      leave(stream);
      throw error;
    }
    reply.hijack();
    // An answer without an end ends with its connection; a keep-alive one would outlive the drain.
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      "content-type": "text/event-stream; charset=utf-8",
      "x-accel-buffering": "no",
      connection: "close",
    });
    if (request.method === "HEAD") {
      raw.end();
      return STREAMED;
    }
    write(stream, ": listening\n\n");
    readPast(stream, after !== null).catch((error: unknown) => {
      logger.warn({ err: (error as Error).message }, "a stream of events cannot be read");
      end(stream, errorFrame("SERVICE_UNAVAILABLE", "The database is not available. Reconnect soon."));
    });
    return STREAMED;
  }

  async function readPast(stream: Stream, fromCursor: boolean): Promise<void> {
    let more = fromCursor;
    while (more && !stream.ended) {
      stream.heldOverflowed = false;
      const page = await readEvents(db, stream.workspaceId, {
        after: stream.position,
        limit: CATCH_UP_PAGE,
        types: stream.types && [...stream.types],
      });
      for (const event of page.events) send(stream, event);
      stream.position = Math.max(stream.position, page.next);
      // What was lost from the hold is in the database by now: one more look finds it.
      more = page.hasMore || stream.heldOverflowed;
      await roomFor(stream);
    }
    const held = stream.held ?? [];
    stream.held = null;
    for (const event of held) hear(stream, event);
  }

  /** The past may be long: it is read as fast as the reader takes it. The ticker cuts off one that takes nothing. */
  async function roomFor(stream: Stream): Promise<void> {
    while (!stream.ended && stream.raw.writableNeedDrain) {
      const drained = new AbortController();
      const wake = () => drained.abort();
      stream.raw.once("drain", wake).once("close", wake);
      await sleep(TICK_MS, undefined, { signal: drained.signal }).catch(() => {});
      stream.raw.off("drain", wake).off("close", wake);
    }
  }

  function hear(stream: Stream, event: PlacedEvent): void {
    if (stream.ended || event.position <= stream.position) return;
    if (!stream.held) {
      stream.position = event.position;
      send(stream, event);
    } else if (stream.held.length < HELD_MAX && !stream.heldOverflowed) {
      stream.held.push(event);
    } else {
      stream.held.length = 0;
      stream.heldOverflowed = true;
    }
  }

  function send(stream: Stream, event: PlacedEvent): void {
    if (stream.types && !stream.types.has(event.type)) return;
    write(stream, frameOf(stream.workspaceId, event));
    if (stream.raw.writableLength > WAITING_BYTES_MAX && !stream.held) cutOff(stream);
  }

  function write(stream: Stream, chunk: string | Buffer): void {
    if (stream.ended) return;
    stream.lastWriteAt = performance.now();
    stream.raw.write(chunk);
  }

  function tick(): void {
    const now = performance.now();
    for (const stream of streams) {
      if (!stream.raw.writableNeedDrain) stream.waitingSince = null;
      else stream.waitingSince ??= now;
      if (stream.waitingSince !== null && now - stream.waitingSince > WAITING_MS_MAX) cutOff(stream);
      else if (now - stream.lastWriteAt >= HEARTBEAT_MS) write(stream, ": heartbeat\n\n");
    }
    if (!checking) void checkKeys();
  }

  /** A stream lives no longer than its key's right to it. Asked once for each key, however many streams it has. */
  async function checkKeys(): Promise<void> {
    checking = true;
    try {
      for (const [secret, group] of groupBySecret(streams)) {
        const principal = await verifier.verify(secret);
        for (const stream of group) {
          if (!principal) end(stream, errorFrame("UNAUTHORIZED", "The API key is no longer valid."));
          else if (!mayListen(principal, stream.ip))
            end(stream, errorFrame("FORBIDDEN", "The API key may no longer read events from here."));
          else stream.types = toSet(stream.typesFor(principal));
        }
      }
    } catch (error) {
      logger.debug({ err: (error as Error).message }, "cannot look up the keys of streams; trying again");
    } finally {
      checking = false;
    }
  }

  function cutOff(stream: Stream): void {
    const message = "This reader is too slow. Reconnect with the Last-Event-ID you have.";
    end(stream, errorFrame("SLOW_READER", message));
  }

  function end(stream: Stream, lastWords: string): void {
    if (stream.ended) return;
    stream.ended = true;
    stream.stop();
    stream.held = null;
    stream.raw.end(lastWords);
    setTimeout(() => stream.raw.destroy(), FAREWELL_MS_MAX).unref();
  }

  function leave(stream: Stream): void {
    stream.ended = true;
    stream.stop();
    streams.delete(stream);
  }

  return {
    open,
    async close() {
      closed = true;
      clearInterval(ticker);
      const goodbye = ": the server is stopping; reconnect with the Last-Event-ID you have\n\n";
      const gone = [...streams].map((stream) => {
        const left = new Promise<void>((resolve) => stream.raw.once("close", resolve));
        end(stream, goodbye);
        return left;
      });
      await Promise.all(gone);
    },
  };
}

const toSet = (types: readonly EventType[] | null): ReadonlySet<EventType> | null => (types ? new Set(types) : null);

const mayListen = ({ scopes, allowedIps }: Principal, ip: string): boolean =>
  scopes.has("events:read") && (!allowedIps || isWithin(ip, allowedIps));

function groupBySecret(streams: Iterable<Stream>): Map<string, Stream[]> {
  const groups = new Map<string, Stream[]>();
  for (const stream of streams) {
    if (stream.ended) continue;
    const group = groups.get(stream.secret);
    if (group) group.push(stream);
    else groups.set(stream.secret, [stream]);
  }
  return groups;
}

const frames = new WeakMap<PlacedEvent, Buffer>();

/** Made once for an event, however many streams it goes to; they share its bytes. */
function frameOf(workspaceId: number, event: PlacedEvent): Buffer {
  let frame = frames.get(event);
  if (!frame) {
    const id = encodeCursor(workspaceId, event.position);
    frame = Buffer.from(`id: ${id}\nevent: ${event.type}\ndata: ${event.payload}\n\n`);
    frames.set(event, frame);
  }
  return frame;
}

/** Without an id: the reader's Last-Event-ID stays that of the last event it got. */
const errorFrame = (code: string, message: string): string =>
  `event: error\ndata: ${JSON.stringify({ code, message })}\n\n`;
