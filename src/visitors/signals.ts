/** What changes for visitors without an event: sessions that end or get a contact, and what was read. */
export interface VisitorSignals {
  sessionsChanged(workspaceId: number): void;
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
  onSessionsChanged: (workspaceId: number) => void;
  onReadByAgent: (read: Read) => void;
  onReadByContact: (read: Read) => void;
}

/** Messages between nodes that only make things faster: streams check their sessions by themselves too. */
export function createVisitorSignals(listeners: Listeners): VisitorSignals {
  const { publish, onSessionsChanged, onReadByAgent, onReadByContact } = listeners;
  const send = (kind: string, ...values: number[]) => publish([kind, ...values].join(":"));
  return {
    sessionsChanged(workspaceId) {
      onSessionsChanged(workspaceId);
      send("sessions", workspaceId);
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
      const [workspaceId = 0, conversationId = 0, seq = 0] = values.map(Number);
      if (kind === "sessions") onSessionsChanged(workspaceId);
      if (kind === "agent") onReadByAgent({ workspaceId, conversationId, seq });
      if (kind === "contact") onReadByContact({ workspaceId, conversationId, seq });
    },
  };
}
