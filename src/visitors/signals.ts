/** What changes for visitors without an event: sessions that end or get a contact, and what was read. */
export interface VisitorSignals {
  /** One session; without an id all of the workspace. One that has just been started has no stream yet, so it need not be named. */
  sessionsChanged(workspaceId: number, sessionId?: number): void;
  readByAgent(read: Read): void;
  readByContact(read: Read): void;
  /** What another node was sent. */
  receive(text: string): void;
}

export interface Read {
  workspaceId: number;
  conversationId: number;
  /** Up to this message. */
  seq: number;
}

interface Listeners {
  /** Sends a text to the other nodes. */
  publish: (text: string) => void;
  onSessionsChanged: (workspaceId: number, sessionId?: number) => void;
  onReadByAgent: (read: Read) => void;
  onReadByContact: (read: Read) => void;
}

/** Messages between nodes that only make things faster: streams check their sessions by themselves too. */
export function createVisitorSignals(listeners: Listeners): VisitorSignals {
  const { publish, onSessionsChanged, onReadByAgent, onReadByContact } = listeners;
  const send = (kind: string, ...values: number[]) => publish([kind, ...values].join(":"));
  return {
    sessionsChanged(workspaceId, sessionId) {
      onSessionsChanged(workspaceId, sessionId);
      send("sessions", workspaceId, ...(sessionId === undefined ? [] : [sessionId]));
    },
    readByAgent(read) {
      onReadByAgent(read);
      send("agent", read.workspaceId, read.conversationId, read.seq);
    },
    readByContact(read) {
      onReadByContact(read);
      send("contact", read.workspaceId, read.conversationId, read.seq);
    },
    receive(text) {
      const [kind, ...values] = text.split(":");
      const numbers = values.map(Number);
      const [workspaceId = 0, conversationId = 0, seq = 0] = numbers;
      if (kind === "sessions") onSessionsChanged(workspaceId, numbers[1]);
      if (kind === "agent") onReadByAgent({ workspaceId, conversationId, seq });
      if (kind === "contact") onReadByContact({ workspaceId, conversationId, seq });
    },
  };
}
