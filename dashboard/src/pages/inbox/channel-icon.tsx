import { Mail, MessageCircle } from "lucide-react";
import type { Conversation } from "../../api/conversations.ts";

/** Where the contact writes: nothing for conversations of the API, which have no place of their own. */
export function ChannelIcon({ channel, size = 12 }: { channel: Conversation["channel"]; size?: number }) {
  if (channel === "widget") return <MessageCircle size={size} role="img" aria-label="Chat" />;
  return channel === "email" ? <Mail size={size} role="img" aria-label="E-mail" /> : null;
}
