import { describe, expect, it } from "vitest";
import { createPresence, type Presence } from "../../../src/conversations/presence.ts";

const MESSAGE = { workspaceId: 1, conversationId: 7, userId: 3, name: "Ana Müller", isTyping: true };

/** Two nodes that receive what the other publishes. */
function startNodes() {
  let now = 0;
  const nodes: Presence[] = [];
  for (const index of [0, 1])
    nodes.push(
      createPresence(
        (text) => nodes[1 - index]?.receive(text),
        () => now,
      ),
    );
  const [one, two] = nodes as [Presence, Presence];
  return { one, two, pass: (ms: number) => (now += ms) };
}

describe("presence", () => {
  it("shows a person on another node, with their name and whether they are typing", () => {
    const { one, two } = startNodes();
    one.announce(MESSAGE);
    expect(two.announce({ ...MESSAGE, userId: 4, name: "Bo" })).toEqual([
      { user_id: 3, name: "Ana Müller", typing: true },
    ]);
  });

  it("never shows people to themselves, nor across conversations or workspaces", () => {
    const { one } = startNodes();
    expect(one.announce(MESSAGE)).toEqual([]);
    expect(one.announce({ ...MESSAGE, userId: 4, conversationId: 8 })).toEqual([]);
    expect(one.announce({ ...MESSAGE, userId: 4, workspaceId: 2 })).toEqual([]);
  });

  it("forgets people who have not announced themselves for ten seconds", () => {
    const { one, two, pass } = startNodes();
    one.announce(MESSAGE);
    pass(10_001);
    expect(two.announce({ ...MESSAGE, userId: 4 })).toEqual([]);
  });

  it("ignores a notification that it does not understand", () => {
    const { one } = startNodes();
    one.receive("nonsense");
    expect(one.announce(MESSAGE)).toEqual([]);
  });
});
