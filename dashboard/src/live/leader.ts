import type { Event } from "@parley/client";
import { createCatchUp } from "./catch-up.ts";
import { keepConnected } from "./connection.ts";
import { presenceChanged } from "./presence-changes.ts";
import type { LiveState, OwnChange, Tab } from "./tab.ts";

interface LeaderOptions {
  workspace: number;
  startAt: string | null;
  onRead?: (event: Event) => void;
  onGap: () => Promise<unknown>;
  onOwnChange: (change: OwnChange) => void;
  signal: AbortSignal;
}

export interface Leader {
  /** Sends the state to the other tabs. */
  announce: () => void;
  /** Ends a pause between attempts to connect. */
  retryNow: () => void;
  /** Ends the current connection, because the network is gone. */
  drop: () => void;
}

/** Reads the stream until `signal` aborts, and passes everything on to the other tabs. */
export function startLeading(tab: Tab, options: LeaderOptions): Leader {
  const { workspace, startAt, onRead, onGap, onOwnChange, signal } = options;
  const announce = () => tab.send({ kind: "state", state: tab.state, cursor: tab.cursor });
  const setState = (state: LiveState) => {
    tab.setState(state);
    announce();
  };
  const catchUp = createCatchUp({
    readAgain: onGap,
    onDone: () => {
      if (!signal.aborted && tab.state.kind === "catching-up") setState({ kind: "live" });
    },
  });
  signal.addEventListener("abort", catchUp.stop, { once: true });
  // Nothing was read before the position where the stream begins: it sends everything that the cache can lack.
  let nothingMissed = tab.cursor === null && startAt !== null;
  const connection = keepConnected({
    workspace,
    after: tab.cursor ?? startAt,
    signal,
    onOpen({ cursor }) {
      tab.cursor = cursor ?? tab.cursor;
      tab.send({ kind: "open", cursor: tab.cursor });
      if (nothingMissed) return setState({ kind: "live" });
      setState({ kind: "catching-up", events: 0 });
      catchUp.start();
    },
    onEvent(event, cursor) {
      tab.send({ kind: "event", event, cursor, previous: tab.cursor });
      if (!tab.receive(event, cursor)) return;
      onRead?.(event);
      if (tab.state.kind !== "catching-up") return;
      setState({ kind: "catching-up", events: tab.state.events + 1 });
      catchUp.extend();
    },
    onPresence(conversations) {
      tab.send({ kind: "presence", conversations });
      presenceChanged(conversations);
    },
    onOwnChange(change) {
      tab.send({ kind: "own", change });
      onOwnChange(change);
    },
    onDown({ refused }) {
      nothingMissed = false;
      catchUp.stop();
      setState({ kind: refused ? "unavailable" : "offline" });
    },
  });
  return { ...connection, announce };
}
