import { once } from "node:events";
import { isWithin } from "../../auth/allowed-ips.ts";
import type { Principal } from "../../auth/principal.ts";
import type { OwnChange, PresenceChange } from "../../conversations/presence.ts";
import { unavailable } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import type { Database } from "../../db/database.ts";
import type { EventType } from "../../events/catalogue.ts";
import { headOf, readEvents } from "../../events/event-reader.ts";
import type { EventTail } from "../../events/event-tail.ts";
import type { Sequencer } from "../../events/sequencer.ts";
import { credentialOf, type Reverifier } from "../pipeline/credentials.ts";
import { type Context, STREAMED } from "../pipeline/route.ts";
import { errorFrame, ownChangeFrame, presenceFrame, StreamConnection } from "./stream-connection.ts";
import { STREAM_HEADERS } from "./stream-headers.ts";
import { createStreamCounts, type StreamLimits } from "./stream-limits.ts";

export interface EventStreams {
  /** Takes over the socket of the request and sends events until one side ends it. */
  open(context: StreamContext, options: StreamOptions): Promise<typeof STREAMED>;
  /** Sends users of the workspace the conversations in which the presence of others has changed. Not stored. */
  sendPresence(workspaceId: number, changes: readonly PresenceChange[]): void;
  /** Sends the other pages of a user the conversation of which that user has read something, or changed the draft. */
  sendOwnChange(change: OwnChange): void;
  /** How many are open. */
  count(): number;
  /** Ends every stream with a comment that says so, and waits until they are closed. */
  close(): Promise<void>;
}

export type StreamContext = Pick<Context, "principal" | "request" | "reply">;

interface StreamOptions {
  /** The position after which to begin; null: now. */
  after: number | null;
  /** What the reader asked for, of what its credential may see. */
  typesFor: (principal: Principal) => readonly EventType[] | null;
}

interface EventStreamsOptions {
  db: Database;
  logger: Logger;
  sequencer: Sequencer;
  tail: EventTail;
  verifier: Reverifier;
  limits: StreamLimits;
  /** How long a reader may read nothing at all. Shorter in tests. */
  stalledMsMax?: number;
}

const HEARTBEAT_MS = 15_000;
const TICK_MS = 500;
const STALLED_MS_MAX = 30_000;
/** How long a reader has to close its side when the server stops. */
const STOP_MS_MAX = 3_000;
const STOP_NOTICE = ": the server is stopping; reconnect with the Last-Event-ID you have\n\n";
const PAST_PAGE = 100;
const CHECKS_AT_ONCE = 4;

interface Stream {
  connection: StreamConnection;
  workspaceId: number;
  /** Null: an API key, which has no presence. */
  userId: number | null;
  credential: string;
  ip: string;
  typesFor: StreamOptions["typesFor"];
  /** Ends the subscription to new events; the stream is no longer counted. */
  release: () => void;
}

/**
 * Server-sent events. A stream first subscribes to new events, which are queued for it, and only then reads the past:
 * whatever is in both is sent once, by its position, and nothing is missed in between.
 */
export function createEventStreams(options: EventStreamsOptions): EventStreams {
  const { db, logger, sequencer, tail, stalledMsMax = STALLED_MS_MAX } = options;
  const streams = createOpenStreams(logger);
  const counts = createStreamCounts(options.limits);
  const checker = createAccessChecker(options, streams);
  const ticker = setInterval(tick, TICK_MS).unref();
  let closed = false;

  async function open(
    { principal, request, reply }: StreamContext,
    { after, typesFor }: StreamOptions,
  ): Promise<typeof STREAMED> {
    if (closed) throw unavailable("The server is stopping. Try again soon.");
    const { raw } = reply;
    const { workspaceId } = principal;
    const endCount = counts.add(principal);
    const connection = new StreamConnection({
      raw,
      workspaceId,
      types: toSet(typesFor(principal)),
      onTooSlow: () => streams.endSlow(stream),
    });
    const credential = credentialOf(request, principal);
    const userId = principal.kind === "user" ? principal.userId : null;
    const { ip } = request;
    const stream: Stream = { connection, workspaceId, userId, credential, ip, typesFor, release: endCount };
    streams.all.add(stream);
    raw.once("close", () => streams.leave(stream));
    try {
      const unsubscribe = await tail.watch(workspaceId, (event) => connection.add(event));
      stream.release = () => {
        unsubscribe();
        endCount();
      };
      await sequencer.catchUp();
      connection.position = after ?? (await headOf(db, workspaceId));
      if (connection.ended || raw.destroyed) throw unavailable("The server is stopping. Try again soon.");
    } catch (error) {
      streams.leave(stream);
      throw error;
    }
    reply.hijack();
    raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...STREAM_HEADERS });
    if (request.method === "HEAD") raw.end();
    else startSending(options, stream, after === null ? "skip" : "send");
    return STREAMED;
  }

  function tick(): void {
    const now = performance.now();
    for (const stream of streams.all) {
      const { connection } = stream;
      if (connection.stalledMs(now) > stalledMsMax) streams.endSlow(stream);
      else if (connection.silentMs(now) >= HEARTBEAT_MS) connection.comment("heartbeat");
    }
    checker.check();
  }

  return {
    open,
    sendPresence: streams.sendPresence,
    sendOwnChange: streams.sendOwnChange,
    count: () => streams.all.size,
    async close() {
      closed = true;
      clearInterval(ticker);
      await streams.endAll();
    },
  };
}

function createOpenStreams(logger: Logger) {
  const all = new Set<Stream>();

  function end(stream: Stream, lastFrame: string, msMax?: number): void {
    if (stream.connection.ended) return;
    stream.release();
    stream.connection.end(lastFrame, msMax);
  }

  return {
    all,
    end,
    endSlow(stream: Stream): void {
      if (stream.connection.ended) return;
      logger.info({ workspace_id: stream.workspaceId, ip: stream.ip }, "ended a stream whose reader was too slow");
      end(stream, errorFrame("SLOW_READER", "This reader is too slow. Reconnect with the Last-Event-ID you have."));
    },
    leave(stream: Stream): void {
      stream.release();
      stream.connection.stop();
      all.delete(stream);
    },
    sendPresence(workspaceId: number, changes: readonly PresenceChange[]): void {
      for (const stream of all) {
        if (stream.userId === null || stream.workspaceId !== workspaceId) continue;
        const ofOthers = changes.filter(({ userId }) => userId !== stream.userId);
        const ids = new Set(ofOthers.map(({ conversationId }) => conversationId));
        if (ids.size > 0) stream.connection.sendUnlessBehind(presenceFrame([...ids]));
      }
    },
    sendOwnChange({ workspaceId, userId, conversationId, origin }: OwnChange): void {
      for (const stream of all)
        if (stream.userId === userId && stream.workspaceId === workspaceId)
          stream.connection.sendUnlessBehind(ownChangeFrame(conversationId, origin));
    },
    async endAll(): Promise<void> {
      const ending = [...all].map(async (stream) => {
        end(stream, STOP_NOTICE, STOP_MS_MAX);
        const { raw } = stream.connection;
        if (raw.headersSent && !raw.closed) await once(raw, "close");
      });
      await Promise.all(ending);
    },
  };
}

type OpenStreams = ReturnType<typeof createOpenStreams>;

function startSending(
  { db, logger }: Pick<EventStreamsOptions, "db" | "logger">,
  { connection, workspaceId }: Stream,
  past: "send" | "skip",
): void {
  connection.comment("listening");
  const read = (after: number, types: ReadonlySet<EventType> | null) =>
    readEvents(db, workspaceId, { after, limit: PAST_PAGE, types: types && [...types] });
  connection.sendPast(read, past).catch((error: unknown) => {
    logger.warn({ err: (error as Error).message }, "reading events for a stream failed, ending the stream");
    connection.end(errorFrame("SERVICE_UNAVAILABLE", "The database is unavailable. Reconnect soon."));
  });
}

/**
 * A stream is open no longer than its credential may read events of the workspace it was opened for. Verified once per
 * credential, however many streams it has; one credential that fails does not delay the others.
 */
function createAccessChecker(
  { verifier, logger }: Pick<EventStreamsOptions, "verifier" | "logger">,
  { all, end }: Pick<OpenStreams, "all" | "end">,
) {
  let checking = false;

  async function checkGroup(credential: string, group: readonly Stream[]): Promise<void> {
    const principal = await verifier.verify(credential);
    for (const stream of group) {
      if (!principal || principal.workspaceId !== stream.workspaceId)
        end(stream, errorFrame("UNAUTHORIZED", "This credential is no longer valid for the workspace."));
      else if (!mayRead(principal, stream.ip))
        end(stream, errorFrame("FORBIDDEN", "This credential may no longer read events from here."));
      else stream.connection.types = toSet(stream.typesFor(principal));
    }
  }

  async function checkAll(): Promise<void> {
    checking = true;
    const groups = [...groupByCredential(all)];
    for (let from = 0; from < groups.length; from += CHECKS_AT_ONCE) {
      const some = groups.slice(from, from + CHECKS_AT_ONCE);
      const results = await Promise.allSettled(some.map(([credential, group]) => checkGroup(credential, group)));
      const failed = results.find((result) => result.status === "rejected");
      if (failed) logger.debug({ err: String(failed.reason) }, "verifying the credential of a stream failed, retrying");
    }
    checking = false;
  }

  return {
    check: () => {
      if (!checking) void checkAll();
    },
  };
}

const toSet = (types: readonly EventType[] | null): ReadonlySet<EventType> | null => (types ? new Set(types) : null);

const mayRead = (principal: Principal, ip: string): boolean =>
  principal.scopes.has("events:read") &&
  (principal.kind === "user" || !principal.allowedIps || isWithin(ip, principal.allowedIps));

function groupByCredential(streams: Iterable<Stream>): Map<string, Stream[]> {
  const groups = new Map<string, Stream[]>();
  for (const stream of streams) {
    if (stream.connection.ended) continue;
    const group = groups.get(stream.credential);
    if (group) group.push(stream);
    else groups.set(stream.credential, [stream]);
  }
  return groups;
}
