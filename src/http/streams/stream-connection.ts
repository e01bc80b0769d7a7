import type { ServerResponse } from "node:http";
import type { EventType } from "../../events/catalogue.ts";
import { encodeCursor } from "../../events/event-cursor.ts";
import type { SequencedEvent } from "../../events/event-reader.ts";

/**
 * What one reader's connection may hold in this process before further events wait in its queue. A reader that has read
 * all of it is not stalled: little enough that a slow one does so within the time that it has.
 */
const UNSENT_BYTES_MAX = 131_072;
/** The queue holds references to events that all streams of a workspace share. */
const QUEUE_BYTES_MAX = 4_194_304;
/** How long a reader has to read what was written last, after its stream was ended. */
const CLOSE_MS_MAX = 15_000;

/** Reads a page of past events after a position. */
type ReadPage = (
  after: number,
  types: ReadonlySet<EventType> | null,
) => Promise<{ events: SequencedEvent[]; next: number; hasMore: boolean }>;

interface ConnectionOptions {
  raw: ServerResponse;
  workspaceId: number;
  /** The types that the reader asked for and may see; null: all. */
  types: ReadonlySet<EventType> | null;
  /** The reader is so far behind that it has to reconnect. */
  onTooSlow: () => void;
  /** How a position is shown to the reader. */
  cursorOf?: (position: number) => string;
  /** How an event is shown to the reader. */
  frameOf?: (event: SequencedEvent) => string | Buffer;
}

/**
 * One reader: sends events in the order of their positions, each once, no faster than the reader reads. Events that
 * happen while the past is being read wait in a queue; those in both are recognised by their position.
 */
export class StreamConnection {
  readonly raw: ServerResponse;
  types: ReadonlySet<EventType> | null;
  /** Up to here everything was sent, or left out by the filter. */
  position = 0;
  ended = false;
  private readonly onTooSlow: () => void;
  private readonly cursorOf: (position: number) => string;
  private readonly frameOf: (event: SequencedEvent) => string | Buffer;
  private queue: SequencedEvent[] = [];
  private queueBytes = 0;
  private readingPast = true;
  /** Events were dropped from a full queue while the past was being read; they are found there. */
  private queueDropped = false;
  private lastWriteAt = performance.now();
  private stalledSince: number | null = null;

  constructor({ raw, workspaceId, types, onTooSlow, ...show }: ConnectionOptions) {
    this.raw = raw;
    this.cursorOf = show.cursorOf ?? ((position) => encodeCursor(workspaceId, position));
    this.frameOf = show.frameOf ?? ((event) => frameOf(workspaceId, event));
    this.types = types;
    this.onTooSlow = onTooSlow;
    raw.on("drain", () => {
      this.stalledSince = null;
      this.sendQueued();
    });
    // A reader that disconnects while it is written to; `close` follows and is enough.
    raw.on("error", () => {});
  }

  /** An event that happened after the stream was opened. */
  add(event: SequencedEvent): void {
    if (this.ended) return;
    this.queue.push(event);
    this.queueBytes += event.payload.length;
    this.sendQueued();
    if (this.queueBytes <= QUEUE_BYTES_MAX) return;
    if (this.readingPast) {
      this.queue = [];
      this.queueBytes = 0;
      this.queueDropped = true;
    } else this.onTooSlow();
  }

  /** Sends what happened before, as fast as the reader reads it, and then what has been queued. */
  async sendPast(read: ReadPage, past: "send" | "skip"): Promise<void> {
    let more = past === "send" || this.queueDropped;
    while (more && !this.ended) {
      this.queueDropped = false;
      const page = await read(this.position, this.types);
      for (const event of page.events) {
        if (this.raw.writableLength > UNSENT_BYTES_MAX) await this.drained();
        this.send(event);
      }
      this.position = Math.max(this.position, page.next);
      more = page.hasMore || this.queueDropped;
    }
    this.readingPast = false;
    this.sendQueued();
  }

  /** A comment keeps the connection alive; its id is where to resume. Without data it is not an event. */
  comment(text: string): void {
    this.write(`: ${text}\nid: ${this.cursorOf(this.position)}\n\n`);
  }

  silentMs(now: number): number {
    return this.raw.headersSent ? now - this.lastWriteAt : 0;
  }

  /** For what is of no use later: it never waits in a queue. */
  sendUnlessBehind(frame: string): void {
    if (this.raw.headersSent && !this.readingPast && this.queue.length === 0) this.write(frame);
  }

  /** For how long the reader has read nothing of what was sent. */
  stalledMs(now: number): number {
    if (!this.raw.writableNeedDrain) this.stalledSince = null;
    else this.stalledSince ??= now;
    return this.stalledSince === null ? 0 : now - this.stalledSince;
  }

  /** Writes a last frame and closes the connection, whether the reader reads it or not. */
  end(lastFrame: string, msMax = CLOSE_MS_MAX): void {
    this.stop();
    // Headers not yet sent: the caller that opens it finds it ended and sends an ordinary response.
    if (!this.raw.headersSent) return;
    this.raw.end(lastFrame);
    setTimeout(() => this.raw.destroy(), msMax).unref();
  }

  stop(): void {
    this.ended = true;
    this.queue = [];
  }

  private sendQueued(): void {
    if (this.readingPast) return;
    let sent = 0;
    for (const event of this.queue) {
      if (this.ended || this.raw.writableLength > UNSENT_BYTES_MAX) break;
      sent++;
      this.queueBytes -= event.payload.length;
      if (event.position > this.position) this.send(event);
    }
    if (sent > 0) this.queue.splice(0, sent);
  }

  private send(event: SequencedEvent): void {
    this.position = event.position;
    if (!this.types || this.types.has(event.type)) this.write(this.frameOf(event));
  }

  write(chunk: string | Buffer): void {
    if (this.ended || this.raw.destroyed) return;
    this.lastWriteAt = performance.now();
    this.raw.write(chunk);
  }

  /** A stalled stream is ended from outside, so this resolves in any case. */
  private async drained(): Promise<void> {
    const { raw } = this;
    if (raw.destroyed || !raw.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        raw.off("drain", done).off("close", done);
        resolve();
      };
      raw.on("drain", done).on("close", done);
    });
  }
}

const frames = new WeakMap<SequencedEvent, Buffer>();

/** Built once per event, however many streams it goes to; they share its bytes. */
function frameOf(workspaceId: number, event: SequencedEvent): Buffer {
  let frame = frames.get(event);
  if (!frame) {
    const id = encodeCursor(workspaceId, event.position);
    frame = Buffer.from(`id: ${id}\nevent: ${event.type}\ndata: ${event.payload}\n\n`);
    frames.set(event, frame);
  }
  return frame;
}

/** Without an id: the reader's Last-Event-ID stays that of the last event it got. */
export const errorFrame = (code: string, message: string): string =>
  `event: error\ndata: ${JSON.stringify({ code, message })}\n\n`;

/** Without an id, like an error: nothing can be resumed after it. */
export const ownChangeFrame = (conversationId: number, origin: string): string =>
  `event: own\ndata: ${JSON.stringify({ conversation_id: conversationId, origin })}\n\n`;

export const presenceFrame = (conversationIds: readonly number[]): string =>
  `event: presence\ndata: ${JSON.stringify({ conversation_ids: conversationIds })}\n\n`;
