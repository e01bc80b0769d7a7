import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startLiveHub } from "../../../../dashboard/src/live/hub.ts";
import type { LiveState } from "../../../../dashboard/src/live/tab.ts";

/** What the server sends into the stream that was opened last. */
let send: (text: string) => void;
let cutConnection: () => void;
/** The cursor of each connection. */
let resumedAfter: (string | null)[];
let states: LiveState[];
let readAgain: number;
let hub: { close: () => void };

const state = () => states.at(-1)?.kind;
let sent = 0;
function sendEvent(): void {
  sent += 1;
  send(`id: c${sent}\nevent: message.created\ndata: ${JSON.stringify({ id: `evt_${sent}` })}\n\n`);
}

function start(startAt: string | null): void {
  hub = startLiveHub({
    workspace: 1,
    userId: 1,
    startAt,
    onState: (next) => states.push(next),
    onEvent: () => {},
    onOwnChange: () => {},
    onGap: async () => {
      readAgain += 1;
    },
  });
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  states = [];
  resumedAfter = [];
  readAgain = 0;
  vi.stubGlobal("window", Object.assign(new EventTarget(), { location: { origin: "https://parley.test" } }));
  vi.stubGlobal("document", Object.assign(new EventTarget(), { visibilityState: "visible" }));
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("BroadcastChannel", undefined);
  vi.stubGlobal("fetch", async (address: string) => {
    resumedAfter.push(new URL(address).searchParams.get("cursor"));
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        send = (text) => controller.enqueue(new TextEncoder().encode(text));
        cutConnection = () => controller.close();
      },
    });
    send(": listening\nid: c0\n\n");
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
});
afterEach(() => {
  hub.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("the stream of a page", () => {
  it("is live within three seconds after a gap, having read once again, while events keep arriving", async () => {
    start(null);
    for (let tick = 0; tick < 30; tick += 1) {
      await pass(100);
      sendEvent();
    }
    await pass(0);
    expect(state()).toBe("live");
    expect(readAgain).toBe(1);
  });

  it("begins where the session was read, and then reads nothing twice", async () => {
    start("position-of-the-session");
    await pass(1_000);
    expect(resumedAfter).toEqual(["position-of-the-session"]);
    expect(state()).toBe("live");
    expect(readAgain).toBe(0);
  });

  it("reads the cache again after a lost connection, wherever it began", async () => {
    start("position-of-the-session");
    await pass(1_000);
    cutConnection();
    await pass(0);
    expect(state()).toBe("offline");
    await pass(5_000);
    expect(state()).toBe("live");
    expect(readAgain).toBe(1);
  });
});
