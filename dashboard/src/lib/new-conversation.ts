import type { Contact } from "@parley/client";

type Open = (contact: Contact | null) => void;

const listeners = new Set<Open>();

/** Called with the contact whom the conversation is with, if one is known. */
export function onNewConversationRequest(open: Open): () => void {
  listeners.add(open);
  return () => void listeners.delete(open);
}

/** Opens the form of a new conversation, from any page. */
export const requestNewConversation: Open = (contact) => {
  for (const open of listeners) open(contact);
};
