import type { Event } from "@parley/client";
import type { QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { findInLists, patchInLists } from "../../api/conversations.ts";
import { dropMessage, lastMessageOf, type Message, putMessage } from "../../api/messages.ts";
import { messageKeys } from "../../api/query-keys.ts";
import { useSession } from "../../api/session.ts";
import { registerPatch } from "../../live/patches.ts";
import { acceptByEvent, useOutbox } from "./composer/outbox.ts";

/**
 * Shows what an event says at once, in the open conversation and in the rows of the lists. The lists are read again a moment
 * later anyway: which rows belong in them, and in what order, is for the server to say.
 */
export function useInboxPatches(openId: number | null): void {
  const userId = useSession().user.id;
  const outbox = useOutbox();
  useEffect(
    () =>
      registerPatch(({ client, event, invalidate }) => {
        if (!event.type.startsWith("message.")) return;
        const message = event.data as Message;
        const queryKey = messageKeys.all(message.conversation_id);
        // The response of a read in flight may be older than the event, and replaces what is put here.
        if (client.isFetching({ queryKey }) > 0) invalidate(queryKey);
        if (event.type === "message.deleted") dropMessage(client, message);
        else if (!putMessage(client, message)) invalidate(queryKey);
        if (event.type !== "message.created") return;
        // The next reply may go to others.
        if (message.email) invalidate(messageKeys.reply(message.conversation_id));
        showInRow(client, event, openId);
        if (message.sender.type === "user" && message.sender.id === userId) acceptByEvent(outbox, message);
      }),
    [openId, userId, outbox],
  );
}

function showInRow(client: QueryClient, event: Event, openId: number | null): void {
  const message = event.data as Message;
  const { seq, direction, conversation_id: conversation } = message;
  if (!findInLists(client, conversation)) return;
  const counts = direction === "in" && conversation !== openId;
  patchInLists(client, conversation, (before) => {
    if ((before.last_message?.seq ?? 0) >= seq) return before;
    return {
      ...before,
      ...lastMessageOf(message),
      unread_count: (before.unread_count ?? 0) + (counts ? 1 : 0),
    };
  });
}
