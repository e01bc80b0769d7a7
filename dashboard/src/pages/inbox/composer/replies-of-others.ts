import type { Message } from "@parley/client";

/** The newest public reply that someone else than this user has sent, of those that are late enough to matter. */
export const replyOfOthers = (
  messages: readonly Message[],
  userId: number,
  isLater: (message: Message) => boolean,
): Message | undefined =>
  messages.findLast(
    (message) =>
      message.direction === "out" &&
      !message.private &&
      !(message.sender.type === "user" && message.sender.id === userId) &&
      isLater(message),
  );
