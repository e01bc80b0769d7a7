import { type IncomingMessage, request } from "node:http";
import { TEST_KEY } from "./parley.ts";
import { until } from "./wait.ts";

export interface StreamedEvent {
  id: string | null;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the event holds
  data: any;
}

export interface OpenStream {
  response: IncomingMessage;
  events: StreamedEvent[];
  comments: string[];
  /** Set when the server has ended the stream. */
  readonly ended: boolean;
  /** Waits for this many events in all. */
  received(count: number): Promise<StreamedEvent[]>;
  close(): void;
}

export interface StreamRequest {
  key?: string;
  query?: string;
  headers?: Record<string, string>;
  /** The token of a session, instead of a key. */
  session?: string | null;
  /** Reads nothing until asked to. */
  paused?: true;
}

/** A reader of server-sent events, as a client would write it from the documentation. */
export async function openStream(base: string, options: StreamRequest = {}): Promise<OpenStream> {
  const { key = TEST_KEY, query = "", headers = {}, session, paused } = options;
  const credential = session ? { cookie: `parley_session=${session}` } : { authorization: `Bearer ${key}` };
  const call = request(`${base}/api/v1/events/stream${query}`, {
    agent: false,
    headers: { accept: "text/event-stream", ...credential, ...headers },
  });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    call.once("response", resolve).once("error", reject).end();
  });
  call.on("error", () => {});
  response.on("error", () => {});
  const events: StreamedEvent[] = [];
  const comments: string[] = [];
  let ended = false;
  let rest = "";
  response.setEncoding("utf8");
  if (paused) response.pause();
  const onData = (chunk: string) => {
    const blocks = (rest + chunk).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const fields = block
        .split("\n")
        .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]);
      const field = (name: string) => fields.find(([found]) => found === name)?.[1] ?? null;
      if (field("data") === null) comments.push(field("") ?? "");
      else events.push({ id: field("id"), event: field("event") ?? "", data: JSON.parse(field("data") ?? "") });
    }
  };
  if (!paused) response.on("data", onData);
  else response.once("resume", () => response.on("data", onData));
  response.once("close", () => {
    ended = true;
  });
  return {
    response,
    events,
    comments,
    get ended() {
      return ended;
    },
    async received(count) {
      await until(`${count} events are received`, () => events.length >= count || ended);
      return events;
    },
    close: () => call.destroy(),
  };
}
