import { type Envelope, isEnvelope, type ToFrame, type ToPage } from "../shared/protocol.ts";
import type { Launcher } from "./launcher.ts";
import { logError } from "./log.ts";

interface FrameHost {
  send(message: ToFrame): void;
  focus(): void;
}

interface Options {
  launcher: Launcher;
  address: string;
  /** Made when the frame has loaded, each time. */
  first: () => ToFrame;
  onMessage: (message: ToPage) => void;
  signal: AbortSignal;
}

/** A frame that was refused (`frame-ancestors`) loads an error page, which never sends a message. */
const SILENCE_MS = 10_000;

/** Loads the frame, and speaks with it: only with this window, and only with Parley's origin. */
export function hostFrame({ launcher, address, first, onMessage, signal }: Options): FrameHost {
  const { origin } = new URL(address);
  const frame = launcher.addFrame(address);
  const waiting: ToFrame[] = [];
  let isReady = false;
  const post = (message: ToFrame) =>
    frame.contentWindow?.postMessage({ parley: 1, message } satisfies Envelope<ToFrame>, origin);
  frame.addEventListener("load", () => {
    isReady = false;
    post(first());
    setTimeout(() => {
      if (isReady || signal.aborted) return;
      logError(`the chat did not load. Is ${location.origin} an allowed origin of the widget, and is frame-src set?`);
    }, SILENCE_MS);
  });
  addEventListener(
    "message",
    (event) => {
      if (event.source !== frame.contentWindow || event.origin !== origin || !isEnvelope<ToPage>(event.data)) return;
      if (event.data.message.kind === "ready") {
        isReady = true;
        for (const message of waiting.splice(0)) post(message);
      }
      onMessage(event.data.message);
    },
    { signal },
  );
  return {
    send: (message) => void (isReady ? post(message) : waiting.push(message)),
    focus: () => frame.focus({ preventScroll: true }),
  };
}
