import { type InfiniteData, useQueryClient } from "@tanstack/react-query";
import type { CursorPage } from "../../../api/client.ts";
import { type Draft, filesOf, suggestionsOf, useDrafts } from "../../../api/drafts.ts";
import { type Message, messagesOf } from "../../../api/messages.ts";
import { draftKeys, messageKeys } from "../../../api/query-keys.ts";
import { useSession } from "../../../api/session.ts";
import { toast } from "../../../components/toast.tsx";
import { t } from "../../../lib/texts.ts";
import { queueMessage, useOutbox, useOutgoing } from "../composer/outbox.ts";
import { replyOfOthers } from "../composer/replies-of-others.ts";

/** The suggestions of a conversation that can be used, and whether one of them is being sent. */
export function useSuggestions(conversation: number): { suggestions: Draft[]; isSending: boolean } {
  const sent = useOutgoing(conversation).flatMap(({ suggestion }) => suggestion ?? []);
  const suggestions = suggestionsOf(useDrafts(conversation).data).filter(({ id }) => !sent.includes(id));
  return { suggestions, isSending: sent.length > 0 };
}

/** By suggestion: the later reply that its user was warned of. */
const warned = new Map<number, number>();

/** Sends a suggestion as it is, when the time to undo it is over. Of two people who do so at once, one gets to send it. */
export function useSuggestion(conversation: number): (draft: Draft) => void {
  const client = useQueryClient();
  const outbox = useOutbox();
  const { user } = useSession();
  return (draft) => {
    const messages = client.getQueryData<InfiniteData<CursorPage<Message>, string | null>>(
      messageKeys.list(conversation),
    );
    const known = messagesOf(messages);
    const reply = replyOfOthers(known, user.id, (one) => one.created_at > draft.updated_at);
    if (reply && warned.get(draft.id) !== reply.id && !draft.private) {
      warned.set(draft.id, reply.id);
      toast(
        t("{name} has replied since this was suggested. Use it again to send it anyway.", {
          name: reply.sender.name ?? t("Someone"),
        }),
      );
      return;
    }
    const list = draftKeys.list(conversation);
    const discard = async () => {
      client.setQueryData<Draft[]>(list, (before) => before?.filter(({ id }) => id !== draft.id));
      await client.invalidateQueries({ queryKey: draftKeys.all(conversation) });
    };
    const isCurrent = () => {
      const now = client.getQueryData<Draft[]>(list)?.find(({ id }) => id === draft.id);
      return !now || now.updated_at === draft.updated_at;
    };
    const message = {
      conversation,
      author: user.id,
      seenSeq: known.at(-1)?.seq ?? 0,
      body: draft.body,
      private: draft.private,
      files: filesOf(draft),
      suggestion: draft.id,
    };
    queueMessage(outbox, message, { resolve: false, draft: { discard, keep: () => {} }, isCurrent });
  };
}
