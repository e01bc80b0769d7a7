import { Mail, MessageCircle } from "lucide-react";
import type { Conversation } from "../../api/conversations.ts";
import { t } from "../../lib/texts.ts";

const CHANNELS: Record<Conversation["channel"], string> = { api: "API", widget: t("Chat"), email: t("E-mail") };

export const channelName = (channel: Conversation["channel"]): string => CHANNELS[channel];

/** Where the contact writes: nothing for conversations of the API, which have no place of their own. */
export function ChannelIcon({ channel, size = 12 }: { channel: Conversation["channel"]; size?: number }) {
  if (channel === "widget") return <MessageCircle size={size} role="img" aria-label={t("Chat")} />;
  return channel === "email" ? <Mail size={size} role="img" aria-label={t("E-mail")} /> : null;
}
