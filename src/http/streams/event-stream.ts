import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { isWithin } from "../../auth/allowed-ips.ts";
import type { Principal } from "../../auth/principal.ts";
import { unavailable } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import type { Database } from "../../db/database.ts";
import type { EventType } from "../../events/catalogue.ts";
import { encodeCursor } from "../../events/event-cursor.ts";
import { headOf, type PlacedEvent, readEvents } from "../../events/event-reader.ts";
import type { EventTail } from "../../events/event-tail.ts";
import type { Sequencer } from "../../events/sequencer.ts";
import { credentialOf, type Reverifier } from "../pipeline/credentials.ts";
import { type Context, STREAMED } from "../pipeline/route.ts";

export interface EventStreams {
  /** Takes over the socket of the request and sends events until somebody ends it. */
  open(context: StreamContext, options: StreamOptions): Promise<typeof STREAMED>;
  /** Says goodbye to every reader and waits until they are gone. */
  close(): Promise<void>;
}

export type StreamContext = Pick<Context, "principal" | "request" | "reply">;

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
  verifier: Reverifier;
  /** How long a reader may take nothing at all. Shorter in tests. */
  stalledMsMax?: number;
}

const HEARTBEAT_MS = 15_000;
const TICK_MS = 500;
const STREAMS_MAX = 5_000;
/** What one reader's connection may hold in this process before further events queue up for it. */
const UNSENT_BYTES_MAX = 1_048_576;
/** The queue holds references to events that all streams of a workspace share; a reader behind by more is cut off. */
const QUEUE_BYTES_MAX = 4_194_304;
const STALLED_MS_MAX = 30_000;
/** How long a reader that is cut off has to take the last words, and how long when the server stops. */
const FAREWELL_MS_MAX = 15_000;
const GOODBYE_MS_MAX = 3_000;
const PAST_PAGE = 100;

interface Stream {
  raw: ServerResponse;
  workspaceId: number;
  credential: string;
  ip: string;
  types: ReadonlySet<EventType> | null;
  typesFor: StreamOptions["typesFor"];
  /** Up to here the reader has been served, or spared by its filter. */
  position: number;
  /** What the tail told and the reader could not be sent yet: its past comes first, or it is slow. */
  queue: PlacedEvent[];
  queueBytes: number;
  /** The past is still being read; the queue waits. What it had to drop meanwhile is found there. */
  readingPast: boolean;
  queueDropped: boolean;
  lastWriteAt: number;
  stalledSince: number | null;
  ended: boolean;
  stop: () => void;
}

/**
 * Server-sent events. A stream is first entered in the tail, which queues for it what happens from then on, and only
 * then reads the past: whatever is in both is sent once, by its position, and nothing falls in between.
 */
export function createEventStreams(options: EventStreamsOptions): EventStreams {
  const { db, logger, sequencer, tail, verifier, stalledMsMax = STALLED_MS_MAX } = options;
  const streams = new Set<Stream>();
  let closed = false;
  let checking = false;
  const ticker = setInterval(tick, TICK_MS).unref();

  async function open(
    { principal, request, reply }: StreamContext,
    { after, typesFor }: StreamOptions,
  ): Promise<typeof STREAMED> {
    const { raw } = reply;
    if (closed || streams.size >= STREAMS_MAX)
      throw unavailable("This server can hold no more streams. Try again soon.");
    const stream: Stream = {
      raw,
      workspaceId: principal.workspaceId,
      credential: credentialOf(request),
      ip: request.ip,
      types: toSet(typesFor(principal)),
      typesFor,
      position: after ?? 0,
      queue: [],
      queueBytes: 0,
      readingPast: true,
      queueDropped: false,
      lastWriteAt: performance.now(),
      stalledSince: null,
      ended: false,
      stop: () => {},
    };
    streams.add(stream);
    raw.once("close", () => leave(stream));
    // A reader that goes away while it is written to; `close` follows and is enough.
    raw.on("error", () => {});
    try {
      stream.stop = await tail.watch(stream.workspaceId, (event) => hear(stream, event));
      await sequencer.catchUp();
      if (after === null) stream.position = await headOf(db, stream.workspaceId);
      if (stream.ended || raw.destroyed) throw unavailable("The server is stopping. Try again soon.");
    } catch (error) {
      leave(stream);
      throw error;
    }
    reply.hijack();
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      "content-type": "text/event-stream; charset=utf-8",
      // Proxies such as nginx would otherwise collect events before they pass them on.
      "x-accel-buffering": "no",
      // An answer without an end ends with its connection; one kept alive would outlast the drain of the server.
      connection: "close",
    });
    if (request.method === "HEAD") {
      raw.end();
      return STREAMED;
    }
    raw.on("drain", () => pump(stream));
    // A reader that loses its connection before its first event knows by this id where to resume.
    write(stream, `: listening\n${idLine(stream)}\n`);
    readPast(stream, after !== null).catch((error: unknown) => {
      logger.warn({ err: (error as Error).message }, "a stream of events cannot be read");
      end(stream, errorFrame("SERVICE_UNAVAILABLE", "The database is not available. Reconnect soon."));
    });
    return STREAMED;
  }

  /** The past may be long: it is read as fast as the reader takes it. */
  async function readPast(stream: Stream, isAskedFor: boolean): Promise<void> {
    let more = isAskedFor || stream.queueDropped;
    while (more && !stream.ended) {
      stream.queueDropped = false;
      const page = await readEvents(db, stream.workspaceId, {
        after: stream.position,
        limit: PAST_PAGE,
        types: stream.types && [...stream.types],
      });
      for (const event of page.events) {
        if (stream.raw.writableLength > UNSENT_BYTES_MAX) await drained(stream);
        send(stream, event);
      }
      stream.position = Math.max(stream.position, page.next);
      more = page.hasMore || stream.queueDropped;
    }
    stream.readingPast = false;
    pump(stream);
  }

  function hear(stream: Stream, event: PlacedEvent): void {
    if (stream.ended) return;
    stream.queue.push(event);
    stream.queueBytes += event.payload.length;
    pump(stream);
    if (stream.queueBytes <= QUEUE_BYTES_MAX) return;
    if (stream.readingPast) {
      // Not lost: it is in the database, and the reading of the past is told to look once more.
      stream.queue = [];
      stream.queueBytes = 0;
      stream.queueDropped = true;
    } else cutOff(stream);
  }

  function pump(stream: Stream): void {
    if (stream.readingPast) return;
    let taken = 0;
    for (const event of stream.queue) {
      if (stream.ended || stream.raw.writableLength > UNSENT_BYTES_MAX) break;
      taken++;
      stream.queueBytes -= event.payload.length;
      if (event.position > stream.position) send(stream, event);
    }
    if (taken > 0) stream.queue.splice(0, taken);
  }

  function send(stream: Stream, event: PlacedEvent): void {
    stream.position = event.position;
    if (!stream.types || stream.types.has(event.type)) write(stream, frameOf(stream.workspaceId, event));
  }

  function write(stream: Stream, chunk: string | Buffer): void {
    if (stream.ended || stream.raw.destroyed) return;
    stream.lastWriteAt = performance.now();
    stream.raw.write(chunk);
  }

  function tick(): void {
    const now = performance.now();
    for (const stream of streams) {
      if (!stream.raw.writableNeedDrain) stream.stalledSince = null;
      else stream.stalledSince ??= now;
      if (stream.stalledSince !== null && now - stream.stalledSince > stalledMsMax) cutOff(stream);
      else if (stream.raw.headersSent && now - stream.lastWriteAt >= HEARTBEAT_MS)
        write(stream, `: heartbeat\n${idLine(stream)}\n`);
    }
    if (!checking) void checkKeys();
  }

  /** A stream lives no longer than its key's right to it. Asked once for each key, however many streams it has. */
  async function checkKeys(): Promise<void> {
    checking = true;
    try {
      for (const [credential, group] of groupByCredential(streams)) {
        const principal = await verifier.verify(credential);
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
    if (stream.ended) return;
    logger.info({ workspace_id: stream.workspaceId, ip: stream.ip }, "cut off a reader of events that was too slow");
    end(stream, errorFrame("SLOW_READER", "This reader is too slow. Reconnect with the Last-Event-ID you have."));
  }

  function end(stream: Stream, lastWords: string, msMax = FAREWELL_MS_MAX): void {
    if (stream.ended) return;
    stream.ended = true;
    stream.stop();
    stream.queue = [];
    // Not yet taken over: `open` finds it ended and answers in the ordinary way.
    if (!stream.raw.headersSent) return;
    stream.raw.end(lastWords);
    setTimeout(() => stream.raw.destroy(), msMax).unref();
  }

  function leave(stream: Stream): void {
    stream.ended = true;
    stream.stop();
    stream.queue = [];
    streams.delete(stream);
  }

  return {
    open,
    async close() {
      closed = true;
      clearInterval(ticker);
      const goodbye = ": the server is stopping; reconnect with the Last-Event-ID you have\n\n";
      const gone = [...streams].map(async (stream) => {
        end(stream, goodbye, GOODBYE_MS_MAX);
        if (stream.raw.headersSent && !stream.raw.closed) await once(stream.raw, "close");
      });
      await Promise.all(gone);
    },
  };
}

/** The ticker ends a stream that takes nothing at all, so this comes to an end. */
async function drained({ raw }: Stream): Promise<void> {
  if (raw.destroyed || !raw.writableNeedDrain) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      raw.off("drain", done).off("close", done);
      resolve();
    };
    raw.on("drain", done).on("close", done);
  });
}

const toSet = (types: readonly EventType[] | null): ReadonlySet<EventType> | null => (types ? new Set(types) : null);

const mayListen = (principal: Principal, ip: string): boolean =>
  principal.scopes.has("events:read") &&
  (principal.kind === "user" || !principal.allowedIps || isWithin(ip, principal.allowedIps));

function groupByCredential(streams: Iterable<Stream>): Map<string, Stream[]> {
  const groups = new Map<string, Stream[]>();
  for (const stream of streams) {
    if (stream.ended) continue;
    const group = groups.get(stream.credential);
    if (group) group.push(stream);
    else groups.set(stream.credential, [stream]);
  }
  return groups;
}

/** Without data it is no event: a browser's EventSource only remembers it as the last event id. */
const idLine = ({ workspaceId, position }: Stream): string => `id: ${encodeCursor(workspaceId, position)}\n`;

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
