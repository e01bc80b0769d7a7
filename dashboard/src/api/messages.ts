import type { Attachment, Conversation, CreateMessageBody, Message } from "@parley/client";
import {
  type InfiniteData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { type ApiError, api, apiCursorPage, type CallOptions, type CursorPage, patchUnlessChanged } from "./client.ts";
import { conversationKeys, messageKeys } from "./query-keys.ts";

export type { Attachment, Message } from "@parley/client";

const PAGE_SIZE = 50;

type MessagePages = InfiniteData<CursorPage<Message>, string | null>;

/** Newest page first, as the API has it; `messagesOf` puts them in the order of reading. */
export const useMessages = (conversation: number) =>
  useInfiniteQuery<CursorPage<Message>, ApiError, MessagePages, readonly unknown[], string | null>({
    queryKey: messageKeys.list(conversation),
    queryFn: ({ pageParam, signal }) =>
      apiCursorPage<Message>(`/conversations/${conversation}/messages`, {
        query: { limit: PAGE_SIZE, cursor: pageParam },
        signal,
      }),
    initialPageParam: null,
    getNextPageParam: ({ meta }) => (meta.has_more ? meta.next_cursor : null),
  });

/** Oldest first, each message once. */
export function messagesOf(pages: MessagePages | undefined): Message[] {
  const bySeq = new Map<number, Message>();
  for (const page of pages?.pages ?? []) for (const message of page.data) bySeq.set(message.seq, message);
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq);
}

/** How many characters of its text a conversation shows of its last message. */
const LAST_MESSAGE_CHARS = 200;

/** What a conversation says about its last message, from that message. */
export const lastMessageOf = (message: Message): Pick<Conversation, "last_message" | "last_message_at"> => ({
  last_message: {
    id: message.id,
    seq: message.seq,
    direction: message.direction,
    private: message.private,
    sender: message.sender,
    body: message.body.slice(0, LAST_MESSAGE_CHARS),
    created_at: message.created_at,
  },
  last_message_at: message.created_at,
});

/** Adds or replaces a message in the cache. False: there is a gap before it, so the list must be read again. */
export function putMessage(client: QueryClient, message: Message): boolean {
  const key = messageKeys.list(message.conversation_id);
  const pages = client.getQueryData<MessagePages>(key);
  const [newest, ...older] = pages?.pages ?? [];
  if (!pages || !newest) return true;
  const known = pages.pages.some((page) => page.data.some(({ id }) => id === message.id));
  if (known) {
    const replaced = pages.pages.map((page) => ({
      ...page,
      data: page.data.map((one) => (one.id === message.id ? message : one)),
    }));
    client.setQueryData<MessagePages>(key, { ...pages, pages: replaced });
    return true;
  }
  if (message.seq !== (newest.data[0]?.seq ?? 0) + 1) return false;
  client.setQueryData<MessagePages>(key, {
    ...pages,
    pages: [{ ...newest, data: [message, ...newest.data] }, ...older],
  });
  return true;
}

export function dropMessage(client: QueryClient, message: Message): void {
  client.setQueryData<MessagePages>(messageKeys.list(message.conversation_id), (pages) =>
    pages
      ? {
          ...pages,
          pages: pages.pages.map((page) => ({ ...page, data: page.data.filter(({ id }) => id !== message.id) })),
        }
      : pages,
  );
}

interface SendMessageOptions extends Pick<CallOptions, "workspace" | "keepalive"> {
  /** The Idempotency-Key: however often this is repeated, one message is created. */
  key: string;
}

export const sendMessage = (
  conversation: number,
  message: CreateMessageBody,
  { key, ...options }: SendMessageOptions,
): Promise<Message> =>
  api("POST", `/conversations/${conversation}/messages`, {
    body: message,
    headers: { "idempotency-key": key },
    ...options,
  });

const pathOf = ({ id, conversation_id }: Message): string => `/conversations/${conversation_id}/messages/${id}`;

/** Refused where the message has changed meanwhile, and for mail, which was sent as it is. */
export function useEditMessage(message: Message) {
  const client = useQueryClient();
  return useMutation<Message, ApiError, string>({
    mutationFn: (body) => patchUnlessChanged<Message>(pathOf(message), message, { body }),
    onSuccess: (changed) => {
      putMessage(client, changed);
      readConversationAgain(client, changed);
    },
  });
}

export function useDeleteMessage(message: Message) {
  const client = useQueryClient();
  return useMutation<Message, ApiError, undefined>({
    mutationFn: () => api("DELETE", pathOf(message)),
    onSuccess: (deleted) => {
      dropMessage(client, deleted);
      readConversationAgain(client, deleted);
    },
  });
}

/** Its last message, and who waits, follow from its messages. */
function readConversationAgain(client: QueryClient, { conversation_id: id }: Message): void {
  void client.invalidateQueries({ queryKey: conversationKeys.detail(id) });
  void client.invalidateQueries({ queryKey: conversationKeys.lists() });
}

/** An uploaded picture. One from another site is not loaded: its owner would learn who looks at it, and when. */
export const isImage = ({ file_id, content_type }: Pick<Attachment, "file_id" | "content_type">): boolean =>
  file_id !== undefined && /^image\/(png|jpeg|gif|webp)$/.test(content_type ?? "");

/** The link of an event names the host that its sender used; ours is the one of this page. */
export function linkOf({ file_id, url }: Pick<Attachment, "file_id" | "url">): string {
  if (file_id === undefined) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}
