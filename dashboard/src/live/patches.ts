import type { Event } from "@parley/client";
import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { Versioned } from "../api/client.ts";
import {
  apiKeyKeys,
  contactKeys,
  conversationKeys,
  draftKeys,
  eventKeys,
  labelKeys,
  messageKeys,
  overviewKeys,
  webhookKeys,
} from "../api/query-keys.ts";

interface PatchContext {
  client: QueryClient;
  event: Event;
  /** Reads these again soon, together with what other events ask for. */
  invalidate: (...keys: QueryKey[]) => void;
}

/** Changes the cache by one event. Returns true when lists need not be read again. */
type Patch = (context: PatchContext) => void;

/** By the part of the type before the dot. */
const PATCHES: Record<string, Patch> = {
  conversation({ client, event, invalidate }) {
    const { id } = event.data as { id: number };
    // Not only removed: a page that shows it has to learn that it is gone.
    if (event.type === "conversation.deleted") void client.resetQueries({ queryKey: conversationKeys.detail(id) });
    else if (event.type !== "conversation.mentioned") patchRecord(client, conversationKeys.detail(id), event.data);
    invalidate(
      conversationKeys.lists(),
      conversationKeys.ofContacts(),
      conversationKeys.counts(),
      labelKeys.list(),
      eventKeys.ofConversation(id),
    );
  },
  message({ event, invalidate }) {
    const { conversation_id: conversation } = event.data as { conversation_id: number };
    // A page that patches its messages itself knows when they have to be read again: reading them drops the oldest one shown.
    if (registered.size === 0) invalidate(messageKeys.all(conversation));
    invalidate(
      // Of a message that was sent on another device, the draft is gone.
      draftKeys.all(conversation),
      conversationKeys.detail(conversation),
      conversationKeys.lists(),
      conversationKeys.ofContacts(),
      conversationKeys.counts(),
      eventKeys.ofConversation(conversation),
    );
  },
  contact({ client, event, invalidate }) {
    const { id } = event.data as { id: number };
    if (event.type === "contact.deleted") void client.resetQueries({ queryKey: contactKeys.detail(id) });
    else patchRecord(client, contactKeys.detail(id), event.data);
    // Conversations show their contact.
    invalidate(contactKeys.lists(), conversationKeys.lists(), conversationKeys.details());
  },
  draft({ event, invalidate }) {
    invalidate(draftKeys.all((event.data as unknown as { conversation_id: number }).conversation_id));
  },
  api_key({ invalidate }) {
    invalidate(apiKeyKeys.all());
  },
  webhook({ invalidate }) {
    invalidate(webhookKeys.all());
  },
};

/** Further patches: a page that knows the shape of its lists can do better than reading them again. */
const registered = new Set<Patch>();

export function registerPatch(patch: Patch): () => void {
  registered.add(patch);
  return () => registered.delete(patch);
}

export function applyEvent(context: PatchContext): void {
  PATCHES[context.event.type.split(".")[0] ?? ""]?.(context);
  for (const patch of registered) patch(context);
  // Not the overview: it sums up many tables, and polls every few seconds while events arrive.
  context.invalidate(eventKeys.lists());
}

/** What only this user sees of a conversation has changed on another page: what is read, or the draft. */
export function applyOwnChange(conversation: number, invalidate: PatchContext["invalidate"]): void {
  invalidate(
    conversationKeys.detail(conversation),
    conversationKeys.lists(),
    conversationKeys.counts(),
    draftKeys.all(conversation),
  );
}

/** Fields that only the reader's own requests know (`unread_count`) stay. The version is not known any more. */
function patchRecord(client: QueryClient, queryKey: QueryKey, data: object): void {
  client.setQueryData<object | Versioned<object>>(queryKey, (before) => {
    if (before === undefined) return undefined;
    return "record" in before ? { ...before, record: { ...before.record, ...data } } : { ...before, ...data };
  });
}

/** Everything that events describe: read again after a gap. */
const liveKeys = (): QueryKey[] => [
  conversationKeys.all(),
  contactKeys.all(),
  eventKeys.all(),
  labelKeys.list(),
  apiKeyKeys.all(),
  webhookKeys.all(),
  overviewKeys.all(),
];

/** The keys of messages and drafts begin with their conversation, so they are found by their resource's name. */
export const isLiveKey = (queryKey: QueryKey): boolean => {
  const names = new Set(["messages", "drafts", ...liveKeys().map((key) => key[2])]);
  return queryKey[0] === "workspace" && names.has(queryKey[2]);
};
