import { backOffMs, connectStream, type Event, sleep } from "@parley/client";
import { ApiError, commonHeaders, isRemoval, reportSessionEnd, transportTo } from "../api/client.ts";
import type { OwnChange } from "./tab.ts";

interface ConnectionOptions {
  workspace: number;
  /** The cursor to resume after; null: begin now. */
  after: string | null;
  signal: AbortSignal;
  /** Connected. `cursor` is where the stream begins. */
  onOpen: (state: { cursor: string | null }) => void;
  onEvent: (event: Event, cursor: string) => void;
  /** The presence of colleagues has changed in these conversations. */
  onPresence: (conversations: number[]) => void;
  /** The user has read something in this conversation, or changed its draft, on another page. */
  onOwnChange: (change: OwnChange) => void;
  /** Not connected; the next attempt follows. `refused`: the role may not stream, and no attempt follows. */
  onDown: (state: { refused: boolean }) => void;
}

const RETRY_MS_MAX = 15_000;

interface Connection {
  /** Ends a pause between attempts. */
  retryNow: () => void;
  /** Ends the current connection: the browser reports a lost network long before the stream would time out. */
  drop: () => void;
}

/** Keeps one stream of events open until `signal` aborts. */
export function keepConnected(options: ConnectionOptions): Connection {
  const { signal } = options;
  let cursor = options.after;
  let connection = new AbortController();
  let pause = new AbortController();
  signal.addEventListener("abort", () => {
    connection.abort();
    pause.abort();
  });
  const run = async () => {
    for (let failures = 0; !signal.aborted; failures += 1) {
      connection = new AbortController();
      const outcome = await connectOnce({ ...options, after: cursor, signal: connection.signal }, (next) => {
        cursor = next;
        failures = 0;
      });
      if (signal.aborted) return;
      // The position is too old or not known any more: begin now, and let the caller read everything again.
      if (outcome === "bad-cursor") cursor = null;
      options.onDown({ refused: outcome === "refused" });
      if (outcome === "refused") return;
      pause = new AbortController();
      await sleep(backOffMs(failures, RETRY_MS_MAX), pause.signal).catch(() => {});
    }
  };
  void run();
  return { retryNow: () => pause.abort(), drop: () => connection.abort() };
}

type Outcome = "ended" | "refused" | "bad-cursor";

async function connectOnce(options: ConnectionOptions, onCursor: (cursor: string) => void): Promise<Outcome> {
  const { workspace, after, signal, onOpen, onEvent, onPresence, onOwnChange } = options;
  try {
    const headers = commonHeaders(workspace);
    for await (const frame of connectStream(transportTo(), { after, signal, onOpen, headers })) {
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
  } catch (error) {
    return error instanceof ApiError ? outcomeOf(error) : "ended";
  }
}

function outcomeOf(error: ApiError): Outcome {
  const { status } = error;
  const wasRemoved = status === 404 || isRemoval(error);
  if (wasRemoved || status === 401) reportSessionEnd(wasRemoved ? "removed" : "ended");
  if (wasRemoved || status === 403) return "refused";
  return status === 422 ? "bad-cursor" : "ended";
}
