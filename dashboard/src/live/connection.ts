import { commonHeaders, reportSessionEnd } from "../api/client.ts";
import type { Event } from "../api/schema.ts";
import { readFrames } from "./sse.ts";
import type { OwnChange } from "./tab.ts";

interface ConnectionOptions {
  workspace: number;
  /** The cursor to resume after; null: begin now. */
  after: string | null;
  signal: AbortSignal;
  /** Connected. `cursor` is where the stream begins, `resumed` whether nothing was skipped before it. */
  onOpen: (state: { cursor: string | null; resumed: boolean }) => void;
  onEvent: (event: Event, cursor: string) => void;
  /** The presence of colleagues has changed in these conversations. */
  onPresence: (conversations: number[]) => void;
  /** The user has read something in this conversation, or changed its draft, on another page. */
  onOwnChange: (change: OwnChange) => void;
  /** Not connected; the next attempt follows. `refused`: the role may not stream, and no attempt follows. */
  onDown: (state: { refused: boolean }) => void;
}

/** The server sends something every 15 seconds. */
const SILENCE_MS_MAX = 40_000;
const RETRY_MS_FIRST = 500;
const RETRY_MS_MAX = 15_000;

interface Connection {
  /** Ends a pause between attempts. */
  retryNow: () => void;
  /** Ends the current connection: the browser reports a lost network long before the stream would time out. */
  drop: () => void;
}

/** Keeps one stream of events open until `signal` aborts. */
export function keepConnected(options: ConnectionOptions): Connection {
  let cursor = options.after;
  let retryNow = () => {};
  let current = new AbortController();
  const run = async () => {
    for (let failures = 0; !options.signal.aborted; failures += 1) {
      current = new AbortController();
      const outcome = await connectOnce(
        { ...options, after: cursor },
        {
          connection: current,
          onCursor: (next) => {
            cursor = next;
            failures = 0;
          },
        },
      );
      if (options.signal.aborted) return;
      // The position is too old or not known any more: begin now, and let the caller read everything again.
      if (outcome === "bad-cursor") cursor = null;
      options.onDown({ refused: outcome === "refused" });
      if (outcome === "refused") return;
      await new Promise<void>((resolve) => {
        const wait = Math.min(RETRY_MS_MAX, RETRY_MS_FIRST * 2 ** failures) * (0.75 + Math.random() / 2);
        const end = () => {
          clearTimeout(timer);
          options.signal.removeEventListener("abort", end);
          resolve();
        };
        const timer = setTimeout(end, wait);
        retryNow = end;
        options.signal.addEventListener("abort", end, { once: true });
      });
    }
  };
  void run();
  return { retryNow: () => retryNow(), drop: () => current.abort() };
}

type Outcome = "ended" | "refused" | "bad-cursor";

async function connectOnce(
  { workspace, after, signal, onOpen, onEvent, onPresence, onOwnChange }: ConnectionOptions,
  { connection, onCursor }: { connection: AbortController; onCursor: (cursor: string) => void },
): Promise<Outcome> {
  const stop = () => connection.abort();
  signal.addEventListener("abort", stop, { once: true });
  let silence = setTimeout(stop, SILENCE_MS_MAX);
  try {
    const response = await fetch("/api/v1/events/stream", {
      headers: {
        accept: "text/event-stream",
        ...commonHeaders(workspace),
        ...(after === null ? {} : { "last-event-id": after }),
      },
      signal: connection.signal,
    });
    if (response.status === 401) reportSessionEnd();
    if (response.status === 404) reportSessionEnd("removed");
    if (response.status === 403 || response.status === 404) return "refused";
    if (response.status === 422) return "bad-cursor";
    if (!response.ok || !response.body) return "ended";
    let opened = false;
    const frames = readFrames(response.body, () => {
      clearTimeout(silence);
      silence = setTimeout(stop, SILENCE_MS_MAX);
    });
    for await (const frame of frames) {
      if (!opened) onOpen({ cursor: frame.id ?? after, resumed: after !== null });
      opened = true;
      if (frame.event === "error") return "ended";
      if (frame.event === "presence") onPresence(JSON.parse(frame.data).conversation_ids);
      if (frame.event === "own") {
        const { conversation_id: conversation, origin } = JSON.parse(frame.data);
        onOwnChange({ conversation, origin });
      }
      if (frame.data !== "" && frame.id !== null) onEvent(JSON.parse(frame.data) as Event, frame.id);
      if (frame.id !== null) onCursor(frame.id);
    }
    return "ended";
  } catch {
    return "ended";
  } finally {
    clearTimeout(silence);
    signal.removeEventListener("abort", stop);
    connection.abort();
  }
}
