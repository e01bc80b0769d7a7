import type { Conversation } from "@parley/client";
import { describe, expect, it } from "vitest";
import { formatExact } from "../../../dashboard/src/lib/time.ts";
import { clockTime, excerptOf, gistOf, senderName, titleOf } from "../../../dashboard/src/pages/inbox/names.ts";

const justAfterMidnight = new Date(2026, 6, 14, 0, 5).toISOString();

describe("a time of day", () => {
  it("has the hour 00 after midnight", () => {
    expect(clockTime(justAfterMidnight)).toBe("00:05");
  });

  it("is written from 0 to 23 hours in a tooltip too", () => {
    expect(formatExact(new Date(2026, 6, 14, 15, 5))).toContain("15:05:00");
    expect(formatExact(new Date(justAfterMidnight))).toContain("00:05:00");
  });
});

const message = (change: object) => ({
  last_message: {
    id: 1,
    seq: 1,
    direction: "out" as const,
    private: false,
    sender: { type: "user" as const, id: 7, name: "Ana Lopez" },
    body: "",
    created_at: justAfterMidnight,
    ...change,
  },
});

describe("a conversation without a subject", () => {
  const contact = { id: 3, name: null, email: "ana@example.com", phone: null } as Conversation["contact"];

  it("is called by its contact, whatever was written last, and so are the contact's messages", () => {
    expect(titleOf({ subject: null, contact })).toBe("ana@example.com");
    expect(titleOf({ subject: null, contact: { ...contact, email: null } })).toBe("Contact 3");
    expect(titleOf({ subject: "Vienna", contact })).toBe("Vienna");
    const sender = { type: "contact" as const, id: 3, name: null };
    expect(senderName({ sender }, contact)).toBe("ana@example.com");
    expect(senderName({ sender: { ...sender, id: 4 } }, contact)).toBe("Contact");
  });

  it("is, among others of its contact, the first line of its last message, without the signs of Markdown", () => {
    const titled = (change: object) => gistOf({ id: 1, subject: null, ...message(change) });
    expect(titled({ body: "Yes: **two days**\n\n- Vienna" })).toBe("Yes: two days");
    expect(titled({ direction: "in", body: "Is it **two days**?\nOr three?" })).toBe("Is it **two days**?");
    expect(titled({ body: "" })).toBe("Conversation 1");
  });
});

describe("the excerpt of a row", () => {
  it("says that a message without text consists of files", () => {
    expect(excerptOf(message({}), 7)).toBe("You: Files");
    expect(excerptOf(message({}), 8)).toBe("Ana: Files");
    expect(excerptOf(message({ private: true }), 7)).toBe("Note: Files");
    expect(excerptOf(message({ direction: "in" }), 7)).toBe("Files");
    expect(excerptOf(message({ body: "Hello" }), 7)).toBe("You: Hello");
  });
});
