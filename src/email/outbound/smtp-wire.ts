import type { Socket } from "node:net";

/** A response of an SMTP server: its code and its text, lines joined. */
export interface SmtpReply {
  code: number;
  lines: string[];
}

/** The connection ended or stayed silent. Nothing says what the server did with what it had got. */
export class SmtpLost extends Error {}

const LINE_BYTES_MAX = 2_048;
const LINES_MAX = 100;

/** Sends lines and reads responses, one at a time. The socket is destroyed with the first failure. */
export interface SmtpWire {
  read(timeoutMs: number): Promise<SmtpReply>;
  /** Resolves once the system has taken the bytes. */
  write(bytes: string | Buffer, timeoutMs: number): Promise<void>;
  /** Stops reading, so that the socket can be put under TLS. What had come before that is not trusted. */
  detach(): Socket;
  destroy(): void;
}

export function createWire(socket: Socket): SmtpWire {
  let buffered = "";
  let failure: SmtpLost | null = null;
  let wake: (() => void) | null = null;

  const onData = (chunk: Buffer): void => {
    buffered += chunk.toString("latin1");
    if (buffered.length > LINE_BYTES_MAX * LINES_MAX) fail("the mail server sent a response without end");
    wake?.();
  };
  const onError = (error: Error): void => fail(`the connection failed: ${error.message}`);
  const onClose = (): void => fail("the mail server closed the connection");
  socket.on("data", onData).on("error", onError).on("close", onClose);

  function fail(message: string): void {
    failure ??= new SmtpLost(message);
    socket.destroy();
    wake?.();
  }

  /** Waits until `ready` returns something; what has arrived counts even if the connection has ended since. */
  async function waitFor<T>(ready: () => T | null, timeoutMs: number): Promise<T> {
    const timer = setTimeout(() => fail("the mail server did not respond"), timeoutMs);
    try {
      for (;;) {
        const result = ready();
        if (result !== null) return result;
        if (failure) throw failure;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      clearTimeout(timer);
      wake = null;
    }
  }

  return {
    read: (timeoutMs) => waitFor(takeReply, timeoutMs),
    async write(bytes, timeoutMs) {
      let written = false;
      if (failure) throw failure;
      socket.write(bytes, (error) => {
        if (error) return fail(`the connection failed: ${error.message}`);
        written = true;
        wake?.();
      });
      await waitFor(() => written || null, timeoutMs);
    },
    detach() {
      socket.off("data", onData).off("error", onError).off("close", onClose);
      buffered = "";
      return socket;
    },
    destroy: () => fail("the connection was closed"),
  };

  function takeReply(): SmtpReply | null {
    const found = firstReply(buffered);
    if (found === null) return null;
    if (!found.reply) {
      fail("the mail server does not speak SMTP");
      return null;
    }
    buffered = buffered.slice(found.length);
    return found.reply;
  }
}

/** The response that a text begins with; null: it is not complete yet. */
function firstReply(text: string): { reply: SmtpReply | null; length: number } | null {
  const lines: string[] = [];
  let position = 0;
  for (;;) {
    const end = text.indexOf("\n", position);
    if (end === -1) return null;
    const line = text.slice(position, end).replace(/\r$/, "");
    const [, code, more, rest = ""] = /^(\d{3})(?:([- ])(.*))?$/s.exec(line) ?? [];
    if (code === undefined || lines.length >= LINES_MAX) return { reply: null, length: 0 };
    lines.push(rest);
    position = end + 1;
    if (more !== "-") return { reply: { code: Number(code), lines }, length: position };
  }
}
