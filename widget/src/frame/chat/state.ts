import type { ChosenLanguage } from "../../shared/language.ts";
import type { WidgetSettings } from "../../shared/protocol.ts";
import type { Outbox } from "../logic/outbox.ts";
import type { Catalogue } from "../texts/catalogue.ts";
import type { Conversation, Message, Visitor } from "../types.ts";

/** `idle`: there is no session, so there is nothing to be connected to. */
type Connection = "idle" | "connecting" | "live" | "offline";

/** Why nothing can be sent now. */
export type Obstacle =
  | { kind: "blocked" | "inactive" | "ended" | "identity-required" | "identity-expired" }
  | { kind: "limit"; until: number };

export interface Log {
  messages: readonly Message[];
  /** Where the messages before these are; null: these are all. */
  earlier: string | null;
  loaded: boolean;
}

export interface State {
  settings: WidgetSettings;
  language: ChosenLanguage;
  texts: Catalogue;
  page: string;
  covering: boolean;
  isOpen: boolean;
  preview: boolean;

  view: "list" | "thread";
  /** The uuid of a conversation, or `new:…`. */
  current: string;
  conversations: readonly Conversation[];
  logs: Readonly<Record<string, Log>>;
  outbox: Outbox;
  /** Of the stream. */
  connection: Connection;
  /** The last attempt to send reached no server. */
  sendingFails: boolean;
  isOnline: boolean;
  obstacle: Obstacle | null;
  typing: { conversation: string; name: string | null } | null;
  /** The log is scrolled to its end, or nearly so. */
  isAtEnd: boolean;
  /** Unsent texts, by conversation. */
  drafts: Readonly<Record<string, string>>;
  files: readonly File[];
  visitor: Visitor;
  hasSession: boolean;
  /** A token of the page is being verified. */
  isIdentifying: boolean;
  /** The form for name and e-mail address: before the first message, or after it. */
  asking: "required" | "optional" | null;
  hasAsked: boolean;
  sound: boolean;
  /** The message that the live region reads. */
  announced: { id: string; conversation: string } | null;
}

export interface Store {
  get(): State;
  set(change: Partial<State>): void;
  subscribe(act: (state: State) => void): void;
}

export function createStore(initial: State): Store {
  let state = initial;
  const listeners: ((state: State) => void)[] = [];
  return {
    get: () => state,
    set(change) {
      state = { ...state, ...change };
      for (const act of listeners) act(state);
    },
    subscribe: (act) => void listeners.push(act),
  };
}

export const newConversation = (): string => `new:${crypto.randomUUID()}`;

type FromPage = Pick<State, "settings" | "language" | "texts" | "page" | "covering" | "isOpen" | "preview">;

export function initialState(fromPage: FromPage): State {
  return { ...fromPage, ...emptyChat(), sound: false, files: [], connection: "idle", isOnline: navigator.onLine };
}

/** As before the first message. */
export function emptyChat() {
  return {
    view: "thread",
    current: newConversation(),
    conversations: [],
    logs: {},
    outbox: [],
    sendingFails: false,
    obstacle: null,
    typing: null,
    isAtEnd: true,
    drafts: {},
    visitor: { name: null, email: null, identified: false },
    hasSession: false,
    isIdentifying: false,
    asking: null,
    hasAsked: false,
    announced: null,
  } satisfies Partial<State>;
}

export const totalUnread = ({ conversations }: State): number =>
  conversations.reduce((sum, { unread_count }) => sum + unread_count, 0);

const emptyLog: Log = { messages: [], earlier: null, loaded: false };

export const logOf = ({ logs }: State, conversation: string): Log => logs[conversation] ?? emptyLog;

/** The visitor sees the newest messages of this conversation now. */
export const isReading = ({ isOpen, view, current, isAtEnd }: State, conversation: string): boolean =>
  isOpen && view === "thread" && current === conversation && isAtEnd && document.visibilityState === "visible";
