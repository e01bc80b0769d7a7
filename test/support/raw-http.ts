import { connect } from "node:net";
import { until } from "./wait.ts";

export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the response holds
  body: any;
  text: string;
}

interface RawConnection {
  send(bytes: string | Buffer): void;
  /** The next response on this connection. `head`: it has no body, whatever its Content-Length says. */
  response(options?: { head?: boolean; timeoutMs?: number }): Promise<RawResponse>;
  closed(timeoutMs?: number): Promise<unknown>;
  destroy(): void;
}

/** A client that sends exactly the bytes it is given, for what `fetch` refuses to send. */
export function openRaw(url: string): RawConnection {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = Buffer.alloc(0);
  let isClosed = false;
  socket.on("data", (chunk) => {
    received = Buffer.concat([received, chunk]);
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    isClosed = true;
  });

  function take(head: boolean): RawResponse | null {
    const headEnd = received.indexOf("\r\n\r\n");
    if (headEnd < 0) {
      if (isClosed) throw new Error(`the connection closed without a response: ${received.toString().slice(0, 200)}`);
      return null;
    }
    const [statusLine = "", ...lines] = received.subarray(0, headEnd).toString("latin1").split("\r\n");
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
    );
    const status = Number(statusLine.split(" ")[1]);
    const length = head || status === 100 ? 0 : Number(headers["content-length"] ?? 0);
    const end = headEnd + 4 + length;
    if (received.length < end) return null;
    const text = received.subarray(headEnd + 4, end).toString("utf8");
    received = received.subarray(end);
    return { status, headers, text, body: text === "" ? null : JSON.parse(text) };
  }

  return {
    send: (bytes) => void socket.write(bytes),
    response: ({ head = false, timeoutMs = 10_000 } = {}) =>
      until("the server responds", () => take(head), { timeoutMs, everyMs: 5 }),
    closed: (timeoutMs = 10_000) => until("the server closes the connection", () => isClosed, { timeoutMs }),
    destroy: () => void socket.destroy(),
  };
}

/** Sends one request's bytes and gives its response. */
export async function exchange(
  url: string,
  bytes: string | Buffer,
  options?: { head?: boolean },
): Promise<RawResponse> {
  const connection = openRaw(url);
  try {
    connection.send(bytes);
    return await connection.response(options);
  } finally {
    connection.destroy();
  }
}
