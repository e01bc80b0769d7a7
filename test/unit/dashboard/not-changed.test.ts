import type { Conversation } from "@parley/client";
import { expect, it } from "vitest";
import { notChanged } from "../../../dashboard/src/pages/inbox/not-changed.ts";

it("a change that fails is named with its conversation, in the words of its success", () => {
  const conversation = { id: 7, subject: "Broken lamp" } as Conversation;
  expect(notChanged(conversation, "Resolved")).toBe("“Broken lamp” was not resolved");
  expect(notChanged(conversation, "Assigned to Ana Müller")).toBe("“Broken lamp” was not assigned to Ana Müller");
  expect(notChanged(conversation, "Priority changed")).toBe("Priority of “Broken lamp” was not changed");
  expect(notChanged(undefined, "Opened again")).toBe("The conversation was not opened again");
});
