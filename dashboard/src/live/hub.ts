import type { Event } from "@parley/client";
import { type Leader, startLeading } from "./leader.ts";
import { presenceChanged } from "./presence-changes.ts";
import { createTab, type LiveState, type OwnChange, type Tab, type TabMessage } from "./tab.ts";

interface LiveHubOptions {
  workspace: number;
  userId: number;
  /** A position in the stream that is older than everything that is cached; null: not known. */
  startAt: string | null;
  onState: (state: LiveState) => void;
  onEvent: (event: Event) => void;
  /** The same, in one tab of the browser alone: the one that reads the stream. */
  onRead?: (event: Event) => void;
  /** Events may have been missed: whatever is cached must be read again. Resolves when that is done. */
  onGap: () => Promise<unknown>;
  onOwnChange: (change: OwnChange) => void;
}

/**
 * One stream per browser and workspace: the tab that holds the lock reads it and passes everything on to the others. Where the
 * browser has no locks (plain http on another host) each tab has its own stream.
 */
export function startLiveHub(options: LiveHubOptions): { close: () => void } {
  const name = `parley.live.${options.workspace}.${options.userId}`;
  const closing = new AbortController();
  const { signal } = closing;
  const channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(name);
  const tab = createTab({ ...options, channel });
  let leader: Leader | null = null;
  const lead = () => {
    leader = startLeading(tab, { ...options, signal });
  };

  channel?.addEventListener("message", ({ data: message }: MessageEvent<TabMessage>) => {
    if (!leader) return follow(tab, message, options);
    if (message.kind !== "hello") return;
    leader.retryNow();
    leader.announce();
  });
  tab.send({ kind: "hello" });
  const wake = () => {
    if (document.visibilityState !== "visible") return;
    if (leader) leader.retryNow();
    else tab.send({ kind: "hello" });
  };
  window.addEventListener("online", wake, { signal });
  window.addEventListener("offline", () => leader?.drop(), { signal });
  document.addEventListener("visibilitychange", wake, { signal });
  if (navigator.locks && channel) holdLock(name, signal, lead);
  else lead();

  return {
    close() {
      closing.abort();
      channel?.close();
    },
  };
}

/** What a tab does with the messages of the leader. */
function follow(
  tab: Tab,
  message: TabMessage,
  { onGap, onOwnChange }: Pick<LiveHubOptions, "onGap" | "onOwnChange">,
): void {
  if (message.kind === "event") {
    // A frozen tab misses messages: the chain of cursors shows it.
    const missed = tab.cursor !== null && message.previous !== tab.cursor && message.cursor !== tab.cursor;
    tab.receive(message.event, message.cursor);
    if (missed) void onGap();
  } else if (message.kind === "open") {
    tab.cursor = message.cursor;
    void onGap();
  } else if (message.kind === "state") {
    tab.cursor ??= message.cursor;
    tab.setState(message.state);
  } else if (message.kind === "presence") presenceChanged(message.conversations);
  else if (message.kind === "own") onOwnChange(message.change);
}

/** Waits for the lock, calls `onHeld` and keeps the lock until `signal` aborts. */
function holdLock(name: string, signal: AbortSignal, onHeld: () => void): void {
  navigator.locks
    .request(name, { signal }, () => {
      onHeld();
      return new Promise<void>((release) => signal.addEventListener("abort", () => release(), { once: true }));
    })
    // Closed while still waiting for the lock.
    .catch(() => {});
}
