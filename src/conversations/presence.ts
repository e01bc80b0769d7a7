/** A user who has a conversation open. */
interface Present {
  user_id: number;
  name: string;
  typing: boolean;
}

interface PresenceMessage {
  workspaceId: number;
  conversationId: number;
  userId: number;
  name: string;
  isTyping: boolean;
}

export interface Presence {
  /** Records on every node that a user has a conversation open, and returns who else has. */
  announce(message: PresenceMessage): Present[];
  /** What another node was sent. */
  receive(text: string): void;
}

/** A user has come to a conversation, has begun to type there or has stopped. */
export interface PresenceChange {
  workspaceId: number;
  conversationId: number;
  userId: number;
}

interface PresenceOptions {
  /** Sends a text to the other nodes. */
  publish: (text: string) => void;
  onChange?: (change: PresenceChange) => void;
  now?: () => number;
}

interface Entry extends Present {
  seenAt: number;
}

/** A page announces itself every 4 seconds; without that for this long, it counts as closed. */
const PRESENT_MS = 10_000;
const CONVERSATIONS_MAX = 10_000;

/** Who has which conversation open: held in the memory of the nodes, shared by notifications, never stored. */
export function createPresence({
  publish,
  onChange = () => {},
  now = () => performance.now(),
}: PresenceOptions): Presence {
  const conversations = new Map<string, Map<number, Entry>>();

  function note({ workspaceId, conversationId, userId, name, isTyping }: PresenceMessage): Map<number, Entry> {
    const key = `${workspaceId}:${conversationId}`;
    const present = conversations.get(key) ?? new Map<number, Entry>();
    const before = present.get(userId);
    present.set(userId, { user_id: userId, name, typing: isTyping, seenAt: now() });
    // The least recently used first: what nobody announces any more is dropped when there are too many.
    conversations.delete(key);
    conversations.set(key, present);
    const [oldest] = conversations.keys();
    if (conversations.size > CONVERSATIONS_MAX && oldest !== undefined) conversations.delete(oldest);
    // Repeated announcements only keep a user present: they change nothing for anyone.
    const isChange = !before || before.typing !== isTyping || now() - before.seenAt > PRESENT_MS;
    if (isChange) onChange({ workspaceId, conversationId, userId });
    return present;
  }

  return {
    announce(message) {
      const present = note(message);
      publish(encode(message));
      for (const [userId, { seenAt }] of present) if (now() - seenAt > PRESENT_MS) present.delete(userId);
      return [...present.values()]
        .filter(({ user_id }) => user_id !== message.userId)
        .map(({ user_id, name, typing }) => ({ user_id, name, typing }));
    },
    receive(text) {
      const message = decode(text);
      if (message) note(message);
    },
  };
}

/** Without blanks, which separate the messages of one notification. */
const encode = ({ workspaceId, conversationId, userId, isTyping, name }: PresenceMessage): string =>
  [workspaceId, conversationId, userId, isTyping ? 1 : 0, encodeURIComponent(name)].join(":");

function decode(text: string): PresenceMessage | null {
  const [workspaceId, conversationId, userId, typing] = text.split(":", 4).map(Number);
  const name = text.split(":")[4];
  if (!workspaceId || !conversationId || !userId || name === undefined) return null;
  return { workspaceId, conversationId, userId, isTyping: typing === 1, name: decodeURIComponent(name) };
}
