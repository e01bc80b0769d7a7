import type { Event } from "@parley/client";

/**
 * `catching-up` counts the events that arrived since the connection came back; `unavailable` is a role or a browser without
 * live updates, where pages poll instead.
 */
export type LiveState =
  | { kind: "connecting" | "live" | "offline" | "unavailable" }
  | { kind: "catching-up"; events: number };

/** What a user has read, or changed of a draft. `origin`: the page that did it. */
export interface OwnChange {
  conversation: number;
  origin: string;
}

/** What tabs of one browser and workspace send each other. */
export type TabMessage =
  | { kind: "event"; event: Event; cursor: string; previous: string | null }
  | { kind: "open"; cursor: string | null }
  | { kind: "state"; state: LiveState; cursor: string | null }
  | { kind: "presence"; conversations: number[] }
  | { kind: "own"; change: OwnChange }
  /** From a tab that has just opened, or whose user has just come back. */
  | { kind: "hello" };

/** What this tab has received of the stream, whether it reads the stream itself or follows the tab that does. */
export interface Tab {
  cursor: string | null;
  readonly state: LiveState;
  setState: (state: LiveState) => void;
  /** Returns whether the event is new here. */
  receive: (event: Event, cursor: string) => boolean;
  /** Sends a message to the other tabs. */
  send: (message: TabMessage) => void;
}

/** How many ids of events are remembered: a new leader may repeat what its predecessor sent last. */
const SEEN_MAX = 1_000;

interface TabOptions {
  channel: BroadcastChannel | null;
  onState: (state: LiveState) => void;
  onEvent: (event: Event) => void;
}

export function createTab({ channel, onState, onEvent }: TabOptions): Tab {
  const seen = new Set<string>();
  let current: LiveState = { kind: "connecting" };
  return {
    cursor: null,
    get state() {
      return current;
    },
    setState(state) {
      current = state;
      onState(state);
    },
    receive(event, cursor) {
      this.cursor = cursor;
      if (seen.has(event.id)) return false;
      seen.add(event.id);
      if (seen.size > SEEN_MAX) seen.delete(seen.values().next().value as string);
      onEvent(event);
      return true;
    },
    send: (message) => channel?.postMessage(message),
  };
}
