import { readFileSync, writeFileSync } from "node:fs";
import { Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { TEST_KEY } from "../support/parley.ts";
import { type ParleyProcess, startProcess } from "../support/parley-process.ts";

const MIB = 1_048_576;
const FILE_BYTES = 25 * MIB;
const GROWTH_BYTES_MAX = 20_000_000;

let database: TestDatabase;
let server: ParleyProcess;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());
beforeEach(async () => {
  server = await startProcess("serve", database);
});
afterEach(() => server?.end("SIGKILL"));

/** Created as they are read, so that the test itself holds no file. */
const bytes = (total: number): ReadableStream =>
  Readable.toWeb(
    Readable.from(
      (function* () {
        for (let left = total; left > 0; left -= 65_536) yield Buffer.alloc(Math.min(left, 65_536), left % 251);
      })(),
    ),
  ) as ReadableStream;

async function upload(total: number): Promise<string> {
  const response = await fetch(`${server.url}/api/v1/files?name=large.bin`, {
    method: "POST",
    headers: { authorization: `Bearer ${TEST_KEY}`, "content-type": "application/octet-stream" },
    body: bytes(total),
    duplex: "half",
  } as RequestInit);
  const { data } = (await response.json()) as { data: { url: string; size_bytes: number } };
  expect(data.size_bytes).toBe(total);
  return data.url;
}

async function download(url: string): Promise<number> {
  let read = 0;
  for await (const piece of (await fetch(url)).body as unknown as AsyncIterable<Uint8Array>) read += piece.length;
  return read;
}

/** The most that the process has had in memory since the mark was reset. */
const peakBytes = (): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.child.pid}/status`, "utf8"))?.[1]) * 1_024;
const resetPeak = (): void => writeFileSync(`/proc/${server.child.pid}/clear_refs`, "5");

it.skipIf(process.platform !== "linux")(
  "an upload of 25 MiB raises the memory of the server by at most 20 MB",
  // What a server loads by itself in these moments counts too: a new server decides. One that holds the bytes, always does.
  { retry: 2 },
  async () => {
    // What is loaded and compiled with the first files is not theirs.
    for (let n = 0; n < 3; n++) await download(await upload(MIB));
    resetPeak();
    const before = server.residentBytes();
    const url = await upload(FILE_BYTES);
    expect(peakBytes() - before).toBeLessThan(GROWTH_BYTES_MAX);
    expect(await download(url)).toBe(FILE_BYTES);
  },
);
