/** A user who has a conversation open or whose reply is about to be sent, or the contact, who types in a widget. */
interface Present {
  /** Of a contact its own id. */
  user_id: number;
  contact?: true;
  name: string;
  typing: boolean;
  sending: boolean;
}

/** A user has come to a conversation, has begun to type there or has stopped. */
export interface PresenceChange {
  workspaceId: number;
  conversationId: number;
  userId: number;
}

interface PresenceMessage extends PresenceChange {
  name: string;
  isTyping: boolean;
  /** A reply of the user can still be undone, or is on its way. */
  isSending?: boolean;
  /** The user has not got the conversation open (any more). */
  isGone?: boolean;
}

/** Something that only this user sees has changed: what is read, or the draft. `origin`: the page that changed it. */
export interface OwnChange extends PresenceChange {
  origin: string;
}

interface ContactTyping extends Omit<PresenceChange, "userId"> {
  contactId: number;
  isTyping: boolean;
}

/** What visitors need of it. */
export interface ContactPresence {
  /** The contact types, or has sent what they typed. */
  announceContact(message: ContactTyping): void;
}

export interface Presence extends ContactPresence {
  /** Records on every node that a user has a conversation open, and returns who else has. */
  announce(message: PresenceMessage): Present[];
  /** Notifies the user's other pages, whichever nodes they stream from. */
  ownChanged(change: OwnChange): void;
  /** What another node was sent. */
  receive(text: string): void;
}

interface PresenceOptions {
  /** Sends a text to the other nodes. */
  publish: (text: string) => void;
  onChange?: (change: PresenceChange) => void;
  onOwnChange?: (change: OwnChange) => void;
  /** Each time that a user says so: every few seconds while they type. */
  onTyping?: (typing: { workspaceId: number; conversationId: number; name: string }) => void;
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
  onOwnChange = () => {},
  onTyping = () => {},
  now = () => performance.now(),
}: PresenceOptions): Presence {
  const conversations = new Map<string, Map<number, Entry>>();

  function note(message: PresenceMessage): Map<number, Entry> {
    const { workspaceId, conversationId, userId, name, isTyping: typing, isSending: sending = false } = message;
    const key = `${workspaceId}:${conversationId}`;
    const present = conversations.get(key) ?? new Map<number, Entry>();
    const before = present.get(userId);
    if (message.isGone) present.delete(userId);
    else present.set(userId, { user_id: userId, name, typing, sending, seenAt: now() });
    // The least recently used first: what nobody announces any more is dropped when there are too many.
    conversations.delete(key);
    conversations.set(key, present);
    const [oldest] = conversations.keys();
    if (conversations.size > CONVERSATIONS_MAX && oldest !== undefined) conversations.delete(oldest);
    // Repeated announcements only keep a user present: they change nothing for anyone.
    if (typing && userId > 0) onTyping({ workspaceId, conversationId, name });
    const isSame = before && before.typing === typing && before.sending === sending && !message.isGone;
    if (!isSame || now() - before.seenAt > PRESENT_MS) onChange({ workspaceId, conversationId, userId });
    return present;
  }

  return {
    announce(message) {
      const present = note(message);
      publish(encode(message));
      for (const [userId, { seenAt }] of present) if (now() - seenAt > PRESENT_MS) present.delete(userId);
      return [...present.values()].filter(({ user_id }) => user_id !== message.userId).map(shown);
    },
    ownChanged(change) {
      onOwnChange(change);
      publish(encodeOwn(change));
    },
    announceContact({ workspaceId, conversationId, contactId, isTyping }) {
      // Users have positive ids: a contact is kept under its negative one.
      const message = { workspaceId, conversationId, userId: -contactId, name: "", isTyping, isGone: !isTyping };
      note(message);
      publish(encode(message));
    },
    receive(text) {
      const own = decodeOwn(text);
      if (own) onOwnChange(own);
      const message = own ? null : decode(text);
      if (message) note(message);
    },
  };
}

const shown = ({ user_id, name, typing, sending }: Present): Present =>
  user_id > 0 ? { user_id, name, typing, sending } : { user_id: -user_id, contact: true, name, typing, sending };

/** Without blanks, which separate the messages of one notification. */
const encode = ({ workspaceId, conversationId, userId, name, ...is }: PresenceMessage): string =>
  [workspaceId, conversationId, userId, stateOf(is), encodeURIComponent(name)].join(":");

/** In one digit. Nodes of 0.2 know 1 as typing and take every other digit for a user who only looks. */
const stateOf = ({
  isTyping,
  isSending,
  isGone,
}: Pick<PresenceMessage, "isTyping" | "isSending" | "isGone">): number =>
  isGone ? 3 : isSending ? 2 : isTyping ? 1 : 0;

function decode(text: string): PresenceMessage | null {
  const [workspaceId, conversationId, userId, state] = text.split(":", 4).map(Number);
  const name = text.split(":")[4];
  if (!workspaceId || !conversationId || !userId || name === undefined) return null;
  const is = { isTyping: state === 1, isSending: state === 2, isGone: state === 3 };
  return { workspaceId, conversationId, userId, name: decodeURIComponent(name), ...is };
}

const OWN = "own";

/** Nodes of 0.2 drop it: its first part is not a number. */
const encodeOwn = ({ workspaceId, conversationId, userId, origin }: OwnChange): string =>
  [OWN, workspaceId, conversationId, userId, encodeURIComponent(origin)].join(":");

function decodeOwn(text: string): OwnChange | null {
  const [kind, workspaceId, conversationId, userId, origin = ""] = text.split(":");
  if (kind !== OWN) return null;
  return {
    workspaceId: Number(workspaceId),
    conversationId: Number(conversationId),
    userId: Number(userId),
    origin: decodeURIComponent(origin),
  };
}
