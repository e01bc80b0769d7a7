/** What has to be known of a message to number it. */
interface MessageOfConversation {
  workspace_id: number;
  conversation_id: number | null;
  conversation_uuid: string | null;
  direction: "in" | "out";
  private: boolean;
  ignores_status: boolean;
  /** False: the contact does not wait for a reply to it. */
  starts_waiting?: boolean;
  /** Null: it is not mail, or not yet. */
  email?: unknown;
}

/** What a conversation gets from the messages of one statement. Positions among them count from 1. */
interface ConversationAdditions {
  /** Which messages belong to it. */
  group_number: number;
  workspace_id: number;
  conversation_id: number | null;
  conversation_uuid: string | null;
  messages: number;
  /** The last message from the contact; the first and the last one to which a reply is expected; the last public reply. */
  last_in: number | null;
  first_asking: number | null;
  last_asking: number | null;
  last_reply: number | null;
  /** One of the messages reopens it if it is snoozed or resolved. */
  may_reopen: boolean;
  /** One of the messages has to become mail first if the conversation has a mailbox. */
  may_mail: boolean;
}

/** A message with its position among all, and with its number among those of its conversation. */
type Numbered<Message> = Message & { position: number; group_number: number; number: number };

/**
 * Groups messages by their conversation and numbers them, in their order. A conversation that some messages name by its
 * id and others by its uuid has two groups: only the database knows that they are the same.
 */
export function byConversation<Message extends MessageOfConversation>(
  inputs: readonly Message[],
): { conversations: ConversationAdditions[]; messages: Numbered<Message>[] } {
  const groups = new Map<string, ConversationAdditions>();
  const messages = inputs.map((input, position) => {
    const name = `${input.workspace_id}/${input.conversation_id ?? input.conversation_uuid}`;
    const group = groups.get(name) ?? emptyGroup(groups.size, input);
    groups.set(name, group);
    add(group, input);
    return { ...input, position, group_number: group.group_number, number: group.messages };
  });
  return { conversations: [...groups.values()], messages };
}

const emptyGroup = (
  groupNumber: number,
  { workspace_id, conversation_id, conversation_uuid }: MessageOfConversation,
): ConversationAdditions => ({
  group_number: groupNumber,
  workspace_id,
  conversation_id,
  conversation_uuid,
  messages: 0,
  last_in: null,
  first_asking: null,
  last_asking: null,
  last_reply: null,
  may_reopen: false,
  may_mail: false,
});

function add(
  group: ConversationAdditions,
  { direction, private: isPrivate, ignores_status, starts_waiting = true, email = null }: MessageOfConversation,
): void {
  const number = ++group.messages;
  if (direction === "in") {
    group.last_in = number;
    if (starts_waiting) {
      group.first_asking ??= number;
      group.last_asking = number;
    }
    group.may_reopen ||= !ignores_status;
  } else if (!isPrivate) {
    group.last_reply = number;
    group.may_mail ||= email === null;
  }
}
