import type { Event } from "../api/schema.ts";
import { type Connection, keepConnected } from "./connection.ts";

/**
 * `catching-up` counts the events that arrived since the connection came back; `unavailable` is a role or a browser without
 * live updates, where pages poll instead.
 */
export type LiveState =
  | { kind: "connecting" | "live" | "offline" | "unavailable" }
  | { kind: "catching-up"; events: number };

export interface LiveHubOptions {
  workspace: number;
  userId: number;
  /** A position in the stream that is older than everything that is cached; null: not known. */
  startAt: string | null;
  onState: (state: LiveState) => void;
  onEvent: (event: Event) => void;
  /** Events may have been missed: whatever is cached must be read again. Resolves when that is done. */
  onGap: () => Promise<unknown>;
}

type Message =
  | { kind: "event"; event: Event; cursor: string; previous: string | null }
  | { kind: "open"; cursor: string | null }
  | { kind: "state"; state: LiveState; cursor: string | null }
  /** From a tab that has just opened, or whose user has just come back. */
  | { kind: "hello" };

/** How many ids of events are remembered: a new leader may repeat what its predecessor sent last. */
const SEEN_MAX = 1_000;
/** Without a further event for so long, the server has sent everything that was missed. */
const CAUGHT_UP_AFTER_MS = 250;
/** In a busy workspace there is always a further event: what was missed is read again no later than this. */
const CATCHING_UP_MS_MAX = 2_000;

/**
 * One stream per browser and workspace: the tab that holds the lock reads it and passes everything on to the others. Where the
 * browser has no locks (plain http on another host) each tab has its own stream.
 */
export function startLiveHub(options: LiveHubOptions): { close: () => void } {
  const { workspace, userId } = options;
  const name = `parley.live.${workspace}.${userId}`;
  const closing = new AbortController();
  const channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(name);
  const seen = new Set<string>();
  let cursor: string | null = null;
  let state: LiveState = { kind: "connecting" };
  let isLeader = false;
  let connection: Connection | null = null;
  let caughtUpTimer: ReturnType<typeof setTimeout> | undefined;
  let catchingUpSince = 0;

  function setState(next: LiveState): void {
    state = next;
    options.onState(next);
    if (isLeader) channel?.postMessage({ kind: "state", state, cursor } satisfies Message);
  }

  function receive(event: Event, next: string): void {
    cursor = next;
    if (seen.has(event.id)) return;
    seen.add(event.id);
    if (seen.size > SEEN_MAX) seen.delete(seen.values().next().value as string);
    options.onEvent(event);
    if (state.kind === "catching-up" && isLeader) {
      setState({ kind: "catching-up", events: state.events + 1 });
      // Not once the cache is being read again: events from here on patch it, and are read once more where needed.
      if (caughtUpTimer !== undefined) waitUntilCaughtUp();
    }
  }

  /** What was replayed is not trusted to be everything: the cache is read again before this counts as live. */
  function waitUntilCaughtUp(): void {
    clearTimeout(caughtUpTimer);
    const since = catchingUpSince;
    const remaining = Math.max(0, since + CATCHING_UP_MS_MAX - performance.now());
    const readAgain = async () => {
      caughtUpTimer = undefined;
      await options.onGap();
      // Another connection since then reads again for itself.
      if (state.kind === "catching-up" && catchingUpSince === since) setState({ kind: "live" });
    };
    caughtUpTimer = setTimeout(() => void readAgain(), Math.min(CAUGHT_UP_AFTER_MS, remaining));
  }

  function lead(): void {
    isLeader = true;
    // Nothing was read before the position where the stream begins: it sends everything that the cache can lack.
    let nothingMissed = cursor === null && options.startAt !== null;
    connection = keepConnected({
      workspace,
      after: cursor ?? options.startAt,
      signal: closing.signal,
      onOpen({ cursor: opened }) {
        cursor = opened ?? cursor;
        channel?.postMessage({ kind: "open", cursor } satisfies Message);
        if (nothingMissed) return setState({ kind: "live" });
        catchingUpSince = performance.now();
        setState({ kind: "catching-up", events: 0 });
        waitUntilCaughtUp();
      },
      onEvent(event, next) {
        channel?.postMessage({ kind: "event", event, cursor: next, previous: cursor } satisfies Message);
        receive(event, next);
      },
      onDown({ refused }) {
        nothingMissed = false;
        clearTimeout(caughtUpTimer);
        caughtUpTimer = undefined;
        setState({ kind: refused ? "unavailable" : "offline" });
      },
    });
  }

  function follow({ data: message }: MessageEvent<Message>): void {
    if (message.kind === "hello") {
      if (!isLeader) return;
      connection?.retryNow();
      channel?.postMessage({ kind: "state", state, cursor } satisfies Message);
    } else if (isLeader) {
      return;
    } else if (message.kind === "event") {
      // A frozen tab misses messages: the chain of cursors shows it.
      const missed = cursor !== null && message.previous !== cursor && message.cursor !== cursor;
      receive(message.event, message.cursor);
      if (missed) void options.onGap();
    } else if (message.kind === "open") {
      cursor = message.cursor;
      void options.onGap();
    } else {
      cursor ??= message.cursor;
      state = message.state;
      options.onState(message.state);
    }
  }

  const wake = () => {
    if (document.visibilityState !== "visible") return;
    if (isLeader) connection?.retryNow();
    else channel?.postMessage({ kind: "hello" } satisfies Message);
  };

  channel?.addEventListener("message", follow);
  channel?.postMessage({ kind: "hello" } satisfies Message);
  window.addEventListener("online", wake, { signal: closing.signal });
  window.addEventListener("offline", () => connection?.drop(), { signal: closing.signal });
  document.addEventListener("visibilitychange", wake, { signal: closing.signal });
  if (navigator.locks && channel)
    navigator.locks
      .request(name, { signal: closing.signal }, () => {
        lead();
        return new Promise<void>((release) =>
          closing.signal.addEventListener("abort", () => release(), { once: true }),
        );
      })
      // Closed while still waiting for the lock.
      .catch(() => {});
  else lead();

  return {
    close() {
      closing.abort();
      clearTimeout(caughtUpTimer);
      channel?.close();
    },
  };
}
