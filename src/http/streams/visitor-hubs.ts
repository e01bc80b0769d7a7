import type { Logger } from "../../core/logger.ts";
import type { Database } from "../../db/database.ts";
import type { SequencedEvent } from "../../events/event-reader.ts";
import type { EventTail } from "../../events/event-tail.ts";
import { type Subject, subjectOf, toVisitorEvent, VISITOR_EVENTS } from "../../visitors/stream-reader.ts";
import type { StreamConnection } from "./stream-connection.ts";

export interface VisitorStream {
  connection: StreamConnection;
  workspaceId: number;
  widgetId: number;
  sessionId: number;
  contactId: number | null;
  /** The visitor's own, from their ids to their uuids. */
  conversations: Map<number, string>;
  /** Ends the subscription to new events. */
  release: () => void;
}

interface Hub {
  streams: Set<VisitorStream>;
  byConversation: Map<number, Set<VisitorStream>>;
  byContact: Map<number, Set<VisitorStream>>;
  ready: Promise<() => void>;
  /** Events are looked at one after the other, so that their order is kept. */
  last: Promise<void>;
}

interface HubOptions {
  db: Database;
  logger: Logger;
  tail: EventTail;
}

/**
 * One listener per workspace for all of its visitors: an event is parsed once, and only the streams of its conversation
 * are looked at, however many there are.
 */
export function createVisitorHubs({ db, logger, tail }: HubOptions) {
  const hubs = new Map<number, Hub>();

  function hubOf(workspaceId: number): Hub {
    const known = hubs.get(workspaceId);
    if (known) return known;
    const hub: Hub = {
      streams: new Set(),
      byConversation: new Map(),
      byContact: new Map(),
      ready: tail.watch(workspaceId, (event) => {
        if (!VISITOR_EVENTS.includes(event.type)) return;
        hub.last = hub.last
          .then(() => pass(hub, workspaceId, event))
          .catch((error: unknown) => failed(hub, error as Error));
      }),
      last: Promise.resolve(),
    };
    hubs.set(workspaceId, hub);
    return hub;
  }

  /** What could not be read would be missing: the readers reconnect and resume before it. */
  function failed(hub: Hub, error: Error): void {
    logger.warn({ err: error.message }, "reading an event for visitors failed, ending their streams");
    for (const stream of hub.streams) stream.connection.end("");
  }

  async function pass(hub: Hub, workspaceId: number, event: SequencedEvent): Promise<void> {
    const subject = subjectOf(event);
    if (subject.contactId !== null) noteOwner(hub, subject);
    const targets = [...(hub.byConversation.get(subject.conversationId) ?? [])];
    if (targets.length === 0) return;
    const shown = await toVisitorEvent(db, workspaceId, event, subject);
    if (shown) for (const { connection } of targets) connection.add(shown);
  }

  return {
    /** Resolves once every later event reaches the stream. Call the result to leave. */
    async join(stream: VisitorStream): Promise<() => void> {
      const { workspaceId, contactId } = stream;
      const hub = hubOf(workspaceId);
      hub.streams.add(stream);
      if (contactId !== null) addTo(hub.byContact, contactId, stream);
      const leave = () => {
        hub.streams.delete(stream);
        if (contactId !== null) removeFrom(hub.byContact, contactId, stream);
        for (const id of stream.conversations.keys()) removeFrom(hub.byConversation, id, stream);
        if (hub.streams.size > 0 || hubs.get(workspaceId) !== hub) return;
        hubs.delete(workspaceId);
        hub.ready.then((unsubscribe) => unsubscribe()).catch(() => {});
      };
      try {
        await hub.ready;
      } catch (error) {
        leave();
        throw error;
      }
      return leave;
    },
    addConversations(stream: VisitorStream, conversations: readonly { id: number; uuid: string }[]): void {
      const hub = hubs.get(stream.workspaceId);
      if (hub) for (const { id, uuid } of conversations) addConversation(hub, stream, id, uuid);
    },
    /** For what is of no use later. */
    sendNow(workspaceId: number, conversationId: number, frame: (uuid: string) => [string, object]): void {
      for (const { connection, conversations } of hubs.get(workspaceId)?.byConversation.get(conversationId) ?? []) {
        const [name, data] = frame(conversations.get(conversationId) ?? "");
        connection.sendUnlessBehind(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
      }
    },
  };
}

function addConversation(hub: Hub, stream: VisitorStream, id: number, uuid: string): void {
  if (!hub.streams.has(stream)) return;
  stream.conversations.set(id, uuid);
  addTo(hub.byConversation, id, stream);
}

function removeConversation(hub: Hub, stream: VisitorStream, id: number): void {
  stream.conversations.delete(id);
  removeFrom(hub.byConversation, id, stream);
}

function addTo(index: Map<number, Set<VisitorStream>>, key: number, stream: VisitorStream): void {
  const streams = index.get(key) ?? new Set();
  index.set(key, streams.add(stream));
}

function removeFrom(index: Map<number, Set<VisitorStream>>, key: number, stream: VisitorStream): void {
  const streams = index.get(key);
  streams?.delete(stream);
  if (streams?.size === 0) index.delete(key);
}

/** A conversation that begins or moves: it is its contact's, in its widget, and nobody else's. */
function noteOwner(hub: Hub, { conversationId, contactId, widgetId, uuid }: Subject): void {
  for (const stream of hub.byConversation.get(conversationId) ?? [])
    if (stream.contactId !== contactId) removeConversation(hub, stream, conversationId);
  for (const stream of hub.byContact.get(contactId ?? 0) ?? [])
    if (stream.widgetId === widgetId) addConversation(hub, stream, conversationId, uuid);
}
