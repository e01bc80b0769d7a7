import fc from "fast-check";
import { expect, it } from "vitest";
import { mergeMessages, mergeNewest } from "../../../widget/src/frame/logic/log.ts";
import type { Message } from "../../../widget/src/frame/types.ts";

const message = (seq: number, change: Partial<Message> = {}): Message => ({
  id: `m${seq}`,
  conversation: "c",
  seq,
  direction: "in",
  sender_name: null,
  body: `text ${seq}`,
  attachments: [],
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
  ...change,
});
const seqs = (messages: readonly Message[]): number[] => messages.map(({ seq }) => seq);

it("a log has each message once and in order, however and how often they arrive", () => {
  const arrivals = fc.array(fc.array(fc.integer({ min: 1, max: 30 })));
  fc.assert(
    fc.property(arrivals, (batches) => {
      const log = batches.reduce<Message[]>(
        (known, batch) =>
          mergeMessages(
            known,
            batch.map((seq) => message(seq)),
          ),
        [],
      );
      expect(seqs(log)).toEqual([...new Set(batches.flat())].sort((one, other) => one - other));
    }),
  );
});

it("an older version of a message does not replace a newer one", () => {
  const newer = message(1, { body: "edited", updated_at: "2026-01-02T00:00:00Z" });
  expect(mergeMessages([newer], [message(1)])[0]?.body).toBe("edited");
  expect(mergeMessages([message(1)], [newer])[0]?.body).toBe("edited");
});

it("the newest page joins what is known, and replaces it where messages between them are missing", () => {
  const known = [message(1), message(2)];
  expect(seqs(mergeNewest(known, [message(2), message(3)], true))).toEqual([1, 2, 3]);
  expect(seqs(mergeNewest(known, [message(8), message(9)], true))).toEqual([8, 9]);
  expect(seqs(mergeNewest(known, [message(5)], false))).toEqual([1, 2, 5]);
});
