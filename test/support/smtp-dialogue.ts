import { connect, type Socket } from "node:net";
import { until } from "./wait.ts";

/** A client that sends exactly the given lines. */
export interface SmtpDialogue {
  /** Sends the lines and returns the last line of each response. */
  say(...lines: string[]): Promise<string[]>;
  /** Sends text without waiting for a response. */
  write(text: string): void;
  /** What has come since the last response that was read. */
  read(count: number): Promise<string[]>;
  isClosed(): boolean;
  close(): void;
}

export async function openSmtp(port: number): Promise<SmtpDialogue> {
  const socket: Socket = connect(port, "127.0.0.1");
  const responses: string[] = [];
  let rest = "";
  let closed = false;
  socket.setEncoding("utf8");
  socket.on("data", (text: string) => {
    const lines = (rest + text).split("\r\n");
    rest = lines.pop() ?? "";
    responses.push(...lines.filter((line) => /^\d{3} /.test(line)));
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    closed = true;
  });
  const read = async (count: number): Promise<string[]> => {
    await until(`${count} responses (have ${responses.length})`, () => responses.length >= count || closed);
    return responses.splice(0, count);
  };
  await read(1);
  return {
    async say(...lines) {
      const found: string[] = [];
      for (const line of lines) {
        socket.write(`${line}\r\n`);
        found.push(...(await read(1)));
      }
      return found;
    },
    write: (text) => void socket.write(text),
    read,
    isClosed: () => closed,
    close: () => socket.destroy(),
  };
}
