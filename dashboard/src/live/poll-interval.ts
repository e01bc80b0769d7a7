import type { LiveState } from "./tab.ts";

/** What the stream is doing, outside React: the intervals of queries read it. */
export const liveStatus: { state: LiveState; lastEventAt: number } = { state: { kind: "connecting" }, lastEventAt: 0 };

const BUSY_AFTER_EVENT_MS = 20_000;

/**
 * For a query's `refetchInterval` where the stream does not announce everything: rarely while an event would announce a
 * change, often just after an event, or where there is no stream.
 */
export const pollInterval =
  ({ busyMs, idleMs }: { busyMs: number; idleMs: number }) =>
  (): number => {
    if (liveStatus.state.kind !== "live") return busyMs;
    return Date.now() - liveStatus.lastEventAt < BUSY_AFTER_EVENT_MS ? busyMs : idleMs;
  };
