import { once } from "node:events";
import { Fault, invalid, unavailable } from "../../core/errors.ts";
import { createFairQueue } from "../../core/fair-queue.ts";
import type { Logger } from "../../core/logger.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import type { Database } from "../../db/database.ts";
import { headOf } from "../../events/event-reader.ts";
import type { EventTail } from "../../events/event-tail.ts";
import type { Sequencer } from "../../events/sequencer.ts";
import { ownConversationIds } from "../../visitors/conversations.ts";
import { checkSessions } from "../../visitors/session-check.ts";
import type { Read } from "../../visitors/signals.ts";
import { readVisitorEvents, toVisitorEvent } from "../../visitors/stream-reader.ts";
import type { Visitor } from "../../visitors/visitor.ts";
import { type Context, STREAMED } from "../pipeline/route.ts";
import { StreamConnection } from "./stream-connection.ts";
import { STREAM_HEADERS } from "./stream-headers.ts";
import { createVisitorCursors } from "./visitor-cursor.ts";
import { visitorFrame } from "./visitor-frame.ts";
import { createVisitorHubs, type VisitorStream } from "./visitor-hubs.ts";

export interface VisitorStreams {
  /** Takes over the socket of the request and sends what concerns this visitor until one side ends it. */
  open(context: OpenContext, visitor: Visitor): Promise<typeof STREAMED>;
  sendTyping(typing: { workspaceId: number; conversationId: number; name: string }): void;
  sendReadByAgent(read: Read): void;
  /** Looks at the sessions of a workspace again, or at one of them. */
  recheck(workspaceId: number, sessionId?: number): void;
  count(): number;
  close(): Promise<void>;
}

type OpenContext = Pick<Context, "request" | "reply" | "links">;

interface VisitorStreamsOptions {
  db: Database;
  logger: Logger;
  secretBox: SecretBox;
  sequencer: Sequencer;
  tail: EventTail;
  /** Of this node. They do not count as streams of the workspace. */
  streamsMax: number;
}

/** Of one workspace, at once: after a restart all of them come back in the same second. */
const OPENING_AT_ONCE = 2;
/** Tabs of one browser. */
const STREAMS_PER_SESSION = 10;
const CONVERSATIONS_MAX = 500;
const PAST_PAGE = 100;
const TICK_MS = 1_000;
const CHECK_EVERY_TICKS = 10;
const HEARTBEAT_MS = 15_000;
const STALLED_MS_MAX = 30_000;
const STOP_MS_MAX = 3_000;
const RETRY_AFTER_SECONDS = 10;
const ENDED_FRAME = "event: session_ended\ndata: {}\n\n";
const RECONNECT_FRAME = ": reconnect with the Last-Event-ID you have\n\n";

/** The streams of visitors: resumed by position, without a gap and without a repeat, on the tail that all streams share. */
export function createVisitorStreams(options: VisitorStreamsOptions): VisitorStreams {
  const streams = new OpenVisitorStreams(options);
  const ticker = setInterval(() => streams.tick(), TICK_MS).unref();
  return {
    open: (context, visitor) => streams.open(context, visitor),
    sendTyping: ({ workspaceId, conversationId, name }) =>
      streams.hubs.sendNow(workspaceId, conversationId, (uuid) => ["typing", { conversation: uuid, name }]),
    sendReadByAgent: ({ workspaceId, conversationId, seq }) =>
      streams.hubs.sendNow(workspaceId, conversationId, (uuid) => ["seen", { conversation: uuid, seq }]),
    recheck: (workspaceId, sessionId) =>
      streams.check(
        (stream) => stream.workspaceId === workspaceId && (sessionId === undefined || stream.sessionId === sessionId),
      ),
    count: () => streams.all.size,
    async close() {
      clearInterval(ticker);
      await streams.close();
    },
  };
}

class OpenVisitorStreams {
  readonly all = new Set<VisitorStream>();
  readonly hubs: ReturnType<typeof createVisitorHubs>;
  private readonly options: VisitorStreamsOptions;
  private readonly cursors: ReturnType<typeof createVisitorCursors>;
  private readonly opening: ReturnType<typeof createFairQueue>;
  private isClosed = false;
  private ticks = 0;

  constructor(options: VisitorStreamsOptions) {
    this.options = options;
    this.hubs = createVisitorHubs(options);
    this.cursors = createVisitorCursors(options.secretBox);
    this.opening = createFairQueue({
      perKey: OPENING_AT_ONCE,
      waitingPerKeyMax: options.streamsMax,
      onFull: () => unavailable("This server cannot hold more streams. Try again soon."),
    });
  }

  async open(context: OpenContext, visitor: Visitor): Promise<typeof STREAMED> {
    const { request, reply } = context;
    this.requireRoom(visitor.session?.id ?? 0);
    const after = this.afterOf(request.headers["last-event-id"], visitor.workspaceId);
    const { raw } = reply;
    const stream = this.streamOf(context, visitor);
    this.all.add(stream);
    raw.once("close", () => this.leave(stream));
    try {
      await this.opening.run(visitor.workspaceId, () => this.subscribe(stream, visitor, after));
    } catch (error) {
      this.leave(stream);
      throw error;
    }
    reply.hijack();
    raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...STREAM_HEADERS });
    if (request.method === "HEAD") raw.end();
    else this.send(stream, after === null ? "skip" : "send");
    return STREAMED;
  }

  tick(): void {
    const now = performance.now();
    for (const stream of this.all) {
      if (stream.connection.stalledMs(now) > STALLED_MS_MAX) this.end(stream, RECONNECT_FRAME);
      else if (stream.connection.silentMs(now) >= HEARTBEAT_MS) stream.connection.comment("heartbeat");
    }
    if (++this.ticks % CHECK_EVERY_TICKS === 0) this.check(() => true);
  }

  /** Ends the streams whose session has ended or belongs to another contact now. */
  check(concerns: (stream: VisitorStream) => boolean): void {
    const streams = [...this.all].filter(concerns);
    if (streams.length === 0) return;
    const { db, logger } = this.options;
    checkSessions(db, streams)
      .then((states) =>
        streams.forEach((stream, index) => {
          if (states[index] === "ended") this.end(stream, ENDED_FRAME);
          if (states[index] === "changed") this.end(stream, RECONNECT_FRAME);
        }),
      )
      .catch((error: unknown) =>
        logger.debug({ err: (error as Error).message }, "checking the sessions of visitors failed, retrying"),
      );
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const ending = [...this.all].map(async (stream) => {
      this.end(stream, RECONNECT_FRAME, STOP_MS_MAX);
      const { raw } = stream.connection;
      if (raw.headersSent && !raw.closed) await once(raw, "close");
    });
    await Promise.all(ending);
  }

  private streamOf({ reply, links }: OpenContext, { workspaceId, widget, session }: Visitor): VisitorStream {
    const cursorOf = (position: number) => this.cursors.encode(workspaceId, position);
    const connection = new StreamConnection({
      raw: reply.raw,
      workspaceId,
      types: null,
      onTooSlow: () => this.end(stream, RECONNECT_FRAME),
      cursorOf,
      frameOf: (event) => visitorFrame(cursorOf(event.position), event, links),
    });
    const stream: VisitorStream = {
      connection,
      workspaceId,
      widgetId: widget.id,
      sessionId: session?.id ?? 0,
      contactId: session?.contactId ?? null,
      conversations: new Map(),
      release: () => {},
    };
    return stream;
  }

  /** First to new events, then the position: whatever comes in between is in both, and is sent once. */
  private async subscribe(stream: VisitorStream, visitor: Visitor, after: number | null): Promise<void> {
    const { db, sequencer } = this.options;
    const { connection, workspaceId } = stream;
    stream.release = await this.hubs.join(stream);
    this.hubs.addConversations(stream, await ownConversationIds(db, visitor, CONVERSATIONS_MAX));
    await sequencer.catchUp();
    connection.position = after ?? (await headOf(db, workspaceId));
    if (connection.ended || connection.raw.destroyed) throw unavailable("The server is stopping. Try again soon.");
  }

  private requireRoom(sessionId: number): void {
    if (this.isClosed) throw unavailable("The server is stopping. Try again soon.");
    if (this.all.size >= this.options.streamsMax)
      throw unavailable("This server cannot hold more streams. Try again soon.");
    let ofSession = 0;
    for (const stream of this.all) if (stream.sessionId === sessionId) ofSession++;
    if (ofSession >= STREAMS_PER_SESSION)
      throw new Fault("RATE_LIMIT_EXCEEDED", "This chat is open in too many tabs.", {
        retryAfter: RETRY_AFTER_SECONDS,
      });
  }

  private afterOf(header: string | string[] | undefined, workspaceId: number): number | null {
    if (header === undefined || header === "") return null;
    const position = this.cursors.decode(workspaceId, String(header));
    if (position === null) throw invalid({ "Last-Event-ID": ["Last-Event-ID is not one of this stream."] });
    return position;
  }

  private send(stream: VisitorStream, past: "send" | "skip"): void {
    const { db, logger } = this.options;
    const { connection, workspaceId } = stream;
    const cursor = this.cursors.encode(workspaceId, connection.position);
    connection.write(`id: ${cursor}\nevent: hello\ndata: ${JSON.stringify({ position: cursor })}\n\n`);
    const read = async (after: number) => {
      const ids = [...stream.conversations.keys()];
      const page = await readVisitorEvents(db, workspaceId, ids, { after, limit: PAST_PAGE });
      const events = [];
      for (const event of page.events) events.push(await toVisitorEvent(db, workspaceId, event));
      return { ...page, events: events.filter((event) => event !== null) };
    };
    connection.sendPast(read, past).catch((error: unknown) => {
      logger.warn({ err: (error as Error).message }, "reading events for a visitor failed, ending the stream");
      this.end(stream, RECONNECT_FRAME);
    });
  }

  private leave(stream: VisitorStream): void {
    stream.release();
    stream.connection.stop();
    this.all.delete(stream);
  }

  private end(stream: VisitorStream, frame: string, msMax?: number): void {
    if (stream.connection.ended) return;
    stream.release();
    stream.connection.end(frame, msMax);
  }
}
