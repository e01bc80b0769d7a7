import type { ServerResponse } from "node:http";
import { Writable } from "node:stream";
import { expect, it, vi } from "vitest";
import type { SequencedEvent } from "../../../src/events/event-reader.ts";
import { StreamConnection } from "../../../src/http/streams/stream-connection.ts";

const BODY_BYTES = 16_384;
const EVENTS = 200;

/** A reader that reads only when it is asked to. */
function createReader() {
  let resume: (() => void) | null = null;
  let bytes = 0;
  const raw = new Writable({
    write(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      resume = done;
    },
  });
  return {
    raw: Object.assign(raw, { headersSent: true }) as unknown as ServerResponse,
    bytes: () => bytes,
    /** Everything that was written before this, and nothing of what is written because of it. */
    async readOnce() {
      const target = bytes + raw.writableLength;
      while (bytes < target || resume) {
        const done = resume;
        resume = null;
        done?.();
        await new Promise((next) => setImmediate(next));
        if (bytes >= target) return;
      }
    },
  };
}

it("a reader that keeps reading is never stalled, however long its backlog, and one that stops is", async () => {
  const reader = createReader();
  const { raw } = reader;
  const onTooSlow = vi.fn();
  const connection = new StreamConnection({ raw, workspaceId: 1, types: null, onTooSlow });
  await connection.sendPast(async () => ({ events: [], next: 0, hasMore: false }), "skip");
  for (let position = 1; position <= EVENTS; position += 1) {
    const event = { position, event_id: position, type: "message.created", payload: "x".repeat(BODY_BYTES) };
    connection.add(event as unknown as SequencedEvent);
  }
  let now = 0;
  const stalledAfter = (ms: number) => {
    now += ms;
    return connection.stalledMs(now);
  };
  const stalled: number[] = [];
  while (reader.bytes() < (EVENTS * BODY_BYTES) / 2) {
    stalled.push(stalledAfter(10_000));
    await reader.readOnce();
  }
  expect(stalled.length).toBeGreaterThan(6);
  expect(Math.max(...stalled)).toBeLessThanOrEqual(10_000);
  stalledAfter(10_000);
  expect(stalledAfter(31_000)).toBeGreaterThan(30_000);
  expect(onTooSlow).not.toHaveBeenCalled();
});
