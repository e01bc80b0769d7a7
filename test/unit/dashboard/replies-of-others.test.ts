import type { Message } from "@parley/client";
import { expect, it } from "vitest";
import { replyOfOthers } from "../../../dashboard/src/pages/inbox/composer/replies-of-others.ts";

const message = (seq: number, more: object): Message =>
  ({ seq, direction: "out", private: false, sender: { type: "user", id: 1, name: "Me" }, ...more }) as Message;
const other = { sender: { type: "user", id: 2, name: "Olive" } };

it("a reply of others is public, goes to the contact, is not one's own, and the newest of them counts", () => {
  const seqOf = (...messages: Message[]) => replyOfOthers(messages, 1, ({ seq }) => seq > 1)?.seq;
  expect(seqOf(message(2, other), message(3, { sender: { type: "bot", id: 1, name: null } }), message(4, {}))).toBe(3);
  expect(seqOf(message(1, other))).toBeUndefined();
  expect(seqOf(message(2, { ...other, private: true }), message(3, { ...other, direction: "in" }))).toBeUndefined();
});
