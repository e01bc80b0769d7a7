import { ImapFlow } from "imapflow";
import { expect, it } from "vitest";
import { paceInput } from "../../../src/email/imap/pace.ts";
import { until } from "../../support/wait.ts";

interface Response {
  payload: Buffer;
  trailingAfterLine: boolean;
  next: () => void;
}

/** A client that is not connected: what a server would send is written to its parser. */
function parserOf(onResponse: (response: Response) => void) {
  const client = new ImapFlow({ host: "127.0.0.1", port: 1, logger: false });
  paceInput(client, 1);
  const { streamer } = client as unknown as { streamer: NodeJS.ReadWriteStream };
  streamer.on("data", onResponse);
  return streamer;
}

it("a response is known to have more behind it, wherever its bytes are taken apart", async () => {
  const seen: Response[] = [];
  const parser = parserOf((response) => {
    seen.push(response);
    response.next();
  });
  const first = `1 OK ${"x".repeat(4_096 - 7)}\r\n`;
  parser.write(Buffer.from(`${first}* CAPABILITY INJECTED\r\n`));
  await until("both are read", () => seen.length === 2);
  expect(seen.map(({ trailingAfterLine }) => trailingAfterLine)).toEqual([true, false]);
});

it("what a server sends is read at once after the machine has stood still for seconds", async () => {
  const seen: Response[] = [];
  const parser = parserOf((response) => {
    if (seen.push(response) === 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000);
    response.next();
  });
  parser.write(Buffer.from("* 1 EXISTS\r\n"));
  await until("the first is read", () => seen.length === 1);
  const begunAt = performance.now();
  parser.write(Buffer.from("* 2 EXISTS\r\n"));
  await until("the second is read", () => seen.length === 2);
  expect(performance.now() - begunAt).toBeLessThan(2_000);
});
