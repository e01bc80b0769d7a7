import { describe, expect, it } from "vitest";
import { createPresence, type Presence } from "../../../src/conversations/presence.ts";

const MESSAGE = { workspaceId: 1, conversationId: 7, userId: 3, name: "Ana Müller", isTyping: true };

/** Two nodes that receive what the other publishes. */
function startNodes() {
  let now = 0;
  const nodes: Presence[] = [];
  /** The conversation and the user of each change, per node. */
  const changes: [number, number][][] = [[], []];
  for (const index of [0, 1])
    nodes.push(
      createPresence({
        publish: (text) => nodes[1 - index]?.receive(text),
        onChange: ({ conversationId, userId }) => changes[index]?.push([conversationId, userId]),
        now: () => now,
      }),
    );
  const [one, two] = nodes as [Presence, Presence];
  return { one, two, changes, pass: (ms: number) => (now += ms) };
}

describe("presence", () => {
  it("shows a person on another node, with their name and whether they are typing", () => {
    const { one, two } = startNodes();
    one.announce(MESSAGE);
    expect(two.announce({ ...MESSAGE, userId: 4, name: "Bo" })).toEqual([
      { user_id: 3, name: "Ana Müller", typing: true, sending: false },
    ]);
  });

  it("shows on another node that a reply is being sent, and that its writer has left", () => {
    const { one, two, changes } = startNodes();
    const other = { ...MESSAGE, userId: 4 };
    one.announce({ ...MESSAGE, isTyping: false, isSending: true });
    expect(two.announce(other)).toEqual([{ user_id: 3, name: "Ana Müller", typing: false, sending: true }]);
    one.announce({ ...MESSAGE, isTyping: false, isGone: true });
    expect(two.announce(other)).toEqual([]);
    expect(changes[1]?.filter(([, user]) => user === 3)).toHaveLength(2);
  });

  it("reports on every node what a user has changed for that user's other pages", () => {
    const received: unknown[] = [];
    const nodes: Presence[] = [];
    for (const index of [0, 1])
      nodes.push(
        createPresence({
          publish: (text) => nodes[1 - index]?.receive(text),
          onOwnChange: (change) => received.push([index, change]),
        }),
      );
    const change = { workspaceId: 1, conversationId: 7, userId: 3, origin: "a page: 1" };
    nodes[0]?.ownChanged(change);
    expect(received).toEqual([
      [0, change],
      [1, change],
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

  it("reports on every node who came, began to type and stopped, and not what is only repeated", () => {
    const { one, two, changes, pass } = startNodes();
    one.announce({ ...MESSAGE, isTyping: false });
    one.announce({ ...MESSAGE, isTyping: false });
    expect(changes).toEqual([[[7, 3]], [[7, 3]]]);
    two.announce(MESSAGE);
    two.announce(MESSAGE);
    two.announce({ ...MESSAGE, isTyping: false });
    expect(changes[0]).toHaveLength(3);
    pass(10_001);
    one.announce({ ...MESSAGE, isTyping: false });
    expect(changes[1]).toHaveLength(4);
  });

  it("ignores a notification that it does not understand", () => {
    const { one } = startNodes();
    one.receive("nonsense");
    expect(one.announce(MESSAGE)).toEqual([]);
  });
});
